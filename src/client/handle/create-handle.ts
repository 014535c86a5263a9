import { createApi } from '../api/api-client.ts';
import { callThrough, type Fetch } from '../call.ts';
import type { Client } from '../client.ts';
import { createControls, type Handle, type PartnerHandle, type Sandbox } from '../sandbox-handle.ts';
import type { PartnerKeys } from './partner-keys.ts';
import { scopedCall } from './partner-scope.ts';

/** How a handle reaches its sandbox. */
interface Connection {
  readonly client: Client;
  readonly fetch: Fetch;
  readonly keys: PartnerKeys;
  /** Calls wait for it, and reject when it does. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** The handle of the sandbox at a connection. */
export function createHandle(connection: Connection): Sandbox {
  const { client, fetch, keys, ready, close } = connection;
  const call = callThrough(client, ready);
  const shared = { url: client.url, baseUrl: client.baseUrl, fetch };
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
    close,
    [Symbol.asyncDispose]: close,
  });
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
