import type { Fetch } from '../../client/call.ts';
import { createClient } from '../../client/client.ts';
import { createControls, type Sandbox } from '../../client/sandbox-handle.ts';
import { buildFixtures, type FixtureOption, isCode } from '../../fixtures/define/build.ts';
import type { FixtureGiven } from '../../fixtures/define/built.ts';
import type { DefinedFixture } from '../../fixtures/define/define.ts';
import { type CoreOptions, DEFAULT_SEED } from '../../sandbox/options.ts';
import { type SandboxCore as Core, createSandboxCore as createCore } from '../../sandbox/sandbox.ts';
import { createReceiverTransport, type WebhookReceiver } from '../../transport/receiver-transport.ts';
import { newControlToken } from '../http/control-token.ts';
import { serve } from '../http/server.ts';
import { createFetch } from './fetch.ts';

/** Where a sandbox is that does not listen: a name that no network has. */
const NOWHERE = 'http://card-sandbox.test';
/** How long what is in flight may take to finish when a server closes. */
const GRACE_MS = 1_000;

/** What a sandbox can be told; everything has a default. */
export interface SandboxOptions extends Omit<CoreOptions, 'fixtures'> {
  /**
   * What the world holds: built-in names, paths of YAML or JSON files, what `defineFixture` returns, and paths of
   * modules that export it by default; merged in order. Default: `starter`.
   */
  readonly fixtures?: readonly (string | DefinedFixture)[] | undefined;
  /** Takes all webhooks in, in place of the network, whatever their URL is. */
  readonly webhookReceiver?: WebhookReceiver | undefined;
}

/** What a served sandbox can be told beyond that. */
export interface ServerOptions extends SandboxOptions {
  /** Default: 0, which picks a free one. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Takes the caller's address from X-Forwarded-For. Default: false. */
  readonly trustProxy?: boolean | undefined;
  /** Guards the control plane when the host is not loopback. Default: made up. */
  readonly controlToken?: string | undefined;
}

/** Where a running sandbox is. */
export interface ConnectOptions {
  /** For example `http://127.0.0.1:4242`. */
  readonly url: string;
  /** Needed when the sandbox listens beyond loopback. */
  readonly controlToken?: string | undefined;
}

/**
 * A sandbox in this process, without a port, whose clock stands still unless `freeze: false` lets it run. It is there
 * at once; awaiting it does no harm. Throws an OptionError, a FixtureError or a StateFileError for what cannot be
 * used; mistakes in fixtures that are code reject `ready` and every call instead.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settle = (core: Core) => {
    core.serveAt({ origin: NOWHERE, host: null, ownNames: [new URL(NOWHERE).hostname], controlToken: '' });
    return core;
  };
  const starting = startCore({ ...options, freeze: options.freeze ?? true });
  const core = starting instanceof Promise ? starting.then(settle) : settle(starting);
  return embed(core, { url: NOWHERE, close: () => Promise.resolve() });
}

/** A sandbox in this process that listens on a port. Rejects where `createSandbox` throws, and when it cannot listen. */
export async function startServer(options: ServerOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    host = '127.0.0.1',
    trustProxy = false,
    controlToken = newControlToken(),
    ...own
  } = options;
  const core = await startCore(own);
  const server = await serve(core, { port, host, trustProxy, controlToken }).catch(error => {
    core.stop();
    throw error;
  });
  return embed(core, { url: server.origin, controlToken, close: () => server.close(GRACE_MS) });
}

/** The handle of a sandbox that runs elsewhere, such as one that `card-sandbox start` has started. */
export async function connect({ url, controlToken }: ConnectOptions): Promise<Sandbox> {
  const client = createClient({ url, controlToken });
  const { partners } = await client.info();
  const ready = Promise.resolve();
  const nothing = () => Promise.resolve();
  return {
    ...createControls(client, ready),
    url: client.url,
    baseUrl: client.baseUrl,
    apiKey: partners[0]?.apiKey ?? '',
    ready,
    fetch: (input, init) => fetch(typeof input === 'string' ? new URL(input, client.url) : input, init),
    close: nothing,
    [Symbol.asyncDispose]: nothing,
  };
}

/** Begins a world; a promise only where fixtures are code. */
function startCore({ fixtures, webhookReceiver, ...options }: SandboxOptions): Core | Promise<Core> {
  const transport = webhookReceiver && { transport: createReceiverTransport(webhookReceiver) };
  const start = (ready?: readonly FixtureGiven[]) =>
    createCore({ ...options, ...(ready && { fixtures: ready }) }, { ...transport });
  const given: readonly FixtureOption[] = fixtures ?? [];
  if (!given.some(isCode)) return start(fixtures as readonly FixtureGiven[] | undefined);
  return buildFixtures(given, options.seed ?? DEFAULT_SEED).then(start);
}

/** Where a sandbox answers, and how that ends. */
interface Place {
  readonly url: string;
  readonly controlToken?: string;
  close(): Promise<void>;
}

/** The handle of a sandbox in this process. What drives it goes past the network, which others may intercept. */
function embed(starting: Core | Promise<Core>, { url, controlToken, close }: Place): Sandbox {
  const closing = new AbortController();
  const running: { core?: Core; closed?: Promise<void> } = {};
  const begin = (core: Core) => {
    running.core = core;
    if (closing.signal.aborted) core.stop();
  };
  const ready = starting instanceof Promise ? starting.then(begin) : Promise.resolve(begin(starting));
  // Whoever asks the sandbox hears of it.
  ready.catch(() => undefined);
  const ask = createFetch(() => begun(running.core), url, closing.signal);
  const answer: Fetch = (input, init) => ready.then(() => ask(input, init));
  const client = createClient({ url, controlToken, fetch: answer });
  const end = async () => {
    closing.abort();
    await close();
    running.core?.stop();
    running.core?.saveState();
  };
  const closeOnce = () => (running.closed ??= end());
  return {
    ...createControls(client, ready),
    url,
    baseUrl: client.baseUrl,
    get apiKey() {
      return begun(running.core).partners()[0]?.apiKey ?? '';
    },
    ready,
    fetch: answer,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

function begun(core: Core | undefined): Core {
  if (core !== undefined) return core;
  throw new Error('the fixtures of this sandbox are still being built; await sandbox.ready first');
}
