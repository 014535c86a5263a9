import type { RecordAttempt, RecordEntry } from './format.ts';
import { attemptsOf, entriesOf, type WorldRecord } from './read.ts';

/** What was asked of a world, as its record says, and what came of it. All lists are oldest first. */
export interface Activity {
  readonly name: string;
  /** Whether the process of the world was killed or could not write on, so that what happened last may be missing. */
  readonly isCutShort: boolean;
  /** Those that no rewind has undone. */
  readonly calls: readonly RecordEntry[];
  /** The number of requests to the API, be they undone since. */
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
  const calls = entriesOf(record).map(({ entry }) => entry);
  const attempts = attemptsOf(record);
  const isCutShort = record.end === null;
  return {
    name,
    isCutShort,
    calls,
    requests: record.lines.filter(({ line }) => 'entry' in line && line.entry.plane === 'partner').length,
    deliveries: deliveriesOf(attempts),
    unstruck: unstruckIn(calls, attempts),
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

function deliveriesOf(attempts: readonly RecordAttempt[]): SentDelivery[] {
  const byEvent = new Map<string, { id: string; eventType: string; attempts: RecordAttempt[] }>();
  for (const attempt of attempts) {
    const { event: id, eventType } = attempt;
    const known = byEvent.get(id);
    if (known === undefined) byEvent.set(id, { id, eventType, attempts: [attempt] });
    else known.attempts.push(attempt);
  }
  return [...byEvent.values()];
}

const SETS_FAULT = /^\/_sandbox\/(webhook-)?faults$/;

/**
 * The faults that a response created with `times`, and that nothing shows to have struck. An attempt has the kind of its
 * fault: of several of a kind, the first strikes until it is used up.
 */
function unstruckIn(calls: readonly RecordEntry[], attempts: readonly RecordAttempt[]): Unstruck[] {
  const struck = new Set(calls.map(({ fault }) => fault));
  const left = [...attempts];
  const take = (kind = '', eventType: string | null = null) => {
    const index = left.findIndex(
      each => each.fault === kind && (eventType === null || each.eventType === eventType),
    );
    return index !== -1 && left.splice(index, 1).length > 0;
  };
  return calls.flatMap(entry => {
    const [isFault, ofWebhooks] = SETS_FAULT.exec(entry.path) ?? [];
    if (isFault === undefined || entry.method !== 'POST' || entry.status !== 201) return [];
    const { id, kind, times, eventType } = created(entry);
    if (id === undefined) return [];
    let hasStruck = struck.has(id);
    const max = ofWebhooks === undefined ? 0 : (times ?? attempts.length);
    for (let hits = 0; hits < max && take(kind, eventType); hits++) hasStruck = true;
    return hasStruck || typeof times !== 'number' ? [] : [{ id, entry }];
  });
}

interface CreatedFault {
  readonly id?: string;
  readonly kind?: string;
  readonly times?: number | null;
  readonly eventType?: string | null;
}

function created({ response }: RecordEntry): CreatedFault {
  try {
    // The sandbox wrote it; what a stranger wrote instead has no fault that struck.
    return JSON.parse(response?.body ?? '{}') ?? {};
  } catch {
    return {};
  }
}
