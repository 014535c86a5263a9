import { receiverAccepts } from './receivers.ts';
import { type Delivery, PARTNERS, type State } from './state.ts';

/** Delays before the retries: the published ones, sixty times faster. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 1_440_000];

/** Creates the delivery of an event if the partner subscribes to its type. */
export function raise(
  state: State,
  {
    partner,
    type,
    resource,
    subject = resource,
  }: Pick<Delivery, 'partner' | 'type' | 'resource'> & { subject?: string },
): void {
  const { hasUrl, types } = state.webhooks[partner] ?? { hasUrl: false, types: [] };
  if (!types.includes(type)) return;
  state.deliveries.push({
    partner,
    type,
    resource,
    subject,
    createdAt: state.now,
    status: hasUrl ? 'pending' : 'failed',
    attempts: [],
    next: hasUrl ? state.now : null,
    manual: false,
  });
}

/** Raises an event about the balance of a partner. */
export function raiseBalance(state: State, partner: number, type: string, available: number): void {
  raise(state, { partner, type, resource: PARTNERS[partner]?.id ?? '', subject: String(available) });
}

const UNRECORDED = ['card.3ds_otp', 'cardholder.approved', 'balance.alert'];

/** Whether the API lists a delivery. */
export function isListed({ assumed }: State, { type }: Pick<Delivery, 'type'>): boolean {
  return assumed['event-history'] === 'twelve' || !UNRECORDED.includes(type);
}

/** Makes the attempt that is due. */
export function attempt(state: State, delivery: Delivery, failurePercent: number): void {
  const { hasUrl } = state.webhooks[delivery.partner] ?? { hasUrl: false };
  const at = state.now;
  const ok = hasUrl && receiverAccepts(delivery, at, failurePercent);
  delivery.attempts.push({ at, ok });
  const delay = ok || delivery.manual ? undefined : RETRY_DELAYS_MS[delivery.attempts.length - 1];
  delivery.next = delay === undefined ? null : at + delay;
  delivery.status = ok ? 'delivered' : delay === undefined ? 'failed' : 'pending';
}

/** A delivery as one line, to compare the sandbox with the model. */
export function summarize(delivery: Omit<Delivery, 'manual'>): string {
  const { partner, type, resource, subject, createdAt, status, attempts, next } = delivery;
  const tries = attempts.map(({ at, ok }) => `${at}${ok ? '+' : '-'}`);
  // The API does not show when the first attempt is due.
  const due = attempts.length === 0 ? null : next;
  return [partner, type, resource, subject, createdAt, status, ...tries, due].join(' ');
}
