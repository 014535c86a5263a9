import type { EventType } from '../resources/webhooks/event-types.ts';
import type { DeliveryLogEntry } from '../sandbox/delivery-log-entry.ts';
import type { RequestLogEntry } from '../sandbox/request-log-entry.ts';
import { apiOperations } from './catalogue/catalogue.ts';
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
/** Cap on the happenings that are kept, besides the first one that was affected and those around it. */
const MAX_HAPPENINGS = 2_000;
const UNAUTHORIZED = 401;

/** What happened in the sandbox while a command used it. */
export class RunRecord {
  readonly #called = new Set<string>();
  readonly #webhooks = new Set<string>();
  readonly #happenings: Happening[] = [];
  readonly #forged: (number | null)[] = [];
  #hits = 0;
  #isFrozen = false;

  /** Adds a request. `isAffected` says whether the misbehaviour affected it. */
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

  /** Adds a webhook attempt. `isAffected` says whether the misbehaviour affected it. */
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

  /** Notes that the clock was frozen. */
  addFreeze(): void {
    this.#isFrozen = true;
  }

  /** What the command did, for the choice of misbehaviours. */
  get history(): ExamHistory {
    const byId = new Map(apiOperations.map(each => [each.id, each]));
    return {
      called: [...this.#called].flatMap(id => byId.get(id) ?? []),
      // The types come from deliveries.
      webhooks: [...this.#webhooks] as EventType[],
      isFrozen: this.#isFrozen,
    };
  }

  /** How often the misbehaviour came up. */
  get hits(): number {
    return this.#hits;
  }

  /** The statuses with which additional webhooks were answered; null for those without a response. */
  get forged(): readonly (number | null)[] {
    return this.#forged;
  }

  /** Whether the command called the API. */
  get isUsed(): boolean {
    return this.#called.size > 0;
  }

  /** The happenings around the first one that was affected, or the last ones. */
  around(): readonly Happening[] {
    const first = this.#happenings.findIndex(({ isAffected }) => isAffected);
    if (first === -1) return this.#happenings.slice(-BEFORE - AFTER);
    return this.#happenings.slice(Math.max(0, first - BEFORE), first + AFTER + 1);
  }

  #add(happening: Happening): void {
    if (happening.isAffected) this.#hits += 1;
    if (this.#happenings.length < MAX_HAPPENINGS) this.#happenings.push(happening);
  }
}
