import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { URL } from 'node:url';
import type { Client } from '../../client/client.ts';
import { RESPONSE_SCHEMAS } from '../../client/response-schemas.ts';
import type { StoryPlayer } from '../../control/own-server.ts';
import {
  AbortController,
  clearTimeout,
  nextTurn,
  performance,
  setTimeout,
  sleep,
} from '../../core/values/builtins.ts';
import { loadOnce } from '../../core/values/once.ts';
import { CONTROL_PREFIX } from '../../core/values/plane.ts';
import { connectionShares } from '../../sandbox/open-files.ts';
import { planeOf, type SandboxCore } from '../../sandbox/sandbox.ts';
import {
  allowedNames,
  createHostRule,
  type HostRule,
  isLoopbackHost,
} from '../../sandbox/surface-address.ts';
import type { RequestHandlers } from '../in-process/fetch.ts';
import type { Handlers } from '../in-process/handlers.ts';
import type { ApiHandler } from '../in-process/run-handlers.ts';
import { RESPONSES } from '../openapi/response-examples.ts';
import { parseTarget, RecentHeaders, respond, type ServerContext } from './receive.ts';
import { ifUnused, refuse, refuseMalformed, refuseRaw, trackResponse } from './refuse.ts';
import { Outbox } from './send.ts';

/** Where and how to serve a sandbox. */
export interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** Names under which the server is called besides the loopback ones. */
  readonly allowHost?: readonly string[] | undefined;
  /** Takes the caller's address from the last entry of X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Protects the control plane when the host is not loopback. */
  readonly controlToken: string;
  /** Whether it protects the control plane on loopback, too. Default: false. */
  readonly requireToken?: boolean | undefined;
  /** Handle requests to the API before the sandbox does. */
  readonly handlers?: Handlers | undefined;
  /** Creates what plays stories in the worlds of the sandbox. Called when stories are first asked for. */
  readonly createStories?: CreateStories | undefined;
}

/** What the player of a server's stories needs. */
export interface StoryServer {
  /**
   * Returns a client of a world. It calls the sandbox in this process, whatever the proxy of the machine is. Its requests are those of that world, also without a key.
   */
  clientOf(world: string): Client;
  /** Creates a world for a run: frozen, neither listed nor counted. Throws and rejects with the reason when it cannot. */
  readonly createWorld: SandboxCore['createStory'];
  /** Ends a world. */
  endWorld(id: string): void;
  readonly options: SandboxCore['options'];
  readonly wallClock: { sleep(ms: number): Promise<void>; elapsed(): number };
  /** Returns a text that is unique on the server. */
  newText(): string;
}

/** Creates what plays the stories of a server. */
export type CreateStories = (server: StoryServer) => Promise<StoryPlayer>;

/** A sandbox that is served over HTTP. */
export interface RunningServer {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** Whether the control plane requires its token. */
  readonly needsToken: boolean;
  /**
   * Stops accepting connections, lets requests in flight finish for `graceMs` milliseconds of wall time, or until `hurry` is
   * aborted, and then closes the remaining connections. Resolves once all are closed.
   */
  close(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

/**
 * Serves a sandbox over HTTP. Resolves once it listens; rejects when it cannot, for example on a busy port, and with an
 * OptionError for an invalid name in `allowHost`.
 */
export async function serve(sandbox: SandboxCore, options: ListenOptions): Promise<RunningServer> {
  const { host, controlToken, requireToken } = options;
  const { publicUrl } = sandbox.options;
  const publicName = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const allowed = allowedNames([...(options.allowHost ?? []), ...publicName]);
  const own = ownNames(host);
  const hostRule = createHostRule({
    isLoopbackOnly: isLoopbackHost(host),
    allowed,
    ownNames: own,
    map: sandbox.mappings,
  });
  const closeListeners = new Set<() => void>();
  let origin = '';
  const handleApi = options.handlers?.before(sandbox, () => origin) ?? sandbox.handle;
  const loadPages = loadOnce(async () => (await import('../pages/pages.ts')).createPages(sandbox));
  const server: Server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      // Node would respond with an empty body; the listener below responds with the simple error body.
      requireHostHeader: false,
    },
    requestListener(sandbox, handleApi, loadPages, hostRule, {
      trustProxy: options.trustProxy,
      outbox: new Outbox(),
      bufferedBytes: { count: 0 },
      recentHeaders: new RecentHeaders(),
      isClosing: () => !server.listening,
      onClosing(task) {
        closeListeners.add(task);
        return () => closeListeners.delete(task);
      },
      maxBodyBytes: sandbox.maxBodyBytes,
    }),
  );
  const shares = connectionShares();
  if (shares !== null) server.maxConnections = shares.incoming;
  server.on('clientError', refuseMalformed);
  // After this process was busy for a while, Node runs the timer before it reads a request that arrived in time.
  server.on('timeout', socket => ifUnused(socket, () => socket.destroy()));
  server.on('connect', (_request, socket) => {
    // From here on, Node neither handles the errors of this connection nor closes it.
    socket.on('error', () => undefined).once('finish', () => socket.destroy());
    refuseRaw(socket.resume(), '400 Bad Request', 'CONNECT is not supported');
  });
  server.on('checkExpectation', (_request, response) => {
    refuse(response, 417, 'header Expect: only 100-continue is supported');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      origin = originOf(server, host);
      const names = [...own, ...allowed];
      const stories = storyLoader(sandbox, origin, options);
      const needsToken = sandbox.serveAt({
        origin,
        host,
        ownNames: names,
        controlToken,
        requireToken,
        stories,
      });
      // A step of a story compares its response with a schema.
      const ofStories = stories === undefined ? [] : [stories, () => RESPONSE_SCHEMAS];
      loadLater([...sandbox.loaders, loadPages, () => RESPONSES, ...ofStories], server);
      resolve({ origin, needsToken, close: (...grace) => close(server, closeListeners, ...grace) });
    });
  });
}

