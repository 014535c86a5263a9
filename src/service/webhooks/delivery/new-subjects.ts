import type { World } from '../../../core/world/world.ts';
import { type CardholderRow, cardholders } from '../../cardholders/records.ts';
import { addCardholder } from '../../cardholders/rules.ts';
import type { CardRow } from '../../cards/records.ts';
import { addCard } from '../../cards/rules.ts';
import { personFor } from '../../kyc/identity.ts';
import { type KycSessionRow, kycSessions } from '../../kyc/records.ts';
import { openKycSession } from '../../kyc/sessions.ts';
import { mintShareToken } from '../../kyc/share-tokens.ts';
import { programs } from '../../programs/records.ts';
import type { ChallengeRow } from '../../three-d-secure/records.ts';
import { addChallenge } from '../../three-d-secure/rules.ts';
import type { TransactionRow } from '../../transactions/records.ts';
import { addAuthorization } from '../../transactions/rules.ts';
import { recordUsage } from '../../usage/records.ts';

// What an event is about, for a partner that has no such record yet: like any other record, but made without events of
// its own. All but sessions and cardholders without KYC need a card program. Without one, nothing is made.

const PHONE_NUMBER = '+4915123456789';
/** The amount of a new transaction, in hundredths. */
const AMOUNT = 4_250;

/** Makes a cardholder: with approved KYC, or by default before its submission. */
export function newCardholder(world: World, partnerId: string, kycStatus?: string): CardholderRow | null {
  const program = world.table(programs).ofPartner(partnerId).at(0);
  if (kycStatus !== undefined && program === undefined) return null;
  const externalUserId = world.random.id('user');
  const row = addCardholder(
    world,
    partnerId,
    {
      externalUserId,
      email: `${externalUserId}@example.com`,
      phoneNumber: PHONE_NUMBER,
      kycSource: 'idp1',
    },
    {
      identity: personFor(externalUserId),
      outcome: 'approve',
      consume: usedBy =>
        mintShareToken(world, {
          partnerId,
          source: 'idp1',
          outcome: 'approve',
          identity: personFor(externalUserId),
          usedBy,
        }),
    },
  );
  if (kycStatus === undefined || program === undefined) return row;
  recordUsage(world, program, 'kyc_verification', row.id);
  const now = world.clock.timestamp();
  const submission = { cardProgramId: program.id, submittedAt: now, decidedAt: now };
  return world.table(cardholders).update(row.id, { kycStatus: 'approved', submission });
}

/** Makes an active card, or by default one that is not activated yet, of a new cardholder. */
export function newCard(world: World, partnerId: string, status?: string): CardRow | null {
  const program = world.table(programs).ofPartner(partnerId).at(0);
  const cardholder = newCardholder(world, partnerId, 'approved');
  if (program === undefined || cardholder === null) return null;
  const card = addCard(world, cardholder, program, { status: status === undefined ? 'created' : 'active' });
  recordUsage(world, program, 'card_issuance', card.id);
  return card;
}

/** Makes a transaction of a new card, authorized if the balance allows it. */
export function newTransaction(world: World, partnerId: string): TransactionRow | null {
  const card = newCard(world, partnerId, 'active');
  return card && addAuthorization(world, card, { amount: AMOUNT, type: 'sale' }).row;
}

/** Makes a pending 3-D Secure challenge on a new card. */
export function newChallenge(world: World, partnerId: string): ChallengeRow | null {
  const card = newCard(world, partnerId, 'active');
  return card && addChallenge(world, card);
}

/** Makes a KYC session that is approved or rejected. */
export function newKycSession(world: World, partnerId: string, status?: string): KycSessionRow {
  const session = openKycSession(world, { partnerId, externalUserId: null, redirectUrl: null });
  const decided =
    status === 'rejected'
      ? ({ status: 'rejected' } as const)
      : ({ status: 'approved', identity: personFor(session.id) } as const);
  return world.table(kycSessions).update(session.id, decided);
}
