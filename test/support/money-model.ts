/** Something done with one of the cards or transactions of a sandbox, which are told apart by number. */
export type Move =
  | { kind: 'pay'; card: number; amount: number; type: 'sale' | 'cash' }
  | { kind: 'settle'; which: number; percent: number }
  | { kind: 'reverse' | 'freeze' | 'unfreeze'; which: number }
  | { kind: 'topUp'; partner: number; amount: number }
  | { kind: 'advance'; hours: number };

/** A card of the fixture, with its limits in hundredths. */
export const CARDS = [
  {
    id: 'card_small',
    partner: 0,
    limit: 11_000,
    sale: [4_000, 6_000, 8_000, 10_000],
    cash: [2_000, 2_000, 3_000, 5_000],
  },
  { id: 'card_large', partner: 0, limit: 1e8, sale: [1e8, 1e8, 1e8, 1e8], cash: [1e8, 1e8, 1e8, 1e8] },
  { id: 'card_gus', partner: 1, limit: 1e8, sale: [1e8, 1e8, 1e8, 1e8], cash: [1e8, 1e8, 1e8, 1e8] },
] as const;

/** The partners of the fixture, with what they begin with and the alert threshold, in hundredths. */
export const PARTNERS = [
  { id: 'partner_acme', opening: 100_000, alert: 30_000, low: 10_000 },
  { id: 'partner_globex', opening: 50_000, alert: 0, low: 0 },
] as const;

interface Payment {
  id: string;
  card: number;
  type: 'sale' | 'cash';
  amount: number;
  status: 'authorized' | 'declined' | 'settled' | 'reversed';
  counted: number;
  at: number;
}

const HOUR = 3_600_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/**
 * The rules of the money once more, written from the outside: no sums are kept, each is made anew from the
 * list of payments.
 */
export class Money {
  readonly payments: Payment[] = [];
  readonly toppedUp = [0, 0];
  readonly frozen = new Set<number>();
  /** Events that are due, as `type partner`. */
  events: string[] = [];
  now: number;

  constructor(start: number) {
    this.now = start;
  }

  /** Hundredths that are held and that have left, of one partner. */
  used(partner: number) {
    const own = this.payments.filter(({ card }) => CARDS[card]?.partner === partner);
    const sum = (status: string) =>
      own.filter(each => each.status === status).reduce((total, each) => total + each.counted, 0);
    return { held: sum('authorized'), settled: sum('settled') };
  }

  available(partner: number): number {
    const { held, settled } = this.used(partner);
    return (PARTNERS[partner]?.opening ?? 0) + (this.toppedUp[partner] ?? 0) - held - settled;
  }

  /** Hundredths that a card has spent by type: today, this month and ever. */
  spent(card: number, type: string): [number, number, number] {
    const today = dayOf(this.now);
    const own = this.payments.filter(each => each.card === card && each.type === type);
    const since = (length: number) =>
      own
        .filter(({ at }) => dayOf(at).slice(0, length) === today.slice(0, length))
        .reduce((total, { counted }) => total + counted, 0);
    return [since(10), since(7), since(0)];
  }

  /** The reason for which a payment will be declined; null when it will not. */
  declines(number: number, type: 'sale' | 'cash', amount: number): string | null {
    const card = CARDS[number];
    if (card === undefined) return 'unknown';
    if (this.frozen.has(number)) return 'card_frozen';
    const spent = [0, ...this.spent(number, type)];
    if (card[type].some((limit, window) => (spent[window] ?? 0) + amount > limit))
      return 'spend_limit_exceeded';
    const ever = this.spent(number, 'sale')[2] + this.spent(number, 'cash')[2];
    if (ever + amount > card.limit) return 'card_limit_exceeded';
    return amount > this.available(card.partner) ? 'insufficient_funds' : null;
  }

  /** Notes a payment that the sandbox has answered with this id. */
  pay(id: string, card: number, type: 'sale' | 'cash', amount: number, declined: boolean): void {
    const partner = CARDS[card]?.partner ?? 0;
    const before = this.available(partner);
    const status = declined ? 'declined' : 'authorized';
    this.payments.push({ id, card, type, amount, status, counted: declined ? 0 : amount, at: this.now });
    this.events.push(`card.transaction ${PARTNERS[partner]?.id}`);
    const alert = PARTNERS[partner]?.alert ?? 0;
    if (before >= alert && this.available(partner) < alert)
      this.events.push(`balance.alert ${PARTNERS[partner]?.id}`);
  }

  /** Ends a payment if it can be ended; answers whether it can. */
  end(payment: Payment, status: 'settled' | 'reversed', counted: number): boolean {
    if (payment.status !== 'authorized' || counted > payment.amount) return false;
    Object.assign(payment, { status, counted });
    this.events.push(`card.transaction ${PARTNERS[CARDS[payment.card]?.partner ?? 0]?.id}`);
    return true;
  }

  topUp(partner: number, amount: number): void {
    this.toppedUp[partner] = (this.toppedUp[partner] ?? 0) + amount;
    this.events.push(`balance.top_up ${PARTNERS[partner]?.id}`);
  }

  advance(hours: number): void {
    for (let hour = 0; hour < hours; hour++) {
      const before = dayOf(this.now);
      this.now += HOUR;
      if (dayOf(this.now) === before) continue;
      PARTNERS.forEach(({ id, low }, partner) => {
        if (this.available(partner) < low) this.events.push(`balance.low ${id}`);
      });
    }
  }
}
