import { URL } from 'node:url';
import { createClient } from '../../client/client.ts';
import type { Sandbox } from '../../client/handle.ts';
import { createHandle } from '../../client/handle.ts';
import type { Fetch } from '../../client/http.ts';
import { currentKeys, remoteKeys } from '../../client/partner-keys.ts';
import { isObject } from '../../core/request/input.ts';
import { AbortController, requireNetwork, requireOwnTimers } from '../../core/values/builtins.ts';
import { parseUrl } from '../../core/values/parse-url.ts';
import { withConfig } from '../../sandbox/config.ts';
import {
  buildFixtures,
  needsBuilding,
  toFixtureOption,
} from '../../sandbox/fixtures/define/build-fixtures.ts';
import type { LoadableFixture } from '../../sandbox/fixtures/define/built-fixture.ts';
import { OPTIONS } from '../../sandbox/options.ts';
import { createSandboxCore, type SandboxCore } from '../../sandbox/sandbox.ts';
import { networkFetch } from '../../sandbox/transport/fetch-api.ts';
import { createListenerTransport } from '../../sandbox/transport/listener-transport.ts';
import { createReceiverTransport } from '../../sandbox/transport/receiver-transport.ts';
import { type CreateStories, serve } from '../http/server.ts';
import { newControlToken, newSecretKey } from '../http/server-secrets.ts';
import {
  checkConnectOptions,
  checkListenOptions,
  checkSandboxOptions,
  listenError,
} from './check-options.ts';
import { createFetch, networkError } from './fetch.ts';
import { ownDisturbance } from './own-disturbance.ts';
import { ownRecords } from './own-records.ts';
import type { ConnectOptions, SandboxOptions, ServerOptions } from './sandbox-options.ts';
import { toWorldRequest } from './world-request.ts';

/** The URL of a sandbox that does not listen and has no public URL, with a name that no network resolves. */
const IN_PROCESS_URL = 'http://card-sandbox.test';
const DEFAULT_URL = 'http://127.0.0.1:4242';
/** Wall time for requests in flight to finish when a server closes. */
const GRACE_MS = 1_000;

export interface Tools {
  /** Plays stories in those that listen. */
  readonly createStories?: CreateStories;
}

/** Creates a sandbox in this process, without a port. See `src/index.ts`. */
export function createSandbox(given: SandboxOptions): Sandbox {
  requireOwnTimers();
  checkSandboxOptions(given, { listens: false });
  const { freeze = true, ...options } = withConfig(given);
  const { publicUrl = IN_PROCESS_URL } = options;
  // A public URL that is not valid is refused below.
  const { origin, hostname } = parseUrl(publicUrl) ?? new URL(IN_PROCESS_URL);
  const serveInProcess = (core: SandboxCore) => {
    core.serveAt({ origin, host: null, ownNames: [hostname], controlToken: '' });
    return core;
  };
  const starting = startCore({ ...options, freeze });
  const core = starting instanceof Promise ? starting.then(serveInProcess) : serveInProcess(starting);
  return embed(core, { url: origin, close: () => Promise.resolve() });
}

/** Starts a sandbox in this process that listens on a port. See `src/index.ts`. */
export async function startServer(options: ServerOptions, tools: Tools): Promise<Sandbox> {
  requireOwnTimers();
  requireNetwork('sockets');
  checkSandboxOptions(options, { listens: true });
  const {
    port = 0,
    host: givenHost = '127.0.0.1',
    allowHost,
    trustProxy = false,
    controlToken = newControlToken(),
    ...given
  } = options;
  const sandboxOptions = withConfig(given);
  const host = checkListenOptions({ port, host: givenHost, allowHost, trustProxy, controlToken });
  const core = await startCore(sandboxOptions, newSecretKey(sandboxOptions.seed));
  const { createStories } = tools;
  const listen = { port, host, allowHost, trustProxy, controlToken, createStories };
  const server = await serve(core, listen).catch(error => {
    core.stop();
    throw listenError(error, port, host);
  });
  return embed(core, { url: server.origin, controlToken, close: () => server.close(GRACE_MS) });
}