/** Returns what creates the player of stories once. The handlers of the server do not act on its requests. */
function storyLoader(
  sandbox: RequestHandlers & Pick<SandboxCore, 'options' | 'createStory' | 'endWorld'>,
  url: string,
  { createStories, controlToken }: ListenOptions,
): (() => Promise<StoryPlayer>) | undefined {
  if (createStories === undefined) return undefined;
  return loadOnce(async () => {
    // Loaded later, so that a sandbox starts sooner.
    const { createFetch } = await import('../in-process/fetch.ts');
    const { createClient } = await import('../../client/client.ts');
    const { signal } = new AbortController();
    return createStories({
      clientOf(world) {
        const handle: ApiHandler = request => sandbox.handle({ ...request, world });
        const fetch = createFetch(() => ({ ...sandbox, handle }), url, signal);
        return createClient({ url, controlToken, world, fetch });
      },
      createWorld: sandbox.createStory,
      endWorld: sandbox.endWorld,
      options: sandbox.options,
      wallClock: { sleep: ms => sleep(ms), elapsed: () => performance.now() },
      newText: () => randomBytes(24).toString('hex'),
    });
  });
}

/** By then a client that waited for the server has had its first response. */
const LOAD_AFTER_MS = 1_000;

/**
 * Loads the modules that requests may need, one loader per turn of the event loop, so that none of them has to open a
 * file for them: it could not when clients hold all file descriptors.
 */
function loadLater(loaders: readonly (() => unknown)[], server: Server): void {
  const loadAll = async () => {
    for (const load of loaders) {
      if (!server.listening) return;
      try {
        await load();
      } catch {
        // The request that needs it tries again, and reports the error.
      }
      await nextTurn();
    }
  };
  const timer = setTimeout(loadAll, LOAD_AFTER_MS);
  timer.unref();
  server.once('close', () => clearTimeout(timer));
}

/** Routes requests: API, control plane and the sandbox's own pages to the sandbox, all others to the Express pages. */
function requestListener(
  sandbox: SandboxCore,
  handleApi: ApiHandler,
  loadPages: () => Promise<RequestListener>,
  hostRule: HostRule,
  context: ServerContext,
): RequestListener {
  return (request, response) => {
    trackResponse(response);
    const { host } = context.recentHeaders.of(request);
    if (host === undefined && request.httpVersion === '1.1') {
      refuse(response, 400, 'header Host: is missing; HTTP/1.1 requires it');
      return;
    }
    const target = parseTarget(request.url ?? '/');
    const plane = planeOf(target.path);
    const problem = isProbe(request.method, target.path) ? null : hostProblem(host, plane, hostRule);
    if (problem !== null) {
      refuse(response, 400, problem);
      return;
    }
    if (plane === 'partner') respond(handleApi, target, request, response, context);
    else if (plane === 'control') {
      const signal = disconnectSignal(response);
      respond(each => sandbox.control({ ...each, signal }), target, request, response, context);
    } else if (sandbox.hasPage(target.path)) respond(sandbox.page, target, request, response, context);
    else {
      request.url = target.query === '' ? target.path : `${target.path}?${target.query}`;
      void loadPages().then(
        servePage => servePage(request, response),
        () => refuse(response, 500, 'the pages of this installation cannot be loaded'),
      );
    }
  };
}

/** A signal that is aborted when the connection of a response closes. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Whether a request asks whether the sandbox is up. Probes of containers call it by the address of the container. */
function isProbe(method: string | undefined, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && path === `${CONTROL_PREFIX}/health`;
}

/** HTTP/1.0 needs no `Host`. No browser omits it, so the API is answered without one; the control plane is not. */
function hostProblem(
  host: string | undefined,
  plane: ReturnType<typeof planeOf>,
  rule: HostRule,
): string | null {
  return host === undefined && plane === 'partner' ? null : rule(host ?? '');
}

function close(
  server: Server,
  closeListeners: ReadonlySet<() => void>,
  graceMs: number,
  hurry?: AbortSignal,
): Promise<void> {
  return new Promise(resolve => {
    const closeAll = () => server.closeAllConnections();
    const timer = setTimeout(closeAll, graceMs);
    hurry?.addEventListener('abort', closeAll);
    server.close(() => {
      clearTimeout(timer);
      hurry?.removeEventListener('abort', closeAll);
      resolve();
    });
    for (const notify of closeListeners) notify();
    server.closeIdleConnections();
  });
}

const isUnspecified = (host: string) => host === '0.0.0.0' || host === '::';

/**
 * The origin at which this machine reaches a listening server, for example `http://127.0.0.1:4242`. Throws for a server
 * that does not listen on a port.
 */
function originOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}

/** The names and addresses at which others reach a server that listens on a host, in lower case. */
function ownNames(host: string): string[] {
  if (!isUnspecified(host)) return [host.toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => address.toLowerCase())];
}
