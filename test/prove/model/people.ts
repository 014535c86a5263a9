import type { Action } from './actions.ts';
import { raise } from './deliveries.ts';
import { newCard, newPerson, type Person, type State } from './state.ts';

/** What the answer has to be; code and reason where the error is a structured one. */
export interface Expected {
  status: number;
  code?: string | undefined;
  reason?: string | undefined;
  /** What the model notes once the answer is there; `id` is the one in the answer. */
  leave?: (id: string) => unknown;
}

/** The answers of a refusal and of an unknown record. */
export const REFUSED: Expected = { status: 400 };
export const UNKNOWN: Expected = { status: 404 };

const KYC_DELAY = 2_000;

/** The person of a partner with this number. */
export function personOf(state: State, partner: number, who: number): Person | undefined {
  return state.people.find(each => each.partner === partner && each.who === who);
}

/** Create or re-import. */
export function create(state: State, given: Action & { kind: 'create' }): Expected {
  if (!given.valid) return REFUSED;
  const { partner, who, source } = given;
  const known = personOf(state, partner, who);
  if (known?.lock) return { status: 409, code: 'CARDHOLDER_KYC_LOCKED', reason: known.lock };
  if (known !== undefined && (known.source !== source || known.status !== 'active')) return REFUSED;
  const lower = `person_${given.email}@example.com`;
  const taken = state.people.some(
    each => each.partner === partner && each !== known && each.email.toLowerCase() === lower,
  );
  if (taken) return { status: 409, code: 'EMAIL_ALREADY_REGISTERED' };
  const token = `${partner} ${given.token}`;
  if (state.usedTokens.includes(token) || !given.token.startsWith(source)) return REFUSED;
  const email = given.capitals ? lower.toUpperCase() : lower;
  const outcome = given.token.split('_')[2] ?? '';
  return {
    status: known === undefined ? 201 : 200,
    leave(id) {
      state.usedTokens.push(token);
      if (known !== undefined) {
        Object.assign(known, { email, outcome });
        return;
      }
      state.people.push(newPerson({ id, partner, who, email, source, outcome }));
      raise(state, { partner, type: 'cardholder.created', resource: id });
    },
  };
}

/** A submission to the card provider. */
export function submit(state: State, { partner, who, known }: Action & { kind: 'submit' }): Expected {
  const person = personOf(state, partner, who);
  if (person === undefined || !known) return UNKNOWN;
  if (person.status !== 'active' || person.inFlight || person.kycStatus === 'approved') return REFUSED;
  return {
    status: 200,
    leave() {
      person.kycStatus = 'pending';
      person.inFlight = true;
      person.due = person.outcome === 'manual' ? null : state.now + KYC_DELAY;
      person.lock ??= 'provider_submitted';
      state.usage[partner] = (state.usage[partner] ?? 0) + 1;
    },
  };
}

/** The decision of the provider. */
export function decide(state: State, person: Person, verb: string): void {
  person.inFlight = false;
  person.due = null;
  person.kycStatus = verb === 'reject' ? 'rejected' : 'approved';
  const { partner, id: resource } = person;
  raise(state, { partner, type: 'cardholder.kyc.updated', resource });
  if (person.kycStatus === 'approved') raise(state, { partner, type: 'cardholder.approved', resource });
}

/** A card for a person: only one who is active and approved gets it. */
export function issue(state: State, given: Action & { kind: 'issue' }): Expected {
  const { partner, who, known, small } = given;
  const person = personOf(state, partner, who);
  if (person === undefined || !known) return UNKNOWN;
  if (person.status !== 'active' || person.kycStatus !== 'approved') return REFUSED;
  return {
    status: 201,
    leave(id) {
      person.lock = 'card_issued';
      state.cards.push(newCard({ id, partner, holder: person.id }, small));
      state.usage[partner] = (state.usage[partner] ?? 0) + 1;
      raise(state, { partner, type: 'card.issued', resource: id });
    },
  };
}