/**
 * Connects to a sandbox that runs elsewhere, for example one that `card-sandbox start` started, or to one of its worlds.
 * Without options, to the one of the environment that `exec` and `env` set. Resolves once it has responded. Rejects with an
 * UnreachableError when no sandbox responds, with a RefusedError when it requires another control token or has no such
 * world, and with an OptionError for a URL that is not one.
 *
 * @example
 * const sandbox = await connect();
 * const world = await sandbox.worlds.create({ fixtures: ['starter'], freeze: true });
 */
export async function connect(options: ConnectOptions = {}): Promise<Sandbox> {
  requireNetwork('fetch');
  checkConnectOptions(options);
  const address = withEnvironment(options, process.env);
  // The variable may hold anything.
  checkConnectOptions(address);
  const client = createClient({ ...address, fetch: networkFetch });
  const { partners } = await client.info();
  return createHandle({
    client,
    keys: remoteKeys(client, partners),
    ready: Promise.resolve(),
    toWorldRequest,
    close: () => Promise.resolve(),
  });
}

/** Fills in the address of the environment. Its world and its token belong to its URL, and to no other. */
function withEnvironment(
  { url, world, controlToken }: ConnectOptions,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const own = environment.CARD_SANDBOX_URL || DEFAULT_URL;
  const isOwn = url === undefined || parseUrl(url)?.origin === originOf(own);
  const given = (name: string) => (isOwn && environment[name]) || undefined;
  return {
    url: url ?? own,
    world: world ?? given('CARD_SANDBOX_WORLD'),
    controlToken: controlToken ?? given('CARD_SANDBOX_CONTROL_TOKEN'),
  };
}

function originOf(url: string): string | null {
  return parseUrl(url)?.origin ?? null;
}

/** Creates the core of a sandbox. Returns a promise only when there are fixtures in code. */
function startCore(
  { fixtures, webhookReceiver, webhookListener, ...options }: SandboxOptions,
  secretKey?: string,
): SandboxCore | Promise<SandboxCore> {
  if (webhookListener !== undefined) requireNetwork('sockets');
  const hooks = {
    records: ownRecords(options, process.env),
    disturbance: ownDisturbance(process.env),
    secretKey,
    ...(webhookReceiver && { transport: createReceiverTransport(webhookReceiver) }),
    ...(webhookListener && { transport: createListenerTransport(webhookListener) }),
  };
  const start = (built?: readonly LoadableFixture[]) =>
    createSandboxCore({ ...options, ...(built && { fixtures: built }) }, hooks);
  const all = fixtures?.map((each, index) => (isObject(each) ? toFixtureOption(each, index) : each));
  if (all?.some(needsBuilding)) return buildFixtures(all, options.seed ?? OPTIONS.seed.initial).then(start);
  // Fixtures that are not code need no building.
  return start(all as readonly LoadableFixture[] | undefined);
}

interface Endpoint {
  readonly url: string;
  readonly controlToken?: string;
  close(): Promise<void>;
}

/** The handle of a sandbox in this process. Its calls bypass the network, which tests may intercept. */
function embed(
  starting: SandboxCore | Promise<SandboxCore>,
  { url, controlToken, close }: Endpoint,
): Sandbox {
  const closing = new AbortController();
  let core: SandboxCore | undefined;
  let closed: Promise<void> | undefined;
  const setCore = (started: SandboxCore) => {
    core = started;
    if (closing.signal.aborted) started.stop();
  };
  const ready = starting instanceof Promise ? starting.then(setCore) : Promise.resolve(setCore(starting));
  // Every call rejects with the same error, so it need not be handled here.
  ready.catch(() => undefined);
  const fetchNow = createFetch(() => requireCore(core), url, closing.signal);
  const fetchWhenReady: Fetch = (input, init) => ready.then(() => fetchNow(input, init));
  const client = createClient({ url, controlToken, fetch: fetchWhenReady });
  const stop = async () => {
    closing.abort(networkError('the sandbox is closed'));
    await close();
    try {
      await core?.saveState();
    } finally {
      core?.stop();
    }
  };
  return createHandle({
    client,
    keys: currentKeys(() => requireCore(core).partners(), ready),
    ready,
    toWorldRequest,
    close: () => (closed ??= stop()),
  });
}

function requireCore(core: SandboxCore | undefined): SandboxCore {
  if (core !== undefined) return core;
  throw new Error('the fixtures of this sandbox are still being built; await sandbox.ready first');
}
