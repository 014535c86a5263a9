import { type Client, RefusedError } from '../../../client/client.ts';
import type { Balance, CardDetails, CardholderDetails } from '../../../client/generated/records.ts';
import type { Scenario } from '../file/read.ts';

type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet';

/** What is known of a person at a moment, in the words of the audience. */
interface Fact {
  readonly name: string;
  readonly value: string;
  readonly tone: Tone | null;
}

/** A person, or the balance of the partner, as the audience sees them after a step. */
export interface ShownPerson {
  readonly name: string;
  readonly facts: readonly (Fact & { readonly isChanged: boolean; readonly before: string | null })[];
}

/** Somebody whose facts can be compared with what they were. */
interface Known {
  readonly name: string;
  /** The balance is shown from the step on that changes it. */
  readonly isHidden?: boolean;
  readonly facts: readonly Fact[];
}

/** Whom a story is about at a moment, by their keys. */
export type KnownPeople = ReadonlyMap<string, Known>;

const ID = /(?<![\w-])(?:ch|card)_[\w-]+/g;
const BALANCE = 'balance';

const KYC: Readonly<Record<CardholderDetails['kyc']['state'], readonly [string, Tone]>> = {
  not_submitted: ['not submitted', 'quiet'],
  in_flight: ['with the card provider', 'warn'],
  approved: ['passed', 'good'],
  rejected: ['failed', 'bad'],
};

const CARDS: Readonly<Record<CardDetails['status'], readonly [string, Tone]>> = {
  created: ['not active yet', 'quiet'],
  active: ['active', 'good'],
  frozen: ['frozen', 'info'],
  cancelled: ['cancelled', 'bad'],
};

/** Reads whom a story is about. */
export class PeopleReader {
  readonly #client: Client;
  readonly #scenario: Scenario;
  readonly #partner: { readonly id: string; readonly name: string };
  readonly #isAboutCorrections: boolean;

  constructor(client: Client, scenario: Scenario, partner: { readonly id: string; readonly name: string }) {
    this.#client = client;
    this.#scenario = scenario;
    this.#isAboutCorrections = JSON.stringify(scenario.steps).includes('CARDHOLDER_KYC_LOCKED');
    this.#partner = { id: partner.id, name: scenario.parties.partner ?? partner.name };
  }

  /** Reads everybody. `variables` come from the player, `before` from the moment before the step. */
  async read(variables: ReadonlyMap<string, unknown>, before: KnownPeople): Promise<KnownPeople> {
    const all = new Map<string, Known>();
    const shown = new Set<string>();
    for (const [variable, name] of Object.entries(this.#scenario.people)) {
      const id = String(variables.get(variable) ?? '');
      shown.add(id);
      const person = id === '' ? null : await this.#read<CardholderDetails>(`/cardholders/${encode(id)}`);
      all.set(variable, { name, facts: await this.#factsOf(person) });
    }
    const text = JSON.stringify([this.#scenario.steps, ...variables.values()]);
    for (const [id] of text.matchAll(ID)) {
      const cardholderId = await this.#cardholderOf(id);
      if (cardholderId === null || shown.has(cardholderId)) continue;
      shown.add(cardholderId);
      const person = await this.#read<CardholderDetails>(`/cardholders/${encode(cardholderId)}`);
      if (person === null) continue;
      const [, ...facts] = await this.#factsOf(person);
      all.set(cardholderId, { name: nameOf(person), facts });
    }
    const balance = await this.#balance(before.get(BALANCE));
    return balance === null ? all : all.set(BALANCE, balance);
  }

  /** Returns the cardholder that an id is, or whose card it is. Null when it is neither, or not yet. */
  async #cardholderOf(id: string): Promise<string | null> {
    if (!id.startsWith('card_')) return id;
    return (await this.#read<CardDetails>(`/cards/${encode(id)}`))?.cardholderId ?? null;
  }

  async #factsOf(person: CardholderDetails | null): Promise<Fact[]> {
    const { name } = this.#partner;
    if (person === null) return [fact('Name', `not known to ${name} yet`, 'quiet')];
    const { status } = person;
    const [kyc, tone] = KYC[person.kyc.state];
    const cards = (await this.#read<CardDetails[]>(`/cards?cardholderId=${encode(person.id)}`)) ?? [];
    return [
      fact('Name', nameOf(person)),
      ...(status === 'active' ? [] : [fact('Customer', status, 'bad')]),
      fact('Identity check', kyc, tone),
      ...(this.#isAboutCorrections ? [fact('Corrections', corrections(person), 'quiet')] : []),
      ...(cards.length === 0 ? [fact('Card', 'none', 'quiet')] : cards.flatMap(cardFacts)),
    ];
  }

  /** The balance of the partner, hidden until the story has changed it. */
  async #balance(before: Known | undefined): Promise<Known | null> {
    const { id, name } = this.#partner;
    const balance = await this.#read<Balance>(`/balance?partnerId=${encode(id)}`);
    if (balance === null) return null;
    const { available, held, currency } = balance;
    const facts = [fact('Available', money(available, currency)), fact('Reserved', money(held, currency))];
    const isHidden =
      before === undefined || (before.isHidden === true && before.facts[0]?.value === facts[0]?.value);
    return { name: `${name}'s balance`, facts, isHidden };
  }

  async #read<T>(path: string): Promise<T | null> {
    try {
      // The control plane validates its responses.
      return (await this.#client.control({ method: 'GET', path })).body as T;
    } catch (error) {
      if (error instanceof RefusedError) return null;
      throw error;
    }
  }
}

const encode = encodeURIComponent;

function fact(name: string, value: string, tone: Tone | null = null): Fact {
  return { name, value, tone };
}

function nameOf({ firstName, lastName }: CardholderDetails): string {
  return `${firstName} ${lastName}`;
}

/** Whether the identity can still be corrected, and if not, why. */
function corrections({ lockReason, kyc, status }: CardholderDetails): string {
  if (lockReason === null) return status === 'active' ? 'possible' : `closed: customer ${status}`;
  if (lockReason === 'card_issued') return 'closed: card issued';
  return kyc.state === 'in_flight' ? 'closed: being checked' : 'closed: checked';
}

/** The state of a card, and what it has spent as soon as that is something. */
function cardFacts({ last4, status, limit, currency, spendControl: { spent } }: CardDetails): Fact[] {
  const [state, tone] = CARDS[status];
  const sum = spent.sales.allTime + spent.cash.allTime;
  const spending = `${money(sum)} of ${limit.toLocaleString('en')} ${currency}`;
  return [fact(`Card …${last4}`, state, tone), ...(sum === 0 ? [] : [fact('Spent', spending)])];
}

function money(amount: number, currency?: string): string {
  const text = amount.toLocaleString('en', { minimumFractionDigits: 2 });
  return currency === undefined ? text : `${text} ${currency}`;
}

/** Returns everybody with what differs from the moment before. */
export function comparePeople(now: KnownPeople, before: KnownPeople): ShownPerson[] {
  return [...now]
    .filter(([, { isHidden }]) => !isHidden)
    .map(([key, { name, facts }]) => ({
      name,
      facts: facts.map(fact => compare(fact, before.get(key)?.facts)),
    }));
}

/** Returns a fact with what it was. Of somebody who is new nothing has changed. */
function compare(now: Fact, facts: readonly Fact[] | undefined): ShownPerson['facts'][number] {
  if (facts === undefined) return { ...now, isChanged: false, before: null };
  const before = facts.find(({ name }) => name === now.name)?.value ?? null;
  const isChanged = before !== now.value;
  return { ...now, isChanged, before: isChanged ? before : null };
}
