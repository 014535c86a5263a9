import { text } from 'node:stream/consumers';
import type { Duration } from '../core/values/duration.ts';
import type { Client } from './client.ts';
import type {
  ApiMethod,
  ApiOperation,
  ApiPath,
  Assumption,
  CardholderDetails,
  CardholderStatus,
  ClockState,
  Coverage,
  Fault,
  FaultInput,
  HistoryEntry,
  JournalEntry,
  KycRejection,
  KycSession,
  KycSessionDecision,
  KycSessionRejection,
  NewPartner,
  NewPartnerRequest,
  Partner,
  PartnerSettings,
  RejectedKycSession,
  Rewound,
  RotatedKey,
  RotateKeyRequest,
  ShareToken,
  ShareTokenRequest,
  WebhookFault,
  WebhookFaultInput,
} from './generated/records.ts';
import { type CallControl, controlMethods } from './operation-calls.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { createWebhookControl, type WebhookControl } from './webhook-control.ts';

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
  /** Saves the current state under a name, by default `checkpoint-` and a number that no other checkpoint has. */
  checkpoint(name?: string): Promise<Checkpoint>;
  /** Resolves with the register of assumptions: what the sandbox decides where the interface is silent. */
  assumptions(): Promise<Assumption[]>;
  /** Resolves with the conditions of the interface, and how often the world has seen each since its start. */
  coverage(): Promise<Coverage>;
}

/** The sandbox clock: time travel. */
export interface ClockControl {
  /** Resolves with the current time of the sandbox, ISO 8601. */
  now(): Promise<string>;
  /** Resolves with the time, the mode and the number of pending timers. */
  get(): Promise<ClockState>;
  /**
   * Advances the clock by a duration such as `24h` or `90s`, or by a number of milliseconds. Resolves when everything
   * that fell due on the way has run.
   *
   * @example
   * await sandbox.clock.advance('2s');
   */
  advance(by: Duration | number): Promise<ClockState>;
  /** Freezes the clock, at its current time or at another one. */
  freeze(at?: string | Date): Promise<ClockState>;
  /** Lets a frozen clock run with wall time again. */
  resume(): Promise<ClockState>;
}

/** Decisions about KYC submissions in flight. */
export interface KycControl {
  /** Approves the submission of a cardholder. */
  approve(cardholderId: string): Promise<CardholderDetails>;
  /** Rejects the submission of a cardholder, with reasons that neither the API nor webhooks contain. */
  reject(cardholderId: string, rejection?: KycRejection): Promise<CardholderDetails>;
}

/** Decisions about KYC sessions, as the person on the hosted page would make them. */
export interface KycSessionControl {
  /** Approves a session. The sandbox makes up what the decision leaves out of the identity. */
  approve(sessionId: string, decision?: KycSessionDecision): Promise<KycSession>;
  /** Rejects a session, with reasons that neither the API nor webhooks contain. */
  reject(sessionId: string, rejection?: KycSessionRejection): Promise<RejectedKycSession>;
}

/** What the API neither shows nor changes about cardholders. */
export interface CardholderControl {
  /** Resolves with a cardholder, including address, KYC state and lock reason. */
  get(id: string): Promise<CardholderDetails>;
  /** Suspends, reactivates or closes a cardholder. */
  setStatus(id: string, status: CardholderStatus): Promise<CardholderDetails>;
}

/** Which faults are meant: those limited to one partner. Default: all. */
export interface FaultScope {
  readonly partnerId?: string;
}

/**
 * One of the names, or a text that is known at run time only, also in part. A literal that is not one of the names does not
 * compile, so that a typing error is found before the sandbox refuses it.
 */
export type KnownText<Text extends string, Names extends string> = string extends Text
  ? Text
  : // A literal is a key that an empty object lacks; a template with a variable is an index signature.
    Record<never, never> extends Record<Text, unknown>
    ? Text
    : Names;

/** Faults of the API: errors, delays and lost connections on demand. */
export interface FaultControl {
  /**
   * Adds a fault, which applies to matching requests from now on.
   *
   * @example
   * await sandbox.faults.add({ path: '/partner/cards/{id}/freeze', status: 503, times: 1 });
   */
  add<Path extends string, Method extends string>(
    fault: FaultInput & {
      readonly path?: KnownText<Path, ApiPath | `/v1${ApiPath}`>;
      readonly method?: KnownText<Method, ApiMethod | Lowercase<ApiMethod>>;
    },
  ): Promise<Fault>;
  /** Resolves with all faults and how often each has applied. */
  list(scope?: FaultScope): Promise<Fault[]>;
  /** Removes a fault. */
  remove(id: string): Promise<void>;
  /** Removes all faults, or all of one partner. */
  clear(scope?: FaultScope): Promise<void>;
}

