import { type Action, MOVES } from './actions.ts';
import { attempt, raise, raiseBalance } from './deliveries.ts';
import { available, checkLow, end, pay } from './money.ts';
import { create, decide, type Expected, issue, REFUSED, submit, UNKNOWN } from './people.ts';
import { type Card, type Delivery, openingState, type Payment, type Person, type State } from './state.ts';

const DAY = 24 * 3_600_000;
const DONE: Expected = { status: 200 };

/**
 * The rules of the sandbox once more, written from the outside and as plainly as can be: what each action answers,
 * and what it leaves.
 */
export class Model {
  state: State = openingState();
  /** Every key ever given out, of whichever world. */
  readonly keys: string[] = this.state.keys.map(({ key }) => key);
  readonly #kept = new Map<string, State>();
  readonly #failing: number;

  constructor(failing: number) {
    this.#failing = failing;
  }

  /** The key that a partner uses. */
  keyOf = (partner: number): string => {
    return this.state.keys.findLast(each => each.partner === partner)?.key ?? '';
  };

  card = (place: number): Card => pick(this.state.cards, place);
  person = (place: number): Person => pick(this.state.people, place);
  payment = (place: number): Payment | undefined =>
    this.state.payments.length === 0 ? undefined : pick(this.state.payments, place);
  delivery = (place: number): Delivery | undefined =>
    this.state.deliveries.length === 0 ? undefined : pick(this.state.deliveries, place);

  /** What the answer to an action has to be, and what it will leave. */
  expect(given: Action): Expected & { declined?: string | null } {
    const { state } = this;
    switch (given.kind) {
      case 'create':
        return create(state, given);
      case 'submit':
        return submit(state, given);
      case 'issue':
        return issue(state, given);
      case 'decide': {
        const person = this.person(given.person);
        if (!person.inFlight) return REFUSED;
        return { status: 200, leave: () => decide(state, person, given.verb) };
      }
      case 'status': {
        const person = this.person(given.person);
        if (person.status === 'closed' || person.status === given.status) return REFUSED;
        return { status: 200, leave: () => Object.assign(person, { status: given.status }) };
      }
      case 'card':
        return this.#move(this.card(given.card), given);
      case 'pay':
        return pay(state, this.card(given.card), given);
      case 'settle':
      case 'reverse': {
        const payment = this.payment(given.payment);
        if (payment === undefined) return UNKNOWN;
        if (given.kind === 'reverse') return end(state, payment, 'reversed', 0);
        return end(state, payment, 'settled', partOf(payment, given.percent));
      }
      case 'topUp':
        return { status: 200, leave: () => this.#topUp(given.partner, given.amount) };
      case 'advance':
        return { status: 200, leave: () => this.#advance(state.now + given.ms) };
      case 'rotate':
        return { status: 200, leave: key => this.#rotate(given.partner, key, given.hours) };
      case 'call': {
        const key = state.keys.find(each => each.key === pick(this.keys, given.key));
        const isGood = key !== undefined && (key.until === null || state.now < key.until);
        return { status: isGood ? 200 : 401 };
      }
      case 'hooks': {
        const { hasUrl, types } = given;
        return { status: 200, leave: () => state.hooks.splice(given.partner, 1, { hasUrl, types }) };
      }
      case 'retry':
        return this.#retry(this.delivery(given.delivery), given.partner);
      case 'checkpoint':
      case 'export':
        return {
          status: given.kind === 'export' ? 200 : 201,
          leave: () => this.#kept.set(slotOf(given), structuredClone(state)),
        };
      case 'restore':
      case 'import': {
        const kept = this.#kept.get(slotOf(given));
        if (kept === undefined) return given.kind === 'restore' ? UNKNOWN : REFUSED;
        return { status: 204, leave: () => this.#swap(structuredClone(kept)) };
      }
      case 'reset':
        return { status: 204, leave: () => this.#swap(openingState()) };
    }
  }

  /** Runs what is due now. */
  settle(): void {
    this.#advance(this.state.now);
  }

  #swap(state: State): void {
    this.state = state;
  }

  #move(card: Card, { partner, move }: Action & { kind: 'card' }): Expected {
    const { from, to } = MOVES[move];
    if (card.partner !== partner) return UNKNOWN;
    if (!(from as readonly string[]).includes(card.status)) return REFUSED;
    return {
      ...DONE,
      leave: () => {
        card.status = to;
        raise(this.state, { partner, type: 'card.status.changed', resource: card.id });
      },
    };
  }

  #topUp(partner: number, amount: number): void {
    const { state } = this;
    state.toppedUp[partner] = (state.toppedUp[partner] ?? 0) + amount;
    raiseBalance(state, partner, 'balance.top_up', available(state, partner));
  }

  #rotate(partner: number, key: string, hours: number): void {
    const { keys, now } = this.state;
    const current = keys.findLast(each => each.partner === partner);
    if (current !== undefined) current.until = now + hours * 3_600_000;
    keys.push({ key, partner, until: null });
    this.keys.push(key);
  }

  #retry(delivery: Delivery | undefined, partner: number): Expected {
    const unrecorded = ['card.3ds_otp', 'cardholder.approved', 'balance.alert'];
    if (delivery === undefined || delivery.partner !== partner || unrecorded.includes(delivery.type))
      return UNKNOWN;
    if (delivery.status !== 'failed') return REFUSED;
    return {
      ...DONE,
      leave: () => Object.assign(delivery, { status: 'pending', manual: true, next: this.state.now }),
    };
  }

  /** Goes from one thing that is due to the next; what is due at one moment has no order that anybody sees. */
  #advance(target: number): void {
    const { state } = this;
    for (;;) {
      const midnight = (Math.floor(state.now / DAY) + 1) * DAY;
      const person = first(state.people, ({ due }) => due);
      const delivery = first(state.deliveries, ({ next }) => next);
      const due = Math.min(midnight, person?.due ?? Infinity, delivery?.next ?? Infinity);
      if (due > target) break;
      state.now = due;
      if (delivery?.next === due) attempt(state, delivery, this.#failing);
      else if (person?.due === due) decide(state, person, person.outcome);
      else checkLow(state);
    }
    state.now = target;
  }
}

/** How much of a payment a settlement asks for. */
export function partOf({ amount }: Payment, percent: number): number {
  return Math.max(1, Math.round((amount * percent) / 100));
}

/** The one of a list that a number stands for. */
function pick<T>(list: readonly T[], place: number): T {
  const found = list[place % list.length];
  if (found === undefined) throw new Error('the list is empty');
  return found;
}

/** The name under which a world is kept: checkpoints and documents have slots of their own. */
function slotOf({ kind, slot }: Action & { slot: number }): string {
  return `${kind === 'checkpoint' || kind === 'restore' ? 'checkpoint' : 'document'} ${slot}`;
}

function first<T>(list: readonly T[], when: (each: T) => number | null): T | undefined {
  let found: T | undefined;
  for (const each of list) {
    if ((when(each) ?? Infinity) < ((found && when(found)) ?? Infinity)) found = each;
  }
  return found;
}
