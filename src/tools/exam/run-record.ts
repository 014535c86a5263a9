import type { DeliveryLogEntry, RequestLogEntry } from '../../client/attendant.ts';
import type { EventType } from '../../client/generated/records.ts';
import type { NewRecord, RunNotes } from './attendance.ts';
import { apiOperations } from './catalogue/catalogue.ts';
import type { CreatedRecord } from './doubles.ts';
import type { ExamHistory, OwnOption } from './misbehaviour.ts';

/** A request or a webhook of a run. */
export interface Happening {
  readonly text: string;
  /** Whether the misbehaviour affected it. */
  readonly isAffected: boolean;
}

/** A request that failed because of the misbehaviour. */
export interface FailedCall {
  /** Id of its operation. */
  readonly operation: string;
  /** The status of the same request when it was sent again; null if it was not. */
  readonly repeatStatus: number | null;
  /** Method and path. */
  readonly request: string;
  /** Whether a request with the same method and path followed, whatever its body was. */
  readonly isFollowed: boolean;
  /** What happened around it. */
  readonly happenings: readonly Happening[];
}

/** The operations that were called, and how often each cardholder was read while its KYC was pending. */
interface Calls {
  readonly called: Set<string>;
  readonly pendingReads: Map<string, number>;
}

/** How many happenings are shown before and after one that was affected. */
const BEFORE = 3;
const AFTER = 5;
/** Cap on those that are affected and whose surroundings are kept. */
const MAX_WINDOWS = 100;
const UNAUTHORIZED = 401;

/** What happened in the sandboxes that a command used. */
export class RunRecord implements RunNotes {
  /** What the client of an app called, and what `sandbox.api` called. */
  readonly #ofApp: Calls = { called: new Set(), pendingReads: new Map() };
  readonly #ofLibrary: Calls = { called: new Set(), pendingReads: new Map() };
  readonly #webhooks = new Set<string>();
  /** The last ones. */
  #recent: readonly Happening[] = [];
  /** Those around each one that was affected, and how many more are added. */
  readonly #windows: { readonly happenings: Happening[]; left: number }[] = [];
  readonly #failedCalls = new Map<string, FailedCall>();
  readonly #forged: (number | null)[] = [];
  readonly #created: NewRecord[] = [];
  readonly #undone = new Set<string>();
  readonly #earlyRepeats = new Set<string>();
  #hits = 0;
  #isFrozen = false;
  readonly #ownOptions = new Set<OwnOption>();

  addRequest(
    { method, url, operation, status, dropped, refusal, fault }: RequestLogEntry,
    isAffected: boolean,
    failure: string | null,
    isOfLibrary = false,
  ) {
    if (operation !== null && status !== UNAUTHORIZED) {
      const { called } = isOfLibrary ? this.#ofLibrary : this.#ofApp;
      called.add(operation);
    }
    const response = dropped ? 'connection closed' : String(status);
    const reason = refusal === null || dropped ? '' : ` (${refusal})`;
    const note = fault === null || isAffected ? '' : ' [a fault of the command]';
    const happenings = this.#add({ text: `${method} ${url} -> ${response}${reason}${note}`, isAffected });
    const request = `${method} ${url}`;
    for (const [key, failed] of this.#failedCalls) {
      if (failed.request === request) this.#failedCalls.set(key, { ...failed, isFollowed: true });
    }
    if (failure === null || operation === null) return;
    const failed = this.#failedCalls.get(failure);
    this.#failedCalls.set(
      failure,
      failed === undefined
        ? { operation, request, repeatStatus: null, isFollowed: false, happenings }
        : { ...failed, repeatStatus: status },
    );
  }

  addDelivery(
    { eventType, url, responseStatus, cause, fault, isExtra }: DeliveryLogEntry,
    isAffected: boolean,
  ) {
    if (responseStatus !== null) this.#webhooks.add(eventType);
    if (isExtra) this.#forged.push(responseStatus);
    const what = isExtra ? `additional webhook of ${eventType}` : `webhook ${eventType}`;
    const by = isAffected ? ` [${fault ?? 'sent again'}]` : '';
    this.#add({
      text: `${what}${by} -> ${responseStatus ?? cause ?? 'no response'}${url === null ? ' (no URL)' : ''}`,
      isAffected,
    });
  }

  addEarlyRepeat(method: string, url: string): void {
    this.#earlyRepeats.add(`${method} ${url}`);
  }

  addCreated(record: NewRecord): void {
    this.#created.push(record);
  }

  addUndone(scope: string, id: string): void {
    this.#undone.add(`${scope} ${id}`);
  }

  addFreeze(): void {
    this.#isFrozen = true;
  }

  addOwnOption(option: OwnOption): void {
    this.#ownOptions.add(option);
  }

  addPendingRead(cardholder: string, isOfLibrary = false): void {
    const { pendingReads } = isOfLibrary ? this.#ofLibrary : this.#ofApp;
    pendingReads.set(cardholder, (pendingReads.get(cardholder) ?? 0) + 1);
  }

  /** The calls that are examined: those of the app, or those of `sandbox.api` if there are no others. */
  get #examined(): Calls {
    return this.#ofApp.called.size > 0 ? this.#ofApp : this.#ofLibrary;
  }

  /** What the command did, for the choice of misbehaviours. */
  get history(): ExamHistory {
    const { called, pendingReads } = this.#examined;
    const byId = new Map(apiOperations.map(each => [each.id, each]));
    return {
      called: [...called].flatMap(id => byId.get(id) ?? []),
      // The types come from deliveries.
      webhooks: [...this.#webhooks] as EventType[],
      usesLibrary: this.#ofApp.called.size > 0 && this.#ofLibrary.called.size > 0,
      isFrozen: this.#isFrozen,
      ownOptions: [...this.#ownOptions],
      waitsForKyc: [...pendingReads.values()].some(times => times > 1),
    };
  }

  /** How often the misbehaviour was triggered. */
  get hits(): number {
    return this.#hits;
  }

  /** The statuses with which additional webhooks were answered; null for those without a response. */
  get forged(): readonly (number | null)[] {
    return this.#forged;
  }

  /** What the requests created, in their order. */
  get created(): readonly CreatedRecord[] {
    return this.#created.map(record => ({
      ...record,
      isUndone: this.#undone.has(`${record.scope} ${record.id}`),
    }));
  }

  /** The requests that were sent again sooner than the Retry-After of their responses says. */
  get earlyRepeats(): readonly string[] {
    return [...this.#earlyRepeats];
  }

  /** Whether the command called the API. */
  get isUsed(): boolean {
    return this.#examined.called.size > 0;
  }

  /** The happenings around the first one that was affected, or the last ones. */
  around(): readonly Happening[] {
    return this.#windows[0]?.happenings ?? this.#recent;
  }

  /** The requests that failed because of the misbehaviour. */
  get failedCalls(): readonly FailedCall[] {
    return [...this.#failedCalls.values()];
  }

  /** Returns what happened around it, which grows; what happened before it if it was not affected. */
  #add(happening: Happening): readonly Happening[] {
    for (const window of this.#windows) {
      if (window.left === 0) continue;
      window.left -= 1;
      window.happenings.push(happening);
    }
    const before = this.#recent;
    this.#recent = [...before, happening].slice(-(BEFORE + AFTER));
    if (!happening.isAffected) return before;
    this.#hits += 1;
    const happenings = [...before.slice(-BEFORE), happening];
    if (this.#windows.length < MAX_WINDOWS) this.#windows.push({ happenings, left: AFTER });
    return happenings;
  }
}
