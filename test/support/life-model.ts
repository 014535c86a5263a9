type Source = 'idp1' | 'idp2';
type Status = 'active' | 'suspended' | 'closed';

/** Something done to one of a few cardholders, who are told apart by number. */
export type Action =
  | {
      kind: 'create';
      who: number;
      email: number;
      capitals: boolean;
      source: Source;
      token: string;
      valid: boolean;
    }
  | { kind: 'submit' | 'issue'; who: number; known: boolean }
  | { kind: 'decide'; who: number; verb: 'approve' | 'reject' }
  | { kind: 'move'; who: number; status: Status }
  | { kind: 'wait'; ms: number };

/** What the answer has to be; code and reason where the error is a structured one. */
export interface Expected {
  status: number;
  code?: string;
  reason?: string;
}

interface Person {
  id: string;
  who: number;
  email: string;
  source: Source;
  status: Status;
  kycStatus: 'pending' | 'approved' | 'rejected';
  outcome: string;
  lock: 'provider_submitted' | 'card_issued' | null;
  inFlight: boolean;
  due: number | null;
}

const KYC_DELAY = 2_000;
const NOT_FOUND: Expected = { status: 404 };
const REFUSED: Expected = { status: 400 };
const DONE: Expected = { status: 200 };

/** The rules of a cardholder's life once more, written from the outside: what each action answers, and what it leaves. */
export class Life {
  readonly people: Person[] = [];
  cards = 0;
  submissions = 0;
  #now = 0;
  readonly #usedTokens = new Set<string>();

  idOf(who: number): string | undefined {
    return this.#person(who)?.id;
  }

  named(who: number, id: string): void {
    const person = this.#person(who);
    if (person !== undefined) person.id = id;
  }

  expect(given: Action): Expected {
    if (given.kind === 'create') return this.#create(given);
    if (given.kind === 'wait') return this.#wait(given.ms);
    const person = this.#person(given.who);
    if (person === undefined) return NOT_FOUND;
    switch (given.kind) {
      case 'submit':
        return given.known ? this.#submit(person) : NOT_FOUND;
      case 'issue':
        return given.known ? this.#issue(person) : NOT_FOUND;
      case 'decide':
        return this.#decide(person, given.verb);
      case 'move':
        if (person.status === 'closed' || person.status === given.status) return REFUSED;
        person.status = given.status;
        return DONE;
    }
  }

  #person(who: number): Person | undefined {
    return this.people.find(person => person.who === who);
  }

  #create(given: Action & { kind: 'create' }): Expected {
    if (!given.valid) return REFUSED;
    const known = this.#person(given.who);
    if (known?.lock) return { status: 409, code: 'CARDHOLDER_KYC_LOCKED', reason: known.lock };
    if (known !== undefined && known.source !== given.source) return REFUSED;
    if (known !== undefined && known.status !== 'active') return REFUSED;
    const lower = `person_${given.email}@example.com`;
    const holder = this.people.find(person => person.email.toLowerCase() === lower);
    if (holder !== undefined && holder !== known) return { status: 409, code: 'EMAIL_ALREADY_REGISTERED' };
    if (this.#usedTokens.has(given.token) || !given.token.startsWith(given.source)) return REFUSED;
    this.#usedTokens.add(given.token);
    const email = given.capitals ? lower.toUpperCase() : lower;
    const outcome = given.token.split('_')[2] ?? '';
    if (known !== undefined) {
      Object.assign(known, { email, outcome });
      return DONE;
    }
    this.people.push({
      id: '',
      who: given.who,
      email,
      source: given.source,
      status: 'active',
      kycStatus: 'pending',
      outcome,
      lock: null,
      inFlight: false,
      due: null,
    });
    return { status: 201 };
  }

  #submit(person: Person): Expected {
    if (person.status !== 'active' || person.inFlight || person.kycStatus === 'approved') return REFUSED;
    person.kycStatus = 'pending';
    person.inFlight = true;
    person.due = person.outcome === 'manual' ? null : this.#now + KYC_DELAY;
    person.lock ??= 'provider_submitted';
    this.submissions += 1;
    return DONE;
  }

  #decide(person: Person, verb: string): Expected {
    if (!person.inFlight) return REFUSED;
    person.inFlight = false;
    person.due = null;
    person.kycStatus = verb === 'reject' ? 'rejected' : 'approved';
    return DONE;
  }

  #issue(person: Person): Expected {
    if (person.status !== 'active' || person.kycStatus !== 'approved') return REFUSED;
    person.lock = 'card_issued';
    this.cards += 1;
    return { status: 201 };
  }

  #wait(ms: number): Expected {
    this.#now += ms;
    for (const person of this.people) {
      if (person.due !== null && person.due <= this.#now) this.#decide(person, person.outcome);
    }
    return DONE;
  }
}
