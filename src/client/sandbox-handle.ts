import type { DefinedFixture } from '../sandbox/fixtures/define/define-fixture.ts';
import type { Call, Fetch } from './call.ts';
import { type ClockControl, clockControl } from './clock-control.ts';
import {
  type FaultControl,
  faultControl,
  type WebhookFaultControl,
  webhookFaultControl,
} from './fault-control.ts';
import type { Api } from './generated/api.ts';
import type {
  Assumption,
  NewWorldRequest,
  ShareToken,
  ShareTokenRequest,
  World,
} from './generated/records.ts';
import { type HistoryControl, historyControl } from './handle/history-control.ts';
import { type PartnerControl, partnerControl } from './partner-control.ts';
import {
  type CardholderControl,
  cardholderControl,
  type KycControl,
  type KycSessionControl,
  kycControl,
  kycSessionControl,
} from './people-control.ts';
import { type RequestControl, requestControl } from './request-control.ts';
import { type Simulator, simulator } from './simulator.ts';
import { type WebhookControl, webhookControl } from './webhook-control.ts';

/** A saved state of a sandbox. It can be restored any number of times. */
export interface Checkpoint {
  readonly name: string;
  /** Sets the whole world back to the state that was saved. */
  restore(): Promise<void>;
  /** Deletes the checkpoint. */
  delete(): Promise<void>;
}

/**
 * The controls of a sandbox, wherever it runs. Each call resolves once its change is made. It rejects with a
 * RefusedError, which has the status and the reason, when the sandbox refuses it, and with an UnreachableError when no
 * sandbox responds.
 */
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
  readonly history: HistoryControl;
  readonly partners: PartnerControl;
  /** Exports the whole world as one JSON document, and imports it again. */
  readonly state: {
    export(): Promise<Record<string, unknown>>;
    import(document: Readonly<Record<string, unknown>>): Promise<void>;
  };
  /** Mints a share token, as the donor partner would. */
  mintShareToken(request?: ShareTokenRequest): Promise<ShareToken>;
  /** Sets the world back to its state at the start. */
  reset(): Promise<void>;
  /** Saves the current state under a name, by default a generated one that no other checkpoint of the sandbox has. */
  checkpoint(name?: string): Promise<Checkpoint>;
  /** Resolves with the register of assumptions: what the sandbox decides where the interface is silent. */
  assumptions(): Promise<Assumption[]>;
}

/** What the handle of a sandbox and that of one partner have in common. */
export interface Handle extends Controls {
  /** The address, for example `http://127.0.0.1:4242`. In process, a name that no network resolves. */
  readonly url: string;
  /** The base URL of the API: `url` and the version segment. */
  readonly baseUrl: string;
  /** The id of the world that all calls mean; `main` unless it was created or connected to as another. */
  readonly world: string;
  /** The API key of the partner. Throws while it is not known; see `ready`. */
  readonly apiKey: string;
  /**
   * The operations of the API as methods, called with `apiKey`: `api.cards.issue({…})`. A refused call rejects with a
   * RefusedError that has the status, the code and the rule.
   */
  readonly api: Api;
  /** Resolves once the sandbox responds. Rejects when its fixtures are invalid. Only fixtures in code take time. */
  readonly ready: Promise<void>;
  /**
   * Sends a request as the global `fetch` does; a path is enough. Paths below `/_sandbox` are those of the world. In
   * process, no network is involved.
   */
  readonly fetch: Fetch;
}

/** The handle of one partner: its API key, and its id in every control call that takes one and names no other. */
export interface PartnerHandle extends Handle {
  readonly partnerId: string;
}

/** The options of a new world. What is left out is as the server was started. */
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
   * and state remain those of the whole sandbox.
   */
  as(partner: string | { readonly id: string }): PartnerHandle;
  readonly worlds: WorldControl;
  /**
   * Stops the sandbox, and resolves once it has stopped and its state file, if any, is saved. For the handle of
   * `worlds.create` it ends that world, and for one of `connect` it does nothing. Further calls have no effect.
   */
  close(): Promise<void>;
}

/** The controls of the sandbox behind `call`. */
export function createControls(call: Call): Controls {
  return {
    clock: clockControl(call),
    kyc: kycControl(call),
    kycSessions: kycSessionControl(call),
    cardholders: cardholderControl(call),
    simulate: simulator(call),
    webhooks: webhookControl(call),
    webhookFaults: webhookFaultControl(call),
    faults: faultControl(call),
    requests: requestControl(call),
    history: historyControl(call),
    partners: partnerControl(call),
    state: {
      export: () => call('GET', '/state'),
      import: document => call('PUT', '/state', { body: document }),
    },
    mintShareToken: (request = {}) => call('POST', '/share-tokens', { body: request }),
    reset: () => call('POST', '/reset'),
    async checkpoint(requested) {
      const body = { name: requested };
      const { name } = await call<{ readonly name: string }>('POST', '/checkpoints', { body });
      const path = `/checkpoints/${encodeURIComponent(name)}`;
      return { name, restore: () => call('POST', `${path}/restore`), delete: () => call('DELETE', path) };
    },
    assumptions: () => call('GET', '/assumptions'),
  };
}
