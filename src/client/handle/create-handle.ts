import { createApi } from '../api/api-client.ts';
import { type Call, callThrough } from '../call.ts';
import { type Client, RefusedError, UnreachableError } from '../client.ts';
import type { NewWorldRequest, World } from '../generated/records.ts';
import {
  type CreateWorldOptions,
  createControls,
  type Handle,
  type PartnerHandle,
  type Sandbox,
  type WorldControl,
} from '../sandbox-handle.ts';
import { type PartnerKeys, remoteKeys } from './partner-keys.ts';
import { scopedCall } from './partner-scope.ts';

/** How a handle reaches its sandbox. */
interface Connection {
  readonly client: Client;
  readonly keys: PartnerKeys;
  /** Calls wait for it, and reject when it does. */
  readonly ready: Promise<void>;
  /** Converts the options of a new world to a request: reads and builds its fixtures. */
  readonly toWorldRequest: (options: CreateWorldOptions, client: Client) => Promise<NewWorldRequest>;
  close(): Promise<void>;
}

/** The handle of the sandbox at a connection. */
export function createHandle(connection: Connection): Sandbox {
  const { client, keys, ready, close } = connection;
  const call = callThrough(client, ready);
  const { url, baseUrl, world, fetch } = client;
  const shared = { url, baseUrl, world, fetch };
  const whole: Handle = {
    ...createControls(call),
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
        ...createControls(scopedCall(call, partnerId)),
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
    [Symbol.asyncDispose]: close,
  });
}

/** The worlds of the server at a connection. */
function worldControl({ client, toWorldRequest }: Connection, call: Call): WorldControl {
  const path = (id: string) => `/worlds/${encodeURIComponent(id)}`;
  const remove: WorldControl['remove'] = id => call('DELETE', path(id));
  return {
    async create(options = {}) {
      const body = await toWorldRequest(options, client);
      const { id, partners } = await call<World>('POST', '/worlds', { body });
      const worldClient = client.inWorld(id);
      let closed: Promise<void> | undefined;
      return createHandle({
        client: worldClient,
        keys: remoteKeys(worldClient, partners),
        ready: Promise.resolve(),
        toWorldRequest,
        close: () => (closed ??= remove(id).catch(ignoreEnded)),
      });
    },
    list: () => call('GET', '/worlds'),
    get: id => call('GET', path(id)),
    remove,
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
