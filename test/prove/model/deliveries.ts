import { hooksOf } from './receivers.ts';
import { type Delivery, PARTNERS, type State } from './state.ts';

/** Delays before the retries, in milliseconds: those of the interface, sixty times as fast. */
const LADDER = [1_000, 5_000, 30_000, 120_000, 1_440_000];

/** Makes the delivery of an event, if its partner is subscribed to it. */
export function raise(
  state: State,
  {
    partner,
    type,
    resource,
    told = resource,
  }: Pick<Delivery, 'partner' | 'type' | 'resource'> & { told?: string },
): void {
  const { hasUrl, types } = state.hooks[partner] ?? { hasUrl: false, types: [] };
  if (!types.includes(type)) return;
  state.deliveries.push({
    partner,
    type,
    resource,
    told,
    createdAt: state.now,
    status: hasUrl ? 'pending' : 'failed',
    attempts: [],
    next: hasUrl ? state.now : null,
    manual: false,
  });
}

/** An event about the balance of a partner. */
export function raiseBalance(state: State, partner: number, type: string, available: number): void {
  raise(state, { partner, type, resource: PARTNERS[partner]?.id ?? '', told: String(available) });
}

/** Makes the attempt that is due; `failing` is how often receivers fail, in percent. */
export function attempt(state: State, delivery: Delivery, failing: number): void {
  const { hasUrl } = state.hooks[delivery.partner] ?? { hasUrl: false };
  const at = state.now;
  const ok = hasUrl && hooksOf(failing).takes(delivery, at);
  delivery.attempts.push({ at, ok });
  const delay = ok || delivery.manual ? undefined : LADDER[delivery.attempts.length - 1];
  delivery.next = delay === undefined ? null : at + delay;
  delivery.status = ok ? 'delivered' : delay === undefined ? 'failed' : 'pending';
}

/** A delivery as one line, the same for both sides. */
export function lineOf(delivery: Omit<Delivery, 'manual'>): string {
  const { partner, type, resource, told, createdAt, status, attempts, next } = delivery;
  const tries = attempts.map(({ at, ok }) => `${at}${ok ? '+' : '-'}`);
  // Before its first attempt nobody is told when a delivery is tried.
  const due = attempts.length === 0 ? null : next;
  return [partner, type, resource, told, createdAt, status, ...tries, due].join(' ');
}
