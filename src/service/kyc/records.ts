import * as z from 'zod';
import { pagePath } from '../../core/page/page.ts';
import {
  defineTable,
  ownKey,
  type RowOf,
  rowSchema,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import { HttpUrl } from '../../core/values/url.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { Identity } from './identity.ts';
import { RejectionReasons } from './rejection-reasons.ts';
import { KYC_OUTCOMES, type KycSession, type ShareToken, TOKEN_SOURCES } from './schema.ts';

/** What the simulated provider decides; `manual` waits for the control plane. */
export type KycOutcome = (typeof KYC_OUTCOMES)[number];
/** Where a share token comes from. */
export type TokenSource = (typeof TOKEN_SOURCES)[number];

/** The content of a KYC source: who the person is, and what the card provider will decide. */
export interface KycSnapshot {
  readonly identity: Identity;
  readonly outcome: KycOutcome;
  /** Marks the source as used by this cardholder. Call it after all other checks. */
  consume(cardholderId: string): void;
}

const StoredIdentity = z.strictObject(Identity.shape);

const ShareTokenRow = rowSchema(() => ({
  token: z.string().min(1),
  source: z.enum(TOKEN_SOURCES),
  outcome: z.enum(KYC_OUTCOMES),
  identity: StoredIdentity,
  createdAt: StoredTime,
  expiresAt: StoredTime.nullable(),
  usedBy: StoredId.nullable(),
}));

/** A share token: a snapshot of a donor's session, valid for one accepted create or re-import. */
export type ShareTokenRow = RowOf<typeof ShareTokenRow>;

/** The `usedBy` of a share token that a fixture marks as used; it is not a cardholder. */
export const USED_BY_FIXTURE = 'fixture';

/** Share tokens. A token belongs to one partner and is unknown to the others. */
export const shareTokens = defineTable({
  kind: 'share token',
  row: ShareTokenRow,
  unique: { token: row => ownKey(row.partnerId, row.token) },
});

const KycSessionRow = rowSchema(() => ({
  /** As stored; a pending session past `expiresAt` counts as expired. */
  status: z.enum(['pending', 'approved', 'rejected']),
  externalUserId: StoredId.nullable(),
  redirectUrl: HttpUrl.nullable(),
  /** The confirmed identity; null before the session is approved. */
  identity: StoredIdentity.nullable(),
  /** What the card provider decides about the cardholder created from it. */
  outcome: z.enum(KYC_OUTCOMES),
  createdAt: StoredTime,
  expiresAt: StoredTime,
  usedBy: StoredId.nullable(),
  /** Why it was rejected, if reasons were given. */
  reasons: RejectionReasons.exactOptional(),
}));

/** A KYC session on the hosted page. */
export type KycSessionRow = RowOf<typeof KycSessionRow>;

export const kycSessions = defineTable({
  kind: 'KYC session',
  row: KycSessionRow,
  groups: { status: row => `${row.partnerId} ${row.status}` },
});

/** Returns the current status of a session, by the sandbox clock. */
export function sessionStatus(state: WorldState, row: KycSessionRow): z.output<typeof KycSession>['status'] {
  return row.status === 'pending' && state.clock.now() >= timeOf(row.expiresAt) ? 'expired' : row.status;
}

/** Returns the session as the API shows it, with a link to its page at `origin`. */
export function viewSession(
  state: WorldState,
  row: KycSessionRow,
  origin: string,
): z.input<typeof KycSession> {
  const { id, externalUserId, createdAt, expiresAt } = row;
  return {
    id,
    url: origin + pagePath(state, `/kyc/${id}`),
    status: sessionStatus(state, row),
    externalUserId,
    createdAt,
    expiresAt,
  };
}

export function viewShareToken({ id: _id, ...row }: ShareTokenRow): z.input<typeof ShareToken> {
  return row;
}
