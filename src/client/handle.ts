import type { Fetch } from './call.ts';
import { type Call, callThrough } from './call.ts';
import type { Client } from './client.ts';
import type {
  CardholderControl,
  ClockControl,
  FaultControl,
  KycControl,
  KycSessionControl,
  PartnerControl,
  RequestControl,
  ShareTokenRequest,
  Simulator,
} from './controls.ts';
import type { Assumption, ShareToken } from './records.ts';
import {
  type WebhookControl,
  type WebhookFaultControl,
  webhookControl,
  webhookFaultControl,
} from './webhook-control.ts';

/** A moment of a sandbox that can be gone back to, as often as is wanted. */
export interface Checkpoint {
  readonly name: string;
  /** Has the whole world as it was. */
  restore(): Promise<void>;
  /** Forgets it. */
  delete(): Promise<void>;
}

/** What drives a sandbox, wherever it runs. Refused calls reject with a RefusedError that has the status and says why. */
export interface Controls {
  readonly clock: ClockControl;
  readonly kyc: KycControl;
  readonly kycSessions: KycSessionControl;
  readonly cardholders: CardholderControl;
  readonly simulate: Simulator;
  readonly webhooks: WebhookControl;
  readonly webhookFaults: WebhookFaultControl;
  readonly faults: FaultControl;
  readonly requests: RequestControl;
  readonly partners: PartnerControl;
  /** The whole world as one JSON document, and back. */
  readonly state: {
    export(): Promise<Record<string, unknown>>;
    import(document: Readonly<Record<string, unknown>>): Promise<void>;
  };
  /** Mints a share token, as the donor partner would. */
  mintShareToken(given?: ShareTokenRequest): Promise<ShareToken>;
  /** Goes back to the world as it was at the start. */
  reset(): Promise<void>;
  /** Keeps the world as it is now, under a name or a made-up one. */
  checkpoint(name?: string): Promise<Checkpoint>;
  /** What the sandbox decides where the interface is silent. */
  assumptions(): Promise<Assumption[]>;
}

/** A sandbox as tests and programs hold it. */
export interface Sandbox extends Controls, AsyncDisposable {
  /** Where it is, for example `http://127.0.0.1:4242`; in process a name that no network has. */
  readonly url: string;
  /** Where its API is: `url` and the version segment. */
  readonly baseUrl: string;
  /** The key of the first partner. Throws while fixtures that are code are still being built; see `ready`. */
  readonly apiKey: string;
  /** Resolves once it answers; rejects when its fixtures cannot be used. Only fixtures that are code take time. */
  readonly ready: Promise<void>;
  /** Asks it as the global `fetch` asks a server; a path alone will do. In process nothing touches a network. */
  readonly fetch: Fetch;
  /** Ends it, or for one that runs elsewhere does nothing. May be called twice. */
  close(): Promise<void>;
}

/** Everything that drives the sandbox behind a client. */
export function createControls(client: Client, ready: Promise<unknown>): Controls {
  const call = callThrough(client, ready);
  let checkpoints = 0;
  return {
    ...timeAndPeople(call),
    ...spendingAndRecords(call),
    webhooks: webhookControl(call),
    webhookFaults: webhookFaultControl(call),
    state: {
      export: () => call('GET', '/state'),
      import: document => call('PUT', '/state', { body: document }),
    },
    reset: () => call('POST', '/reset'),
    async checkpoint(name = `checkpoint-${++checkpoints}`) {
      const path = `/checkpoints/${encodeURIComponent(name)}`;
      await call('POST', path);
      return { name, restore: () => call('POST', `${path}/restore`), delete: () => call('DELETE', path) };
    },
    assumptions: () => call('GET', '/assumptions'),
  };
}

function timeAndPeople(
  call: Call,
): Pick<Controls, 'clock' | 'mintShareToken' | 'kyc' | 'kycSessions' | 'cardholders'> {
  const get: ClockControl['get'] = () => call('GET', '/clock');
  const decide =
    (verb: 'approve' | 'reject'): KycControl['approve'] =>
    cardholderId =>
      call('POST', `/cardholders/${encodeURIComponent(cardholderId)}/kyc/${verb}`);
  const decideSession =
    (verb: 'approve' | 'reject'): KycSessionControl['approve'] =>
    (sessionId, given = {}) =>
      call('POST', `/kyc-sessions/${encodeURIComponent(sessionId)}/${verb}`, { body: given });
  return {
    clock: {
      get,
      now: async () => (await get()).now,
      advance: by =>
        call('POST', '/clock/advance', { body: { duration: typeof by === 'number' ? `${by}ms` : by } }),
      freeze: at => call('POST', '/clock/freeze', { body: { at } }),
      resume: () => call('POST', '/clock/resume'),
    },
    mintShareToken: (given = {}) => call('POST', '/share-tokens', { body: given }),
    kyc: { approve: decide('approve'), reject: decide('reject') },
    kycSessions: { approve: decideSession('approve'), reject: decideSession('reject') },
    cardholders: {
      get: id => call('GET', `/cardholders/${encodeURIComponent(id)}`),
      setStatus: (id, status) =>
        call('POST', `/cardholders/${encodeURIComponent(id)}/status`, { body: { status } }),
    },
  };
}

function spendingAndRecords(call: Call): Pick<Controls, 'simulate' | 'faults' | 'requests' | 'partners'> {
  const partner = (id: string) => `/partners/${encodeURIComponent(id)}`;
  const transaction = (id: string) => `/transactions/${encodeURIComponent(id)}`;
  return {
    simulate: {
      authorize: request => call('POST', '/transactions', { body: request }),
      settle: (id, given = {}) => call('POST', `${transaction(id)}/settle`, { body: given }),
      reverse: id => call('POST', `${transaction(id)}/reverse`),
      challenge: (cardId, given = {}) =>
        call('POST', `/cards/${encodeURIComponent(cardId)}/3ds`, { body: given }),
      verify: (id, otp) => call('POST', `/3ds/${encodeURIComponent(id)}/verify`, { body: { otp } }),
      topUp: given => call('POST', '/balance/top-up', { body: given }),
    },
    faults: {
      add: fault => call('POST', '/faults', { body: fault }),
      list: () => call('GET', '/faults'),
      remove: id => call('DELETE', `/faults/${encodeURIComponent(id)}`),
      clear: () => call('DELETE', '/faults'),
    },
    requests: {
      list: (filter = {}) => call('GET', '/requests', { query: filter }),
      get: id => call('GET', `/requests/${encodeURIComponent(id)}`),
      clear: () => call('DELETE', '/requests'),
    },
    partners: {
      list: () => call('GET', '/partners'),
      create: (given = {}) => call('POST', '/partners', { body: given }),
      settings: id => call('GET', `${partner(id)}/settings`),
      updateSettings: (id, change) => call('PATCH', `${partner(id)}/settings`, { body: change }),
      rotateKey: (id, given = {}) => call('POST', `${partner(id)}/keys/rotate`, { body: given }),
    },
  };
}
