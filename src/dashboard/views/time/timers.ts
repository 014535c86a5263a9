import { cachedValue } from '../../data/cached-value.ts';
import { control } from '../../data/http.ts';

/** A pending timer, as `GET /clock/timers` lists it. */
export interface Timer {
  /** Sandbox time at which it is due, ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly recordId: string;
}

/** How many timers the page shows. */
export const MAX_TIMERS = 200;

/** The pending timers, in the order in which they fall due. Read while the page is open. */
export const timers = cachedValue<readonly Timer[]>(
  path => control('GET', path),
  () => `/clock/timers?limit=${MAX_TIMERS}`,
);

interface TimerKind {
  readonly label: string;
  /** The page of the record that it belongs to, or null. */
  readonly view: string | null;
}

const KINDS: Readonly<Record<string, TimerKind>> = {
  'kyc.decide': { label: 'KYC decision', view: 'cardholders' },
  'delivery.attempt': { label: 'Webhook attempt', view: 'deliveries' },
  'delivery.redeliver': { label: 'Webhook redelivery', view: null },
  'balance.checkLow': { label: 'Daily balance check', view: null },
};

/** What a kind of timer does, and where its record is. */
export function timerKind(kind: string): TimerKind {
  return KINDS[kind] ?? { label: kind, view: null };
}
