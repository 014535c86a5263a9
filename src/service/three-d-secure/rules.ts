import type * as z from 'zod';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { type RowRule, reference } from '../../core/store/row-rule.ts';
import { keepNewest } from '../../core/store/table.ts';
import type { Hundredths } from '../../core/values/money.ts';
import { isoTime, timeOf } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { cardholders } from '../cardholders/records.ts';
import { type CardRow, cards } from '../cards/records.ts';
import { merchantFor } from '../transactions/merchants.ts';
import { type ChallengeRow, challenges, viewOtpNotice } from './records.ts';
import type { ChallengeBody } from './schema.ts';

/** Lifetime of a passcode, in sandbox time (interface section 6.1). */
const OTP_LIFETIME_MS = 60_000;
const MAX_ATTEMPTS = 3;
export const MAX_CHALLENGES = 1_000;
const OTP_DIGITS = 6;
/** The default amount, in hundredths. */
const DEFAULT_AMOUNT: Hundredths = 1_000;

/** The change that fails a challenge for good. */
const FAILED = { status: 'failed', attemptsLeft: 0 } as const;

/** Starts a challenge on a card, and emits its passcode as `card.3ds_otp`. Throws a 400 for a cancelled card. */
export function startChallenge(
  state: WorldState,
  card: CardRow,
  details: z.output<typeof ChallengeBody>,
): ChallengeRow {
  if (card.status === 'cancelled') {
    throw badRequest(assumed('three-d-secure'), `card ${card.id} is cancelled; it can no longer be used`);
  }
  const row = addChallenge(state, card, details);
  state.emit('card.3ds_otp', row, viewOtpNotice(row));
  return row;
}

/** Inserts a challenge, without an event. */
export function addChallenge(
  state: WorldState,
  card: CardRow,
  { amount = DEFAULT_AMOUNT, merchant }: z.output<typeof ChallengeBody> = {},
): ChallengeRow {
  const table = state.table(challenges);
  const row = table.insert({
    id: state.random.id('tds'),
    partnerId: card.partnerId,
    cardId: card.id,
    cardholderId: card.cardholderId,
    status: 'pending',
    otp: state.secrets.stream('otp').digits(OTP_DIGITS),
    attemptsLeft: MAX_ATTEMPTS,
    amount,
    merchant: merchantFor(state, 'sale', merchant),
    expiresAt: isoTime(state.clock.now() + OTP_LIFETIME_MS),
  });
  keepNewest(table, row.partnerId, MAX_CHALLENGES, () => [
    table.group('finished', row.partnerId),
    table.group('pending', row.partnerId).within({ to: state.clock.now() }),
  ]);
  return row;
}

/**
 * Verifies a passcode. The correct one in time approves; the third wrong one, and any late one, fails the challenge
 * for good. Throws a 400 for an approved challenge: a passcode works once.
 */
export function verifyChallenge(state: WorldState, row: ChallengeRow, otp: string): ChallengeRow {
  if (row.status === 'approved') {
    const message = `3DS challenge ${row.id} is already approved and its OTP is used; start another one`;
    throw badRequest(assumed('three-d-secure'), message);
  }
  if (row.status === 'failed') return row;
  const table = state.table(challenges);
  if (isExpired(state, row)) return table.update(row.id, FAILED);
  if (otp === row.otp) return table.update(row.id, { status: 'approved' });
  const attemptsLeft = row.attemptsLeft - 1;
  return table.update(row.id, { attemptsLeft, status: attemptsLeft === 0 ? 'failed' : 'pending' });
}

/** Returns a challenge as it is now: a pending one that has expired counts as failed. */
export function currentChallenge(state: WorldState, row: ChallengeRow): ChallengeRow {
  return row.status === 'pending' && isExpired(state, row) ? { ...row, ...FAILED } : row;
}

function isExpired(state: WorldState, { expiresAt }: ChallengeRow): boolean {
  return state.clock.now() >= timeOf(expiresAt);
}

/** Invariants of 3-D Secure challenges. */
export const challengeRules: readonly RowRule[] = [
  reference(challenges, 'cardId', ({ cardId }) => cardId, cards),
  reference(challenges, 'cardholderId', ({ cardholderId }) => cardholderId, cardholders),
];
