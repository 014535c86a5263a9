import type { DefinedFixture } from '../sandbox/fixtures/define/define-fixture.ts';
import { type Client, RefusedError, UnreachableError } from './client.ts';
import { type Controls, createControls } from './controls.ts';
import type { Api } from './generated/api.ts';
import type { ControlApi } from './generated/control-api.ts';
import type { NewWorldRequest, World } from './generated/records.ts';
import type { Fetch } from './http.ts';
import { type CallControl, controlMethods, createApi, createControlCall } from './operation-calls.ts';
import { type PartnerKeys, remoteKeys } from './partner-keys.ts';

/** What the handles of a sandbox and of one partner have in common. */
export interface Handle extends Controls {
  /** The address, for example `http://127.0.0.1:4242`. In process, `publicUrl` or a name that no network resolves. */
  readonly url: string;
  /** The base URL of the API: `url` and the version segment. */
  readonly baseUrl: string;
  /** The id of the world that all calls mean; `main` unless it was created or connected to as another. */
  readonly world: string;
  /**
   * The current API key of the partner: after `partners.rotateKey`, the new one. To test the grace period, read the key
   * before the rotation and keep it. Throws while it is not known; see `ready`.
   */
  readonly apiKey: string;
  /**
   * The operations of the API as methods, called with `apiKey`: `api.cards.issue({…})`. A refused call rejects with a
   * RefusedError that has the status, the code and the rule.
   */
  readonly api: Api;
  /** Resolves once the sandbox responds. Rejects when its fixtures are invalid. Only fixtures in code take time. */
  readonly ready: Promise<void>;
  /**
   * Sends a request as the global `fetch` does; a path is enough. Paths below `/_sandbox` belong to the world. In
   * process, no network is involved.
   */
  readonly fetch: Fetch;
}

/** The handle of one partner: its API key, and its id in every control call that takes one and names no other. */
export interface PartnerHandle extends Handle {
  readonly partnerId: string;
}

/** The options of a new world. Omitted options default to the server's. */
export interface CreateWorldOptions extends Omit<NewWorldRequest, 'fixtures' | 'from'> {
  /**
   * Built-in names, paths of YAML or JSON files, results of `defineFixture`, paths of modules that export one by
   * default, and objects with the content of a fixture file, merged in order. Files are read here, not by the server.
   */
  readonly fixtures?: readonly (string | DefinedFixture | Readonly<Record<string, unknown>>)[];
  /** The world to copy as it is now: its id, or a handle. */
  readonly from?: string | { readonly world: string };
}

/** The worlds of the server: sandboxes with a clock, records and API keys of their own. */
export interface WorldControl {
  /**
   * Creates a world. Resolves with its handle, whose `close()` ends it. Rejects with a FixtureError for fixtures that
   * cannot be used, and with a RefusedError for other options that the server refuses.
   */
  create(options?: CreateWorldOptions): Promise<Sandbox>;
  /** Resolves with all worlds, `main` first. */
  list(): Promise<World[]>;
  /** Resolves with a world, its partners and API keys. `connect` returns the handle of an existing one. */
  get(id: string): Promise<World>;
  /** Ends a world. Its webhooks in flight are cancelled, and its streams end. `main` never ends. */
  remove(id: string): Promise<void>;
}

/** The handle of a sandbox, for tests and programs. It means the first partner wherever a call names no other. */
export interface Sandbox extends Handle, AsyncDisposable {
  /**
   * A handle whose calls all mean one partner: its id, or what `partners.create()` returns. Clock, resets, checkpoints
   * and state still belong to the whole sandbox.
   */
  as(partner: string | { readonly id: string }): PartnerHandle;
  readonly worlds: WorldControl;
  /**
   * Stops the sandbox, and resolves once it has stopped and its state file, if any, is saved. For the handle of
   * `worlds.create` it ends that world, and for one of `connect` it does nothing. Further calls have no effect.
   */
  close(): Promise<void>;
}

