import { createServer, type Server } from 'node:http';
import { planeOf, type SandboxCore } from '../../sandbox/sandbox.ts';
import type { ApiAnswers, Handlers } from '../in-process/handlers.ts';
import { originOf, ownNames } from './address.ts';
import {
  type Connections,
  type Listener,
  parseTarget,
  refuse,
  refuseMalformed,
  refuseRaw,
  respond,
} from './node-http.ts';
import { Outbox } from './outbox.ts';
import { trackResponse } from './pending-responses.ts';

/** Where and how a sandbox is served. */
export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Takes the caller's address from X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Guards the control plane when the host is not loopback. */
  readonly controlToken: string;
  /** Asked before the sandbox answers a request to the API. */
  readonly handlers?: Handlers | undefined;
}

/** A sandbox that answers over HTTP. */
export interface RunningServer {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** Whether the control plane asks for its token. */
  readonly needsToken: boolean;
  /** Stops accepting, lets what is in flight finish, and closes what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Serves a sandbox over HTTP; resolves once it listens, and rejects when it cannot (a busy port, say). */
export function serve(sandbox: SandboxCore, options: ListenOptions): Promise<RunningServer> {
  const endings = new Set<() => void>();
  let origin = '';
  const api = options.handlers?.before(sandbox, () => origin) ?? sandbox.handle;
  const server: Server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      // Node would answer with an empty body; the listener refuses it in our words.
      requireHostHeader: false,
    },
    listener(sandbox, api, {
      trustProxy: options.trustProxy,
      outbox: new Outbox(),
      isClosing: () => !server.listening,
      whenClosing(task) {
        endings.add(task);
        return () => endings.delete(task);
      },
      bodyLimit: sandbox.bodyLimit,
    }),
  );
  server.on('clientError', refuseMalformed);
  server.on('connect', (_request, socket) =>
    refuseRaw(socket, '400 Bad Request', 'CONNECT is not supported'),
  );
  server.on('checkExpectation', (_request, response) => {
    refuse(response, 417, 'header Expect: only 100-continue can be met');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      origin = originOf(server, options.host);
      const { host, controlToken } = options;
      const needsToken = sandbox.serveAt({ origin, host, ownNames: ownNames(host), controlToken });
      resolve({ origin, needsToken, close: graceMs => close(server, endings, graceMs) });
    });
  });
}

/** Sends each request where it is answered: API, control plane and pages to the sandbox, the rest to the site around them. */
function listener(sandbox: SandboxCore, api: ApiAnswers, connections: Connections): Listener {
  let pages: Promise<Listener> | undefined;
  return (request, response) => {
    trackResponse(response);
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(response, 400, 'header Host: is missing; HTTP/1.1 requires it');
      return;
    }
    const target = parseTarget(request.url ?? '/');
    const plane = planeOf(target.path);
    if (plane === 'partner') respond(api, target, request, response, connections);
    else if (plane === 'control') respond(sandbox.control, target, request, response, connections);
    else if (sandbox.hasPage(target.path)) respond(sandbox.page, target, request, response, connections);
    else {
      // Loaded when first asked for, so that a sandbox that only serves the API starts sooner.
      request.url = target.query === '' ? target.path : `${target.path}?${target.query}`;
      pages ??= import('../pages/pages.ts').then(module => module.createPages(sandbox));
      void pages.then(
        serve => serve(request, response),
        () => refuse(response, 500, 'the pages of this installation cannot be loaded'),
      );
    }
  };
}

function close(server: Server, endings: ReadonlySet<() => void>, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const end of endings) end();
    server.closeIdleConnections();
  });
}
