import { type Action, CARD_MOVES } from './actions.ts';
import { attempt, isListed, raise, raiseBalance } from './deliveries.ts';
import { available, checkLowBalances, expire, increment, pay, reverse, settle } from './money.ts';
import { create, decide, type Expected, issue, REFUSED, submit, UNKNOWN } from './people.ts';
import { type Assumed, USUAL } from './settings.ts';
import { type Card, type Delivery, openingState, type Payment, type Person, type State } from './state.ts';

const DAY = 24 * 3_600_000;
const DONE: Expected = { status: 200 };

/**
 * A second, independent implementation of the rules, as simple as possible: for each action the expected response and
 * the state after it.
 */
export class Model {
  state: State;
  /** Every API key ever issued, in any world. */
  readonly keys: string[];
  readonly #saved = new Map<string, State>();
  /** The worlds at the marks in the history, by slot, in the order of marking. */
  readonly #marks = new Map<number, State>();
  readonly #failurePercent: number;

  constructor(failurePercent: number, assumed: Assumed = USUAL) {
    this.state = openingState(assumed);
    this.keys = this.state.keys.map(({ key }) => key);
    this.#failurePercent = failurePercent;
  }

  /** The newest API key of a partner. */
  keyOf = (partner: number): string => {
    return this.state.keys.findLast(each => each.partner === partner)?.key ?? '';
  };

  card = (number: number): Card => pick(this.state.cards, number);
  person = (number: number): Person => pick(this.state.people, number);
  payment = (number: number): Payment | undefined =>
    this.state.payments.length === 0 ? undefined : pick(this.state.payments, number);
  delivery = (number: number): Delivery | undefined =>
    this.state.deliveries.length === 0 ? undefined : pick(this.state.deliveries, number);

