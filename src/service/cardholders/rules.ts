import { ApiError, assumed, badRequest, type Cause, cause, documented } from '../../core/operation/errors.ts';
import { type RowRule, reference, rowRule } from '../../core/store/row-rule.ts';
import { ownKey } from '../../core/store/table-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { addressOf } from '../kyc/identity.ts';
import { type KycSnapshot, kycSessions, shareTokens, USED_BY_FIXTURE } from '../kyc/records.ts';
import { readKycSession, readShareToken, SOURCE_CAUSES } from '../kyc/rules.ts';
import { programs } from '../programs/records.ts';
import { type CardholderRow, cardholders, emailKey, lockReason, viewCardholder } from './records.ts';
import type { CreateCardholderBody } from './schema.ts';
import { canSubmit } from './submission.ts';

const EMAIL_REGISTERED = cause(409, documented('7'), 'EMAIL_ALREADY_REGISTERED');
const LOCKED = {
  card_issued: cause(409, documented('4.1'), 'CARDHOLDER_KYC_LOCKED card_issued'),
  provider_submitted: cause(409, documented('4.1'), 'CARDHOLDER_KYC_LOCKED provider_submitted'),
} as const;
const OTHER_SOURCE = cause(400, documented('4.1'), 'reimport-of-other-source');
const WEB_REIMPORT = cause(400, assumed('reimport-sources'));
const REIMPORT_INACTIVE = cause(400, documented('4.1'), 'reimport-inactive');

/** The causes for which a cardholder is neither created nor re-imported. */
export const CREATION_CAUSES: readonly Cause[] = [
  EMAIL_REGISTERED,
  ...Object.values(LOCKED),
  OTHER_SOURCE,
  WEB_REIMPORT,
  REIMPORT_INACTIVE,
  ...SOURCE_CAUSES,
];

/**
 * Creates a cardholder, or re-imports KYC onto the one with the same external id (interface section 4.1).
 * The order of the checks decides which refusal is returned. A refusal changes nothing.
 */
export function createOrReimport(
  state: WorldState,
  partnerId: string,
  body: CreateCardholderBody,
): { status: 200 | 201; row: CardholderRow } {
  const key = ownKey(partnerId, body.externalUserId);
  const existing = state.table(cardholders).find('externalUserId', key);
  if (existing !== undefined) checkReimport(state, existing, body);
  checkEmail(state, partnerId, body.email, existing?.id);
  const snapshot = readSource(state, partnerId, body);
  if (existing !== undefined) return { status: 200, row: reimport(state, existing, body, snapshot) };
  const row = addCardholder(state, partnerId, body, snapshot);
  state.emit('cardholder.created', row, viewCardholder(row));
  return { status: 201, row };
}

/** Throws the 409 of interface section 7.2 when another cardholder of the partner has this e-mail address. */
function checkEmail(state: WorldState, partnerId: string, email: string, ownId: string | undefined): void {
  const key = emailKey(partnerId, email, state.assumptions['email-comparison']);
  const holder = state.table(cardholders).find('email', key);
  if (holder === undefined || holder.id === ownId) return;
  const message = `body.email: a cardholder with this email already exists (${holder.id})`;
  throw new ApiError(409, EMAIL_REGISTERED, message, {
    details: { code: 'EMAIL_ALREADY_REGISTERED', existingCardholderId: holder.id },
  });
}

function checkReimport(state: WorldState, existing: CardholderRow, body: CreateCardholderBody): void {
  const { id, kycSource, status } = existing;
  const reason = lockReason(existing);
  if (reason !== null) {
    const cause =
      reason === 'card_issued' ? 'a card has been issued' : 'its KYC was submitted to the card provider';
    const wayOut = canSubmit(state, existing)
      ? `; its KYC can be submitted again (POST /partner/cardholders/${id}/kyc)`
      : '';
    const message = `cardholder ${id} cannot be re-imported: ${cause}; its identity can no longer be changed through the API${wayOut}`;
    throw new ApiError(409, LOCKED[reason], message, {
      details: { code: 'CARDHOLDER_KYC_LOCKED', cardholderId: id, reason },
    });
  }
  if (body.kycSource !== kycSource) {
    const message = `body.kycSource: cardholder ${id} was created with ${kycSource}; a re-import must use the same source`;
    throw badRequest(OTHER_SOURCE, message);
  }
  if (body.kycSource === 'web') {
    const message = `body.externalUserId: cardholder ${id} has it already; a re-import needs a share-token source, not web`;
    throw badRequest(WEB_REIMPORT, message);
  }
  if (status !== 'active') {
    throw badRequest(REIMPORT_INACTIVE, `cardholder ${id} is ${status}; a re-import requires status active`);
  }
}

