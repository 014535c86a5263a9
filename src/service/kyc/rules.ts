import { partners } from '../../core/access/partners.ts';
import {
  assumed,
  badRequest,
  type Cause,
  cause,
  documented,
  invalidInput,
  type TableLookup,
  unknownRecord,
} from '../../core/operation/errors.ts';
import { type RowRule, rowRule } from '../../core/store/row-rule.ts';
import { ownKey } from '../../core/store/table-definition.ts';
import { isoTime, timeOf } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type Identity, personFor } from './identity.ts';
import {
  type KycOutcome,
  type KycSessionRow,
  type KycSnapshot,
  kycSessions,
  type ShareTokenRow,
  sessionStatus,
  shareTokens,
  type TokenSource,
  viewSession,
} from './records.ts';
import type { RejectionReason } from './rejection-reasons.ts';
import { KYC_OUTCOMES, TOKEN_SOURCES } from './schema.ts';

const TOKEN_UNKNOWN = cause(400, assumed('share-tokens'), 'share-token-unknown');
const TOKEN_OF_OTHER_SOURCE = cause(400, assumed('share-tokens'), 'share-token-of-other-source');
const TOKEN_USED = cause(400, documented('4.1'), 'share-token-used');
const TOKEN_EXPIRED = cause(400, assumed('share-tokens'), 'share-token-expired');
const SESSION_NOT_APPROVED = cause(400, assumed('web-kyc'), 'kyc-session-not-approved');
const SESSION_USED = cause(400, assumed('web-kyc'), 'kyc-session-used');

/** The causes for which a source of KYC is refused. */
export const SOURCE_CAUSES: readonly Cause[] = [
  TOKEN_UNKNOWN,
  TOKEN_OF_OTHER_SOURCE,
  TOKEN_USED,
  TOKEN_EXPIRED,
  SESSION_NOT_APPROVED,
  SESSION_USED,
  unknownRecord(kycSessions.kind),
];

const MAGIC_TOKEN = /^(idp1|idp2)_test_(approve|reject|manual)_./;

/**
 * Reads a share token without marking it as used (interface section 4.1, rules 1 and 5). Throws a 400 for a token
 * that is unknown, of another source, used or expired. A magic token works without minting: its text names the
 * outcome.
 */
export function readShareToken(
  state: WorldState,
  partnerId: string,
  source: TokenSource,
  token: string,
): KycSnapshot {
  const field = `body.${source}ShareToken`;
  const table = state.table(shareTokens);
  const minted = table.find('token', ownKey(partnerId, token));
  const isMagicOn = state.assumptions['magic-tokens'] === 'on';
  const known = minted ?? (isMagicOn ? magicToken(token, state.setup.people) : null);
  if (known === null) {
    throw invalidInput(
      TOKEN_UNKNOWN,
      `${field}: unknown share token; issue one with POST /_sandbox/share-tokens${isMagicOn ? `, or use a magic token such as ${source}_test_approve_<anything>` : ''}`,
      foreignTokenHint(state, field, token),
      { subject: `${field}: the share token`, isIn: other => minterOf(other, token) !== undefined },
    );
  }
  if (known.source !== source) {
    throw badRequest(
      TOKEN_OF_OTHER_SOURCE,
      `${field}: is a share token of ${known.source}, not of ${source}`,
    );
  }
  if (known.usedBy !== null) {
    throw badRequest(TOKEN_USED, `${field}: was already used; a share token is single-use, issue a new one`);
  }
  if (known.expiresAt !== null && state.clock.now() >= timeOf(known.expiresAt)) {
    throw badRequest(TOKEN_EXPIRED, `${field}: expired at ${known.expiresAt}; issue a new one`);
  }
  const { identity, outcome } = known;
  return {
    identity,
    outcome,
    consume(usedBy) {
      if (minted !== undefined) table.update(minted.id, { usedBy });
      else addShareToken(state, { partnerId, token, source, outcome, identity, expiresAt: null, usedBy });
    },
  };
}

/** The hint for the journal about a token that another partner minted, or null when none did. */
function foreignTokenHint(state: WorldState, field: string, token: string): string | null {
  const id = minterOf(state, token);
  return id === undefined
    ? null
    : `${field}: is a share token of ${id}; the request has the key of another partner`;
}