/** Faults of webhook deliveries. */
export interface WebhookFaultControl {
  /** Adds a fault, which applies to matching deliveries from now on. */
  add(fault: WebhookFaultInput): Promise<WebhookFault>;
  /** Resolves with all webhook faults and how often each has applied. */
  list(scope?: FaultScope): Promise<WebhookFault[]>;
  /** Removes a webhook fault. */
  remove(id: string): Promise<void>;
  /** Removes all webhook faults, or all of one partner. */
  clear(scope?: FaultScope): Promise<void>;
}

/** Which requests to return; an omitted member matches all. */
export interface RequestFilter {
  /** As called, with or without `/v1`, or as a pattern with `{id}`. */
  readonly path?: ApiPath | (string & {});
  readonly method?: ApiMethod | (string & {});
  /** HTTP status of the response, or a class of them. */
  readonly status?: number | '1xx' | '2xx' | '3xx' | '4xx' | '5xx';
  readonly partnerId?: string;
  /** Id of the operation, such as `cards.issue`. */
  readonly operation?: ApiOperation | (string & {});
  /** Earliest sandbox time, inclusive, ISO 8601. */
  readonly since?: string;
}

/** A path as a pattern, or as it was called: with an id where the pattern has `{id}`. */
type CalledPath<Pattern extends string> = Pattern extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Tail}`
  : Pattern;

/** Methods of requests, also of those that no operation has. */
type CalledMethod = ApiMethod | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PUT';

/** A filter whose operation, path and method exist, as far as the compiler knows them. */
type KnownFilter<Operation extends string, Path extends string, Method extends string> = RequestFilter & {
  readonly operation?: KnownText<Operation, ApiOperation>;
  readonly path?: KnownText<Path, CalledPath<ApiPath | `/v1${ApiPath}`>>;
  readonly method?: KnownText<Method, CalledMethod | Lowercase<CalledMethod>>;
};

/** The journal: the requests to the API, and what decided each response. */
export interface RequestControl {
  /** Resolves with the last 1,000 requests that match, newest first, or with at most `limit` of them. */
  list<Operation extends string, Path extends string, Method extends string>(
    filter?: KnownFilter<Operation, Path, Method> & { readonly limit?: number },
  ): Promise<JournalEntry[]>;
  /**
   * Resolves with the number of requests that match, of the last 1,000.
   *
   * @example
   * const issued = await sandbox.requests.count({ operation: 'cards.issue', status: '2xx' });
   */
  count<Operation extends string, Path extends string, Method extends string>(
    filter?: KnownFilter<Operation, Path, Method>,
  ): Promise<number>;
  /** Resolves with one request. */
  get(id: string): Promise<JournalEntry>;
  /** Empties the journal, or removes the requests of one partner. */
  clear(filter?: { readonly partnerId?: string }): Promise<void>;
}

/** The history of a world: what was done to it from outside, and the way back. */
export interface HistoryControl {
  /** Resolves with the last 1,000 entries, newest first, or with at most `limit` of them. */
  list(filter?: { readonly limit?: number }): Promise<HistoryEntry[]>;
  /**
   * Goes back to the state before an entry, which is undone with all later ones, or undoes the last `steps` entries, reads
   * and refused requests included, or as many as it takes to undo the last `writes` writes. The state before is kept as
   * checkpoint `before-rewind`.
   */
  rewind(
    target: { readonly to: string } | { readonly steps: number } | { readonly writes: number },
  ): Promise<Rewound>;
  /**
   * Resolves with the record of the world: JSON Lines that `card-sandbox run` plays and `card-sandbox open` serves. It
   * begins with the entry `from`, by default the oldest, and ends with `to`, by default the newest.
   */
  export(range?: RecordRange): Promise<string>;
  /** Writes the record to a file, which only its owner can read: it holds the secrets of the sandbox. */
  save(file: string, range?: RecordRange): Promise<void>;
}

/** The first and the last entry of a record: ids of entries or of requests. */
export interface RecordRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The partners of the sandbox. */
export interface PartnerControl {
  /** Resolves with all partners and their current API keys. */
  list(): Promise<Partner[]>;
  /** Adds a partner with an API key, a card program and the records of a fixture. */
  create(request?: NewPartnerRequest): Promise<NewPartner>;
  /** Resolves with the settings of a partner. */
  settings(id: string): Promise<PartnerSettings>;
  /** Changes settings; omitted members keep their values. */
  updateSettings(id: string, change: Partial<PartnerSettings>): Promise<PartnerSettings>;
  /** Issues a new API key. The previous one keeps working for a grace period, 24 h by default. */
  rotateKey(id: string, request?: RotateKeyRequest): Promise<RotatedKey>;
}

export function createControls(call: CallControl, open: Client['open']): Controls {
  let generatedNames = 0;

  /** Returns a name that no checkpoint has, and that this handle has not generated before. */
  async function generateName(): Promise<string> {
    const names = (await call('checkpoints.list')).map(({ name }) => name);
    // Nothing waits between here and the return, so that calls at the same time get different names.
    do generatedNames += 1;
    while (names.includes(`checkpoint-${generatedNames}`));
    return `checkpoint-${generatedNames}`;
  }

  const exportRecord = async (range: RecordRange = {}) => {
    const query = Object.fromEntries(Object.entries(range).filter(([, id]) => id !== undefined));
    const content = await open({ method: 'GET', path: '/history/export', query });
    return text(content);
  };

  return {
    clock: {
      ...controlMethods(call, { get: 'clock.get', resume: 'clock.resume' }),
      now: async () => (await call('clock.get')).now,
      advance: by => call('clock.advance', { duration: typeof by === 'number' ? `${by}ms` : by }),
      // JSON has the ISO text of a date.
      freeze: at => call('clock.freeze', { at: at as string | undefined }),
    },
    kyc: controlMethods(call, { approve: 'cardholders.kyc.approve', reject: 'cardholders.kyc.reject' }),
    kycSessions: controlMethods(call, { approve: 'kycSessions.approve', reject: 'kycSessions.reject' }),
    cardholders: {
      get: id => call('cardholders.details', id),
      setStatus: (id, status) => call('cardholders.status', id, { status }),
    },
    simulate: createSimulator(call),
    webhooks: createWebhookControl(call),
    webhookFaults: controlMethods(call, {
      add: 'webhookFaults.add',
      list: 'webhookFaults.list',
      remove: 'faults.remove',
      clear: 'webhookFaults.clear',
    }),
    faults: controlMethods(call, {
      add: 'faults.arm',
      list: 'faults.list',
      remove: 'faults.remove',
      clear: 'faults.clear',
    }),
    requests: {
      ...controlMethods(call, { get: 'requests.get', clear: 'requests.clear' }),
      list: filter => call('requests.list', withTextStatus(filter)),
      count: async filter => (await call('requests.count', withTextStatus(filter))).count,
    },
    history: {
      ...controlMethods(call, { list: 'history.list', rewind: 'history.rewind' }),
      export: exportRecord,
      async save(file, range) {
        const content = await exportRecord(range);
        const { open: openFile } = await import('node:fs/promises');
        await using opened = await openFile(file, 'w', 0o600);
        // A file that was there keeps its mode.
        await opened.chmod(0o600);
        await opened.writeFile(content);
      },
    },
    partners: controlMethods(call, {
      list: 'partners.list',
      create: 'partners.add',
      settings: 'partners.getSettings',
      updateSettings: 'partners.updateSettings',
      rotateKey: 'partners.rotateKey',
    }),
    state: controlMethods(call, { export: 'state.get', import: 'state.put' }),
    ...controlMethods(call, {
      mintShareToken: 'shareTokens.mint',
      reset: 'reset',
      assumptions: 'assumptions.list',
      coverage: 'coverage.get',
    }),
    async checkpoint(requested) {
      const name = requested ?? (await generateName());
      await call('checkpoints.save', name);
      const restore = () => call('checkpoints.restore', name);
      return { name, restore, delete: () => call('checkpoints.delete', name) };
    },
  };
}

function withTextStatus(filter: RequestFilter & { readonly limit?: number } = {}) {
  return { ...filter, status: filter.status?.toString() };
}
