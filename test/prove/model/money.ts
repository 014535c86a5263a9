import type { Action } from './actions.ts';
import { raise, raiseBalance } from './deliveries.ts';
import { type Expected, REFUSED } from './people.ts';
import { paymentSubject } from './receivers.ts';
import { type Card, PARTNERS, type Payment, type State } from './state.ts';

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const sumOf = (payments: readonly Payment[]) => payments.reduce((sum, { charged }) => sum + charged, 0);

/** What a partner has on hold and has settled, in hundredths. */
export function heldAndSettled({ payments }: State, partner: number) {
  const own = payments.filter(each => each.partner === partner);
  const sum = (status: string) => sumOf(own.filter(each => each.status === status));
  return { held: sum('authorized'), settled: sum('settled') };
}

/** What a partner can spend, in hundredths: opening balance and top-ups, less holds and settlements. */
export function available(state: State, partner: number): number {
  const { held, settled } = heldAndSettled(state, partner);
  return (PARTNERS[partner]?.opening ?? 0) + (state.toppedUp[partner] ?? 0) - held - settled;
}

/** What a card has spent by type, in hundredths: today, this month and all time. */
export function spentBy({ payments, now }: State, card: string, type: string): [number, number, number] {
  const own = payments.filter(each => each.card === card && each.type === type);
  return [
    sumOf(own.filter(({ at }) => dayOf(at) === dayOf(now))),
    sumOf(own.filter(({ at }) => monthOf(at) === monthOf(now))),
    sumOf(own),
  ];
}

/** A payment that is requested: what is authorized of it already, and the time whose windows it counts in. */
interface Request {
  readonly type: 'sale' | 'cash';
  readonly amount: number;
  readonly authorized: number;
  readonly at: number;
}

/** The reason why a payment or an increment is declined now, or null. */
function declineOf(state: State, card: Card, { type, amount, authorized, at }: Request): string | null {
  const reasonByStatus = {
    created: 'card_not_activated',
    frozen: 'card_frozen',
    cancelled: 'card_cancelled',
    active: null,
  };
  const reason = reasonByStatus[card.status];
  if (reason !== null) return reason;
  if (monthOf(state.now) > card.lastMonth) return 'card_expired';
  const holder = state.people.find(({ id }) => id === card.holder);
  if (holder?.status !== 'active') return 'cardholder_inactive';
  const then = { ...state, now: at };
  const spent = [authorized, ...spentBy(then, card.id, type)];
  if (card[type].some((limit, window) => (spent[window] ?? 0) + amount > limit))
    return 'spend_limit_exceeded';
  const allTime = spentBy(then, card.id, 'sale')[2] + spentBy(then, card.id, 'cash')[2];
  if (allTime + amount > card.limit) return 'card_limit_exceeded';
  return amount > available(state, card.partner) ? 'insufficient_funds' : null;
}

/** Makes a change to a payment, and raises the events about it. */
function change(state: State, payment: Payment, members: Partial<Payment>): void {
  const { partner } = payment;
  const before = available(state, partner);
  Object.assign(payment, members);
  raise(state, {
    partner,
    type: 'card.transaction',
    resource: payment.id,
    subject: paymentSubject(payment),
  });
  const after = available(state, partner);
  const alert = PARTNERS[partner]?.alert ?? 0;
  if (before >= alert && after < alert) raiseBalance(state, partner, 'balance.alert', after);
}

/** Authorizes or declines a payment; both are recorded. */
export function pay(
  state: State,
  card: Card,
  { amount, type, forced }: Action & { kind: 'pay' },
): Expected & { reason: undefined; declined: string | null } {
  const at = state.now;
  const declined = forced ? 'do_not_honor' : declineOf(state, card, { type, amount, authorized: 0, at });
  const { partner } = card;
  return {
    status: 201,
    reason: undefined,
    declined,
    apply(id) {
      const ttl = PARTNERS[partner]?.ttl ?? state.assumed['authorization-ttl'];
      const expires = ttl === 'never' ? Number.POSITIVE_INFINITY : at + ttl;
      const payment: Payment = {
        id,
        card: card.id,
        partner,
        type,
        amount,
        status: 'declined',
        charged: 0,
        at,
        reversal: null,
        expires,
      };
      state.payments.push(payment);
      change(state, payment, declined === null ? { status: 'authorized', charged: amount } : {});
      if (declined === null) state.usage[partner] = (state.usage[partner] ?? 0) + 1;
    },
  };
}

/** Adds to an authorization, or declines to. */
export function increment(
  state: State,
  payment: Payment,
  amount: number,
): Expected & { declined?: string | null } {
  const card = state.cards.find(({ id }) => id === payment.card);
  if (payment.status !== 'authorized' || card === undefined) return REFUSED;
  const { type, at, amount: authorized } = payment;
  const declined = declineOf(state, card, { type, amount, authorized, at });
  if (declined !== null) return { status: 200, declined };
  const total = authorized + amount;
  return {
    status: 200,
    declined,
    apply: () => change(state, payment, { amount: total, charged: total }),
  };
}

/** Settles an authorization; `force` allows more than its amount. */
export function settle(state: State, payment: Payment, amount: number, force: boolean): Expected {
  if (payment.status !== 'authorized' || (amount > payment.amount && !force)) return REFUSED;
  return { status: 200, apply: () => change(state, payment, { status: 'settled', charged: amount }) };
}

/** Reverses an authorization, or a part of it. */
export function reverse(state: State, payment: Payment, amount: number): Expected {
  if (payment.status !== 'authorized' || amount > payment.amount) return REFUSED;
  const rest = payment.amount - amount;
  const members: Partial<Payment> =
    rest === 0 ? { status: 'reversed', charged: 0, reversal: 'merchant' } : { amount: rest, charged: rest };
  return { status: 200, apply: () => change(state, payment, members) };
}

/** Reverses an authorization that has expired. */
export function expire(state: State, payment: Payment): void {
  change(state, payment, { status: 'reversed', charged: 0, reversal: 'expired' });
}

/** The daily check for low balances. */
export function checkLowBalances(state: State): void {
  PARTNERS.forEach(({ low }, partner) => {
    const left = available(state, partner);
    if (left < low) raiseBalance(state, partner, 'balance.low', left);
  });
}