interface Connection {
  readonly client: Client;
  readonly keys: PartnerKeys;
  /** Calls wait for it, and reject when it does. */
  readonly ready: Promise<void>;
  /** Converts the options of a new world to a request: reads and builds its fixtures. */
  readonly toWorldRequest: (options: CreateWorldOptions, client: Client) => Promise<NewWorldRequest>;
  close(): Promise<void>;
}

/** The symbol of `await using`. Node.js 20 lacks it in other realms, where compilers use the one with this key. */
const ASYNC_DISPOSE: typeof Symbol.asyncDispose = (Symbol.asyncDispose ??
  Symbol.for('Symbol.asyncDispose')) as typeof Symbol.asyncDispose;

export function createHandle(connection: Connection): Sandbox {
  const { client, keys, ready, close } = connection;
  const callFor = (partnerId?: string) =>
    createControlCall(client, {
      ready,
      partnerId,
      afterCall: async id => void (CHANGING_KEYS.has(id) && (await keys.refresh())),
    });
  const call = callFor();
  const open: Client['open'] = async request => {
    await ready;
    return client.open(request);
  };
  const { url, baseUrl, world, fetch } = client;
  const shared = { url, baseUrl, world, fetch };
  const whole: Handle = {
    ...createControls(call, open),
    ...shared,
    api: createApi(client, () => keys.find()),
    ready,
    get apiKey() {
      return keys.known() ?? '';
    },
  };
  return Object.assign(whole, {
    as(partner: string | { readonly id: string }): PartnerHandle {
      const partnerId = idOf(partner);
      const find = () => keys.find(partnerId);
      return {
        ...createControls(callFor(partnerId), open),
        checkpoint: whole.checkpoint,
        ...shared,
        partnerId,
        api: createApi(client, find),
        get ready() {
          return find().then(() => undefined);
        },
        get apiKey() {
          return keys.known(partnerId) ?? keyOf(partner);
        },
      };
    },
    worlds: worldControl(connection, call),
    close,
    [ASYNC_DISPOSE]: close,
  });
}

/** The calls after which a partner may have another key. They resolve once the handle knows it. */
const CHANGING_KEYS: ReadonlySet<keyof ControlApi> = new Set([
  'partners.rotateKey',
  'reset',
  'checkpoints.restore',
  'history.rewind',
  'state.put',
]);

function worldControl({ client, toWorldRequest }: Connection, call: CallControl): WorldControl {
  return {
    ...controlMethods(call, { list: 'worlds.list', get: 'worlds.get', remove: 'worlds.remove' }),
    async create(options = {}) {
      const { id, partners } = await call('worlds.create', await toWorldRequest(options, client));
      const worldClient = client.inWorld(id);
      let closed: Promise<void> | undefined;
      return createHandle({
        client: worldClient,
        keys: remoteKeys(worldClient, partners),
        ready: Promise.resolve(),
        toWorldRequest,
        close: () => (closed ??= call('worlds.remove', id).catch(ignoreEnded)),
      });
    },
  };
}

/** Ignores that a world has ended already, by itself or with its server. */
function ignoreEnded(error: unknown): void {
  const hasEnded =
    error instanceof UnreachableError || (error instanceof RefusedError && error.status === 404);
  if (!hasEnded) throw error;
}

/** Returns the id of a partner. Throws a TypeError for anything else that JavaScript may pass. */
function idOf(partner: unknown): string {
  const id = typeof partner === 'object' && partner !== null && 'id' in partner ? partner.id : partner;
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError('as: must get the id of a partner, or what partners.create() returns');
}

function keyOf(partner: string | { readonly id: string; readonly apiKey?: unknown }): string {
  if (typeof partner === 'object' && typeof partner.apiKey === 'string') return partner.apiKey;
  const id = typeof partner === 'object' ? partner.id : partner;
  throw new Error(
    `the API key of ${JSON.stringify(id)} is not known; await ready, which rejects when there is no such partner`,
  );
}
