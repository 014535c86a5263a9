import type { Action } from './actions.ts';
import { raise } from './deliveries.ts';
import { newCard, newPerson, type Person, type State } from './state.ts';

/** The expected response; code and reason where the error is structured. */
export interface Expected {
  status: number;
  code?: string | undefined;
  reason?: string | undefined;
  /** Updates the model after the response; `id` is the ID in the response. */
  apply?: (id: string) => unknown;
}

/** The responses for a refusal and for an unknown record. */
export const REFUSED: Expected = { status: 400 };
export const UNKNOWN: Expected = { status: 404 };

const KYC_DELAY = 2_000;

/** The cardholder of a partner with this user number, or undefined. */
export function personOf(state: State, partner: number, user: number): Person | undefined {
  return state.people.find(each => each.partner === partner && each.user === user);
}

/** Creates or re-imports a cardholder. */
export function create(state: State, action: Action & { kind: 'create' }): Expected {
  const { assumed } = state;
  if (!action.validPhone) return { status: assumed['invalid-input-status'] };
  const { partner, user, source } = action;
  const existing = personOf(state, partner, user);
  if (existing?.lock) return { status: 409, code: 'CARDHOLDER_KYC_LOCKED', reason: existing.lock };
  if (existing !== undefined && (existing.source !== source || existing.status !== 'active')) return REFUSED;
  const lower = `person_${action.email}@example.com`;
  const email = action.upperCase ? lower.toUpperCase() : lower;
  const keyOf = (address: string) =>
    assumed['email-comparison'] === 'sensitive' ? address : address.toLowerCase();
  const isTaken = state.people.some(
    each => each.partner === partner && each !== existing && keyOf(each.email) === keyOf(email),
  );
  if (isTaken) return { status: 409, code: 'EMAIL_ALREADY_REGISTERED' };
  const token = `${partner} ${action.token}`;
  // Without magic tokens the sandbox knows none of those of the actions.
  if (assumed['magic-tokens'] === 'off') return { status: assumed['invalid-input-status'] };
  if (state.usedTokens.includes(token) || !action.token.startsWith(source)) return REFUSED;
  const outcome = action.token.split('_')[2] ?? '';
  return {
    status: existing === undefined ? 201 : 200,
    apply(id) {
      state.usedTokens.push(token);
      if (existing !== undefined) {
        Object.assign(existing, { email, outcome });
        return;
      }
      state.people.push(newPerson({ id, partner, user, email, source, outcome }));
      raise(state, { partner, type: 'cardholder.created', resource: id });
    },
  };
}

/** Submits KYC to the card provider. */
export function submit(state: State, { partner, user, validProgram }: Action & { kind: 'submit' }): Expected {
  const person = personOf(state, partner, user);
  if (person === undefined || !validProgram) return UNKNOWN;
  if (person.status !== 'active' || person.inFlight || person.kycStatus === 'approved') return REFUSED;
  if (person.kycStatus === 'rejected' && state.assumed['kyc-after-rejection'] === 'refused') return REFUSED;
  return {
    status: 200,
    apply() {
      person.kycStatus = 'pending';
      person.inFlight = true;
      person.due = person.outcome === 'manual' ? null : state.now + KYC_DELAY;
      person.lock ??= 'provider_submitted';
      state.usage[partner] = (state.usage[partner] ?? 0) + 1;
    },
  };
}

/** Applies the decision of the card provider. */
export function decide(state: State, person: Person, verb: string): void {
  person.inFlight = false;
  person.due = null;
  person.kycStatus = verb === 'reject' ? 'rejected' : 'approved';
  const { partner, id: resource } = person;
  raise(state, { partner, type: 'cardholder.kyc.updated', resource });
  if (person.kycStatus === 'approved') raise(state, { partner, type: 'cardholder.approved', resource });
}

/** Issues a card, which requires an active, approved cardholder. */
export function issue(state: State, action: Action & { kind: 'issue' }): Expected {
  const { partner, user, validProgram, smallLimits } = action;
  const person = personOf(state, partner, user);
  if (person === undefined || !validProgram) return UNKNOWN;
  if (person.status !== 'active' || person.kycStatus !== 'approved') return REFUSED;
  return {
    status: 201,
    apply(id) {
      person.lock = 'card_issued';
      const card = newCard({ id, partner, holder: person.id }, smallLimits);
      const isActive = state.assumed['card-initial-status'] === 'active';
      state.cards.push({ ...card, status: isActive ? 'active' : 'created' });
      state.usage[partner] = (state.usage[partner] ?? 0) + 1;
      raise(state, { partner, type: 'card.issued', resource: id });
    },
  };
}
