import type { Action } from './actions.ts';
import { raise, raiseBalance } from './deliveries.ts';
import { type Expected, REFUSED } from './people.ts';
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

/** The reason why a payment is declined now, or null. */
function declineOf(state: State, card: Card, type: 'sale' | 'cash', amount: number): string | null {
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
  const spent = [0, ...spentBy(state, card.id, type)];
  if (card[type].some((limit, window) => (spent[window] ?? 0) + amount > limit))
    return 'spend_limit_exceeded';
  const allTime = spentBy(state, card.id, 'sale')[2] + spentBy(state, card.id, 'cash')[2];
  if (allTime + amount > card.limit) return 'card_limit_exceeded';
  return amount > available(state, card.partner) ? 'insufficient_funds' : null;
}

/** Authorizes or declines a payment; both are recorded. */
export function pay(
  state: State,
  card: Card,
  { amount, type, forced }: Action & { kind: 'pay' },
): Expected & { reason: undefined; declined: string | null } {
  const declined = forced ? 'do_not_honor' : declineOf(state, card, type, amount);
  const { partner } = card;
  return {
    status: 201,
    reason: undefined,
    declined,
    apply(id) {
      const before = available(state, partner);
      const [status, charged] =
        declined === null ? (['authorized', amount] as const) : (['declined', 0] as const);
      state.payments.push({ id, card: card.id, partner, type, amount, status, charged, at: state.now });
      raise(state, { partner, type: 'card.transaction', resource: id });
      if (declined !== null) return;
      state.usage[partner] = (state.usage[partner] ?? 0) + 1;
      const after = available(state, partner);
      const alert = PARTNERS[partner]?.alert ?? 0;
      if (before >= alert && after < alert) raiseBalance(state, partner, 'balance.alert', after);
    },
  };
}

/** Settles or reverses an authorization; `charged` of the hold is kept. */
export function finish(
  state: State,
  payment: Payment,
  status: 'settled' | 'reversed',
  charged: number,
): Expected {
  if (payment.status !== 'authorized' || charged > payment.amount) return REFUSED;
  return {
    status: 200,
    apply() {
      Object.assign(payment, { status, charged });
      raise(state, { partner: payment.partner, type: 'card.transaction', resource: payment.id });
    },
  };
}

/** The daily check for low balances. */
export function checkLowBalances(state: State): void {
  PARTNERS.forEach(({ low }, partner) => {
    const left = available(state, partner);
    if (left < low) raiseBalance(state, partner, 'balance.low', left);
  });
}
