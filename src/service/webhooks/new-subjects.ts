import type { WorldState } from '../../core/world/world-state.ts';
import { type CardholderRow, cardholders } from '../cardholders/records.ts';
import { addCardholder } from '../cardholders/rules.ts';
import type { CardRow } from '../cards/records.ts';
import { addCard } from '../cards/rules.ts';
import { exampleEmail, personFor } from '../kyc/identity.ts';
import { type KycSessionRow, kycSessions } from '../kyc/records.ts';
import { mintShareToken, openKycSession } from '../kyc/rules.ts';
import { addAuthorization } from '../network/rules.ts';
import { programs } from '../programs/records.ts';
import type { ChallengeRow } from '../three-d-secure/records.ts';
import { addChallenge } from '../three-d-secure/rules.ts';
import type { TransactionRow } from '../transactions/records.ts';
import { recordUsage } from '../usage/records.ts';

// What an event is about, for a partner that has no such record yet: like any other record, but made without events of
// its own. All but sessions and cardholders without KYC need a card program. Without one, nothing is made.

const PHONE_NUMBER = '+4915123456789';
/** The amount of a new transaction, in hundredths. */
const AMOUNT = 4_250;

/** Makes a cardholder: with approved KYC, or by default before its submission. */
export function newCardholder(
  state: WorldState,
  partnerId: string,
  kycStatus?: string,
): CardholderRow | null {
  const program = state.table(programs).ofPartner(partnerId).at(0);
  if (kycStatus !== undefined && program === undefined) return null;
  const externalUserId = state.random.id('user');
  const row = addCardholder(
    state,
    partnerId,
    {
      externalUserId,
      email: exampleEmail(externalUserId),
      phoneNumber: PHONE_NUMBER,
      kycSource: 'idp1',
    },
    {
      identity: personFor(externalUserId, state.setup.people),
      outcome: 'approve',
      consume: usedBy =>
        mintShareToken(state, {
          partnerId,
          source: 'idp1',
          outcome: 'approve',
          identity: personFor(externalUserId, state.setup.people),
          usedBy,
        }),
    },
  );
  if (kycStatus === undefined || program === undefined) return row;
  recordUsage(state, program, 'kyc_verification', row.id);
  const now = state.clock.timestamp();
  const submission = { cardProgramId: program.id, submittedAt: now, decidedAt: now };
  return state.table(cardholders).update(row.id, { kycStatus: 'approved', submission });
}

/** Makes an active card, or by default one that is not activated yet, of a new cardholder. */
export function newCard(state: WorldState, partnerId: string, status?: string): CardRow | null {
  const program = state.table(programs).ofPartner(partnerId).at(0);
  const cardholder = newCardholder(state, partnerId, 'approved');
  if (program === undefined || cardholder === null) return null;
  const card = addCard(state, cardholder, program, { status: status === undefined ? 'created' : 'active' });
  recordUsage(state, program, 'card_issuance', card.id);
  return card;
}

/** Makes a transaction of a new card, authorized if the balance allows it. */
export function newTransaction(state: WorldState, partnerId: string): TransactionRow | null {
  const card = newCard(state, partnerId, 'active');
  return card && addAuthorization(state, card, { amount: AMOUNT, type: 'sale' }).row;
}

export function newChallenge(state: WorldState, partnerId: string): ChallengeRow | null {
  const card = newCard(state, partnerId, 'active');
  return card && addChallenge(state, card);
}

export function newKycSession(state: WorldState, partnerId: string, status?: string): KycSessionRow {
  const session = openKycSession(state, { partnerId, externalUserId: null, redirectUrl: null });
  const decided =
    status === 'rejected'
      ? ({ status: 'rejected' } as const)
      : ({ status: 'approved', identity: personFor(session.id, state.setup.people) } as const);
  return state.table(kycSessions).update(session.id, decided);
}
