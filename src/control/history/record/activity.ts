import { URLSearchParams } from 'node:url';
import type { RecordAttempt, RecordEntry } from './format.ts';
import { entriesOf, type WorldRecord } from './read.ts';
import { StateItems, StateReturns } from './returns.ts';

/** What was asked of a world, as its record says, and what came of it. All lists are oldest first. */
export interface Activity {
  readonly name: string;
  /** Whether the process of the world was killed or could no longer write, so that what happened last may be missing. */
  readonly isCutShort: boolean;
  /** All of them, also those that were undone since. */
  readonly calls: readonly RecordEntry[];
  /** Those that a rewind has undone. */
  readonly undone: ReadonlySet<RecordEntry>;
  /** The number of requests to the API. */
  readonly requests: number;
  readonly deliveries: readonly SentDelivery[];
  readonly unstruck: readonly Unstruck[];
}

export interface SentDelivery {
  readonly id: string;
  readonly eventType: string;
  readonly attempts: readonly RecordAttempt[];
}

export interface Unstruck {
  readonly id: string;
  readonly entry: RecordEntry;
}

export function activityOf(name: string, record: WorldRecord): Activity {
  const calls = record.lines.flatMap(({ line }) => ('entry' in line ? [line.entry] : []));
  const kept = new Set(entriesOf(record).map(({ entry }) => entry));
  return {
    name,
    isCutShort: record.end === null,
    calls,
    undone: new Set(calls.filter(each => !kept.has(each))),
    requests: calls.filter(({ plane }) => plane === 'partner').length,
    ...outcomesIn(record),
  };
}

/** Returns whether a call was refused, or lost by a fault. */
export function isRefused({ status, dropped }: RecordEntry): boolean {
  return dropped === true || status === null || status >= 400;
}

/** Returns whether no attempt of a delivery has succeeded. What a fault sent besides does not count. */
export function isUndelivered({ attempts }: SentDelivery): boolean {
  return attempts.every(({ cause, extra }) => cause !== null || extra === true);
}

/** The webhooks of a record, and the faults with `times` that nothing shows to have struck. */
function outcomesIn({ lines }: WorldRecord): Pick<Activity, 'deliveries' | 'unstruck'> {
  const returns = new StateReturns();
  const all: SentDelivery[] = [];
  const deliveries = new StateItems<{ readonly attempts: RecordAttempt[] }>();
  const faults = new FaultStrikes();
  for (const [place, { line }] of lines.entries()) {
    const back = returns.next(line, place);
    if (back !== null) {
      deliveries.goBack(back);
      faults.goBack(back);
    }
    if ('entry' in line) faults.addCall(line.entry, place);
    if (!('attempt' in line)) continue;
    const { attempt } = line;
    faults.addAttempt(attempt, place);
    const known = deliveries.get(attempt.event);
    if (known !== undefined) {
      known.attempts.push(attempt);
      continue;
    }
    const delivery = { id: attempt.event, eventType: attempt.eventType, attempts: [attempt] };
    deliveries.set(delivery.id, delivery, place);
    all.push(delivery);
  }
  return { deliveries: all, unstruck: faults.unstruck };
}

const FAULTS = /^\/_sandbox\/(webhook-)?faults(?:\/([^/]+))?$/;

/** A fault that a response created, and the places at which it struck and was deleted in the state of the world. */
interface SetFault extends Unstruck {
  readonly created: CreatedFault;
  readonly isOfWebhooks: boolean;
  hits: number[];
  deletions: number[];
  hasStruck: boolean;
}

/** Finds what faults struck. An attempt has the kind of its fault: of several of a kind, the first strikes until it is used up. */
class FaultStrikes {
  readonly #all: SetFault[] = [];
  readonly #known = new StateItems<SetFault>();

  get unstruck(): readonly Unstruck[] {
    return this.#all.filter(({ created, hasStruck }) => !hasStruck && typeof created.times === 'number');
  }

  addCall(entry: RecordEntry, place: number): void {
    if (entry.fault !== undefined) strike(this.#known.get(entry.fault), place);
    const [isFault, ofWebhooks, id] = FAULTS.exec(entry.path) ?? [];
    if (isFault === undefined) return;
    const isOfWebhooks = ofWebhooks !== undefined;
    if (entry.status === 204) {
      const partnerId = new URLSearchParams(entry.query).get('partnerId');
      const isCleared = (fault: SetFault) =>
        fault.isOfWebhooks === isOfWebhooks && [null, fault.created.partnerId].includes(partnerId);
      const isDeleted = id === undefined ? isCleared : (fault: SetFault) => fault.id === id;
      for (const { deletions } of this.#known.all.filter(isDeleted)) deletions.push(place);
    }
    if (entry.status !== 201) return;
    const created = createdFault(entry);
    if (created.id === undefined) return;
    const fault = { id: created.id, entry, created, isOfWebhooks, hits: [], deletions: [], hasStruck: false };
    this.#all.push(fault);
    this.#known.set(fault.id, fault, place);
  }

  addAttempt({ fault: kind, eventType }: RecordAttempt, place: number): void {
    if (kind === null) return;
    const isHit = ({ created, isOfWebhooks, hits, deletions }: SetFault) =>
      isOfWebhooks &&
      deletions.length === 0 &&
      created.kind === kind &&
      (created.eventType ?? eventType) === eventType &&
      hits.length < (created.times ?? Number.POSITIVE_INFINITY);
    strike(this.#known.all.find(isHit), place);
  }

  goBack(to: number): void {
    this.#known.goBack(to);
    for (const fault of this.#known.all) {
      fault.hits = fault.hits.filter(place => place < to);
      fault.deletions = fault.deletions.filter(place => place < to);
    }
  }
}

function strike(fault: SetFault | undefined, place: number): void {
  if (fault === undefined) return;
  fault.hits.push(place);
  fault.hasStruck = true;
}

interface CreatedFault {
  readonly id?: string;
  readonly kind?: string;
  readonly partnerId?: string | null;
  readonly times?: number | null;
  readonly eventType?: string | null;
}

function createdFault({ response }: RecordEntry): CreatedFault {
  try {
    // The sandbox wrote it; what a stranger wrote instead has no fault that struck.
    return JSON.parse(response?.body ?? '{}') ?? {};
  } catch {
    return {};
  }
}