  /** Returns the expected response to an action, and how the model changes with it. */
  expect(action: Action): Expected & { declined?: string | null } {
    const { state } = this;
    switch (action.kind) {
      case 'create':
        return create(state, action);
      case 'submit':
        return submit(state, action);
      case 'issue':
        return issue(state, action);
      case 'decide': {
        const person = this.person(action.person);
        if (!person.inFlight) return REFUSED;
        return { status: 200, apply: () => decide(state, person, action.verb) };
      }
      case 'status': {
        const person = this.person(action.person);
        if (person.status === 'closed' || person.status === action.status) return REFUSED;
        return { status: 200, apply: () => Object.assign(person, { status: action.status }) };
      }
      case 'card':
        return this.#move(this.card(action.card), action);
      case 'pay':
        return pay(state, this.card(action.card), action);
      case 'increment':
      case 'settle':
      case 'reverse': {
        const payment = this.payment(action.payment);
        if (payment === undefined) return UNKNOWN;
        if (action.kind === 'increment') return increment(state, payment, action.amount);
        const amount = shareOf(payment, action.percent);
        return action.kind === 'reverse'
          ? reverse(state, payment, amount)
          : settle(state, payment, amount, action.force);
      }
      case 'topUp':
        return { status: 200, apply: () => this.#topUp(action.partner, action.amount) };
      case 'advance':
        return { status: 200, apply: () => this.#advance(state.now + action.ms) };
      case 'rotate':
        return { status: 200, apply: key => this.#rotate(action.partner, key, action.hours) };
      case 'call': {
        const key = state.keys.find(each => each.key === pick(this.keys, action.key));
        const isValid = key !== undefined && (key.until === null || state.now < key.until);
        return { status: isValid ? 200 : 401 };
      }
      case 'webhooks': {
        const { hasUrl, types } = action;
        return { status: 200, apply: () => state.webhooks.splice(action.partner, 1, { hasUrl, types }) };
      }
      case 'retry':
        return this.#retry(this.delivery(action.delivery), action.partner);
      case 'checkpoint':
      case 'export':
        return {
          status: action.kind === 'export' ? 200 : 201,
          apply: () => this.#saved.set(slotOf(action), structuredClone(state)),
        };
      case 'mark':
        return {
          status: 200,
          apply: () => {
            // The newest mark is the last.
            this.#marks.delete(action.slot);
            this.#marks.set(action.slot, structuredClone(state));
          },
        };
      case 'rewind': {
        const marked = this.#marks.get(action.slot);
        if (marked === undefined) return REFUSED;
        return {
          status: 200,
          apply: () => {
            // What was marked later has not happened.
            const slots = [...this.#marks.keys()];
            for (const later of slots.slice(slots.indexOf(action.slot) + 1)) this.#marks.delete(later);
            this.#swap(structuredClone(marked));
          },
        };
      }
      case 'restore':
      case 'import': {
        const saved = this.#saved.get(slotOf(action));
        if (saved === undefined) return action.kind === 'restore' ? UNKNOWN : REFUSED;
        return { status: 204, apply: () => this.#swap(structuredClone(saved)) };
      }
      case 'reset':
        return { status: 204, apply: () => this.#swap(openingState(state.assumed)) };
    }
  }

  /** Runs everything that is due now. */
  settle(): void {
    this.#advance(this.state.now);
  }

  #swap(state: State): void {
    this.state = state;
  }

  #move(card: Card, { partner, move }: Action & { kind: 'card' }): Expected {
    const { from, to } = CARD_MOVES[move];
    if (card.partner !== partner) return UNKNOWN;
    if (!(from as readonly string[]).includes(card.status)) return REFUSED;
    return {
      ...DONE,
      apply: () => {
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
    if (delivery === undefined || delivery.partner !== partner || !isListed(this.state, delivery))
      return UNKNOWN;
    if (delivery.status !== 'failed') return REFUSED;
    return {
      ...DONE,
      apply: () => Object.assign(delivery, { status: 'pending', manual: true, next: this.state.now }),
    };
  }

  /**
   * Runs everything that is due, in order of time. At the same time, balances are checked before authorizations expire;
   * the order of the rest is not observable.
   */
  #advance(target: number): void {
    const { state } = this;
    for (;;) {
      const midnight = (Math.floor(state.now / DAY) + 1) * DAY;
      const person = earliest(state.people, ({ due }) => due);
      const delivery = earliest(state.deliveries, ({ next }) => next);
      const open = state.payments.filter(({ status }) => status === 'authorized');
      const payment = earliest(open, ({ expires }) => expires);
      const due = Math.min(
        midnight,
        person?.due ?? Infinity,
        delivery?.next ?? Infinity,
        payment?.expires ?? Infinity,
      );
      if (due > target) break;
      state.now = due;
      if (delivery?.next === due) attempt(state, delivery, this.#failurePercent);
      else if (person?.due === due) decide(state, person, person.outcome);
      else if (midnight === due) checkLowBalances(state);
      else if (payment !== undefined) expire(state, payment);
    }
    state.now = target;
  }
}

/** The amount of a settlement or reversal for a percentage of a payment. */
export function shareOf({ amount }: Payment, percent: number): number {
  return Math.max(1, Math.round((amount * percent) / 100));
}

/** The item of a list for any number. */
function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % list.length];
  if (found === undefined) throw new Error('the list is empty');
  return found;
}

/** The name under which a world is saved. Checkpoints and documents have separate slots. */
function slotOf({ kind, slot }: Action & { slot: number }): string {
  return `${kind === 'checkpoint' || kind === 'restore' ? 'checkpoint' : 'document'} ${slot}`;
}

/** The item with the earliest time, or undefined. Items whose time is null are ignored. */
function earliest<T>(list: readonly T[], timeOf: (each: T) => number | null): T | undefined {
  let found: T | undefined;
  for (const each of list) {
    if ((timeOf(each) ?? Infinity) < ((found && timeOf(found)) ?? Infinity)) found = each;
  }
  return found;
}