/** Reads the KYC source. Address fields in the body override the fields of a share token. */
function readSource(state: WorldState, partnerId: string, body: CreateCardholderBody): KycSnapshot {
  if (body.kycSource === 'web') return readKycSession(state, partnerId, body.kycSessionId);
  const token = body.kycSource === 'idp1' ? body.idp1ShareToken : body.idp2ShareToken;
  const { identity, outcome, consume } = readShareToken(state, partnerId, body.kycSource, token);
  return { identity: { ...identity, ...addressOf(body) }, outcome, consume };
}

/** Inserts a cardholder, and uses up its KYC source. Does not check the cardholder or emit events. */
export function addCardholder(
  state: WorldState,
  partnerId: string,
  body: Pick<CardholderRow, 'externalUserId' | 'email' | 'phoneNumber' | 'kycSource'>,
  { identity, outcome, consume }: KycSnapshot,
): CardholderRow {
  const row = state.table(cardholders).insert({
    id: state.random.id('ch'),
    partnerId,
    externalUserId: body.externalUserId,
    firstName: identity.firstName,
    lastName: identity.lastName,
    email: body.email,
    phoneNumber: body.phoneNumber,
    kycSource: body.kycSource,
    kycStatus: 'pending',
    status: 'active',
    createdAt: state.clock.timestamp(),
    address: addressOf(identity),
    outcome,
    submission: null,
    hasCard: false,
  });
  consume(row.id);
  return row;
}

/** Overwrites the fields of the new snapshot and the body, and keeps the rest (interface section 4.1, rule 2). */
function reimport(
  state: WorldState,
  existing: CardholderRow,
  body: CreateCardholderBody,
  { identity, outcome, consume }: KycSnapshot,
): CardholderRow {
  consume(existing.id);
  return state.table(cardholders).update(existing.id, {
    firstName: identity.firstName,
    lastName: identity.lastName,
    email: body.email,
    phoneNumber: body.phoneNumber,
    address: { ...existing.address, ...addressOf(identity) },
    outcome,
  });
}

/** Changes the status of a cardholder. Throws a 400 for the current status and for a closed cardholder. */
export function changeStatus(
  state: WorldState,
  row: CardholderRow,
  status: CardholderRow['status'],
): CardholderRow {
  if (row.status === 'closed' || row.status === status) {
    const reason = row.status === 'closed' ? 'closed is final' : 'that is its status already';
    throw badRequest(
      assumed('cardholder-moves'),
      `body.status: cardholder ${row.id} is ${row.status}; ${reason}`,
    );
  }
  return state.table(cardholders).update(row.id, { status });
}

/** Invariants of cardholders and of the KYC sources they were created from. */
export const cardholderRules: readonly RowRule[] = [
  reference(
    cardholders,
    'submission.cardProgramId',
    ({ submission }) => submission?.cardProgramId ?? null,
    programs,
  ),
  rowRule(cardholders, ({ kycStatus, submission }) => {
    const isDecided = submission !== null && submission.decidedAt !== null;
    return isDecided === (kycStatus !== 'pending')
      ? null
      : 'kycStatus: must be approved or rejected after the decision on its submission, and pending before';
  }),
  rowRule(cardholders, ({ kycStatus, submission }) =>
    submission?.reasons === undefined || kycStatus === 'rejected'
      ? null
      : 'submission.reasons: only a rejected submission has reasons',
  ),
  reference(kycSessions, 'usedBy', ({ usedBy }) => usedBy, cardholders),
  reference(shareTokens, 'usedBy', ({ usedBy }) => (usedBy === USED_BY_FIXTURE ? null : usedBy), cardholders),
];
