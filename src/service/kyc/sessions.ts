import { assumed, badRequest } from '../../core/operation/errors.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type Identity, personFor } from './identity.ts';
import { type KycSessionRow, type KycSnapshot, kycSessions, sessionStatus, viewSession } from './records.ts';
import type { RejectionReason } from './rejection-reasons.ts';

/** Lifetime of a pending session, in sandbox time. */
export const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000;

const OPEN_ANOTHER = 'open another one with POST /v1/partner/kyc-sessions';

/**
 * Reads a KYC session without marking it as used. Throws a 404 for an unknown session, and a 400 for one that is
 * not approved or already used.
 */
export function readKycSession(state: WorldState, partnerId: string, id: string): KycSnapshot {
  const table = state.table(kycSessions);
  const row = table.owned(partnerId, id);
  const status = sessionStatus(state, row);
  if (status !== 'approved' || row.identity === null) {
    const hint = status === 'pending' ? 'it must be approved first, on its page' : OPEN_ANOTHER;
    throw badRequest(assumed('web-kyc'), `body.kycSessionId: session ${id} is ${status}; ${hint}`);
  }
  if (row.usedBy !== null) {
    throw badRequest(
      assumed('web-kyc'),
      `body.kycSessionId: session ${id} was already used, by cardholder ${row.usedBy}; ${OPEN_ANOTHER}`,
    );
  }
  return {
    identity: row.identity,
    outcome: row.outcome,
    consume: cardholderId => void table.update(id, { usedBy: cardholderId }),
  };
}

/** Opens a KYC session, which expires after 24 hours of sandbox time. */
export function openKycSession(
  state: WorldState,
  members: Pick<KycSessionRow, 'partnerId' | 'externalUserId' | 'redirectUrl'>,
): KycSessionRow {
  return state.table(kycSessions).insert({
    ...members,
    id: state.random.id('kycs'),
    status: 'pending',
    identity: null,
    outcome: 'approve',
    createdAt: state.clock.timestamp(),
    expiresAt: isoTime(state.clock.now() + SESSION_LIFETIME_MS),
    usedBy: null,
  });
}

/** What a decision stores: an approval the identity, a rejection its reasons. */
interface SessionDetails {
  readonly identity?: Identity;
  readonly reasons?: readonly RejectionReason[];
}

/**
 * Decides a pending session, as the person on the hosted page does. The identity is by default the generated person of
 * the session. Throws a 400 for a session that is not pending.
 */
export function decideKycSession(
  state: WorldState,
  row: KycSessionRow,
  status: 'approved' | 'rejected',
  { identity = personFor(row.id), reasons = [] }: SessionDetails = {},
): KycSessionRow {
  const current = sessionStatus(state, row);
  if (current !== 'pending') {
    throw badRequest(
      assumed('kyc-sessions'),
      `KYC session ${row.id} is ${current}; only a pending one can be decided`,
    );
  }
  const members = status === 'approved' ? { identity } : reasons.length > 0 ? { reasons } : {};
  const decided = state.table(kycSessions).update(row.id, { status, ...members });
  state.events.emit({
    type: status === 'approved' ? 'kyc_session.completed' : 'kyc_session.failed',
    partnerId: row.partnerId,
    resourceId: row.id,
    data: viewSession(state, decided),
  });
  return decided;
}