/** Returns the id of the partner that minted a token in a world, or undefined when none did. */
function minterOf(world: TableLookup, token: string): string | undefined {
  const tokens = world.anyTable(shareTokens);
  for (const { id } of world.anyTable(partners).all()) {
    if (tokens.find('token', ownKey(id, token)) !== undefined) return id;
  }
  return undefined;
}

/** Returns the token that a magic text describes, or null for any other text. It is stored once it is used. */
function magicToken(
  token: string,
  people: WorldState['setup']['people'],
): Pick<ShareTokenRow, 'source' | 'outcome' | 'identity' | 'expiresAt' | 'usedBy'> | null {
  const [, source, outcome] = MAGIC_TOKEN.exec(token) ?? [];
  if (source === undefined) return null;
  return {
    // The pattern matches exactly these sources and outcomes. All rows share the texts of the lists.
    source: TOKEN_SOURCES.find(each => each === source) ?? 'idp1',
    outcome: KYC_OUTCOMES.find(each => each === outcome) ?? 'approve',
    identity: personFor(token, people),
    expiresAt: null,
    usedBy: null,
  };
}

/** Mints a share token. What the identity leaves out is generated from the token's text. */
export function mintShareToken(
  state: WorldState,
  members: {
    readonly partnerId: string;
    readonly token?: string | undefined;
    readonly source: TokenSource;
    readonly outcome: KycOutcome;
    readonly identity?: Partial<Identity> | undefined;
    readonly expiresAt?: string | undefined;
    readonly usedBy?: string | undefined;
  },
): ShareTokenRow {
  // Without the name of the source, which partners replace by their own (`--names`).
  const token = members.token ?? state.random.id('share');
  const { partnerId, source, outcome, expiresAt = null, usedBy = null } = members;
  const identity = { ...personFor(token, state.setup.people), ...members.identity };
  return addShareToken(state, { partnerId, token, source, outcome, identity, expiresAt, usedBy });
}

function addShareToken(state: WorldState, members: Omit<ShareTokenRow, 'id' | 'createdAt'>): ShareTokenRow {
  // Its members are named: what is spread into an object is kept beside it, which takes a third more memory.
  return state.table(shareTokens).insert({
    id: state.random.id('tok'),
    partnerId: members.partnerId,
    token: members.token,
    source: members.source,
    outcome: members.outcome,
    identity: members.identity,
    createdAt: state.clock.timestamp(),
    expiresAt: members.expiresAt,
    usedBy: members.usedBy,
  });
}

/** Lifetime of a pending session, in sandbox time. */
export const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000;

const OPEN_ANOTHER = 'open another one with POST /v1/partner/kyc-sessions';

/** Throws a 404 for an unknown session, and a 400 for one that is not approved or already used. */
export function readKycSession(state: WorldState, partnerId: string, id: string): KycSnapshot {
  const table = state.table(kycSessions);
  const row = table.getOwn(partnerId, id);
  const status = sessionStatus(state, row);
  if (status !== 'approved' || row.identity === null) {
    const hint = status === 'pending' ? 'it must be approved first, on its page' : OPEN_ANOTHER;
    throw badRequest(SESSION_NOT_APPROVED, `body.kycSessionId: session ${id} is ${status}; ${hint}`);
  }
  if (row.usedBy !== null) {
    throw badRequest(
      SESSION_USED,
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
  { identity = personFor(row.id, state.setup.people), reasons = [] }: SessionDetails = {},
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
  const type = status === 'approved' ? 'kyc_session.completed' : 'kyc_session.failed';
  state.emit(type, decided, viewSession(state, decided, state.setup.origin()));
  return decided;
}

/** Invariants of KYC sessions. */
export const kycRules: readonly RowRule[] = [
  rowRule(kycSessions, ({ status, identity }) =>
    (identity !== null) === (status === 'approved')
      ? null
      : 'identity: must be set in an approved session, and null in any other',
  ),
  rowRule(kycSessions, ({ status, reasons }) =>
    reasons === undefined || status === 'rejected' ? null : 'reasons: only a rejected session has reasons',
  ),
  rowRule(kycSessions, ({ status, usedBy }) =>
    usedBy === null || status === 'approved' ? null : 'usedBy: only an approved session can be used',
  ),
];
