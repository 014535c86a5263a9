import type { DeliveryLogEntry, RequestLogEntry } from '../../client/attendant.ts';
import type { EventType } from '../../client/generated/records.ts';
import type { NewRecord, RunNotes } from './attendance.ts';
import { apiOperations } from './catalogue/catalogue.ts';
import type { CreatedRecord } from './doubles.ts';
import type { ExamHistory } from './misbehaviour.ts';

/** A request or a webhook of a run. */
export interface Happening {
  readonly text: string;
  /** Whether the misbehaviour affected it. */
  readonly isAffected: boolean;
}

/** How many happenings are shown before and after the first one that was affected. */
const BEFORE = 3;
const AFTER = 5;
const UNAUTHORIZED = 401;

/** What happened in the sandboxes that a command used. */
export class RunRecord implements RunNotes {
  readonly #called = new Set<string>();
  readonly #webhooks = new Set<string>();
  /** Those around the first one that was affected, or the last ones. */
  #happenings: Happening[] = [];
  /** How many more are kept; all, in place of older ones, until one is affected. */
  #left = Number.POSITIVE_INFINITY;
  readonly #forged: (number | null)[] = [];
  readonly #created: NewRecord[] = [];
  readonly #undone = new Set<string>();
  #hits = 0;
  #isFrozen = false;
  #hasOwnClock = false;

  addRequest(
    { method, url, operation, status, dropped, refusal, fault }: RequestLogEntry,
    isAffected: boolean,
  ) {
    if (operation !== null && status !== UNAUTHORIZED) this.#called.add(operation);
    const response = dropped ? 'connection closed' : String(status);
    const reason = refusal === null || dropped ? '' : ` (${refusal})`;
    const note = fault === null || isAffected ? '' : ' [a fault of the command]';
    this.#add({ text: `${method} ${url} -> ${response}${reason}${note}`, isAffected });
  }

  addDelivery(
    { eventType, url, responseStatus, cause, fault, isExtra }: DeliveryLogEntry,
    isAffected: boolean,
  ) {
    if (responseStatus !== null) this.#webhooks.add(eventType);
    if (isExtra) this.#forged.push(responseStatus);
    const what = isExtra ? `additional webhook of ${eventType}` : `webhook ${eventType}`;
    const by = isAffected ? ` [${fault}]` : '';
    this.#add({
      text: `${what}${by} -> ${responseStatus ?? cause ?? 'no response'}${url === null ? ' (no URL)' : ''}`,
      isAffected,
    });
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

  addOwnClock(): void {
    this.#hasOwnClock = true;
  }

  /** What the command did, for the choice of misbehaviours. */
  get history(): ExamHistory {
    const byId = new Map(apiOperations.map(each => [each.id, each]));
    return {
      called: [...this.#called].flatMap(id => byId.get(id) ?? []),
      // The types come from deliveries.
      webhooks: [...this.#webhooks] as EventType[],
      isFrozen: this.#isFrozen,
      hasOwnClock: this.#hasOwnClock,
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

  /** Whether the command called the API. */
  get isUsed(): boolean {
    return this.#called.size > 0;
  }

  /** The happenings around the first one that was affected, or the last ones. */
  around(): readonly Happening[] {
    return this.#happenings;
  }

  #add(happening: Happening): void {
    const isFirst = happening.isAffected && this.#hits === 0;
    if (happening.isAffected) this.#hits += 1;
    if (this.#left === 0) return;
    this.#left -= 1;
    const kept = isFirst
      ? BEFORE
      : Number.isFinite(this.#left)
        ? Number.POSITIVE_INFINITY
        : BEFORE + AFTER - 1;
    this.#happenings = [...this.#happenings.slice(-kept), happening];
    if (isFirst) this.#left = AFTER;
  }
}
