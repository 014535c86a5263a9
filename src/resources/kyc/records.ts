import type * as z from 'zod';
import { defineTable, type Row } from '../../kernel/store.ts';
import type { World } from '../../kernel/world.ts';
import type { Identity } from './identity.ts';
import type { KycSession, OUTCOMES, ShareToken, TOKEN_SOURCES } from './schema.ts';

/** What the simulated provider decides. */
export type Outcome = (typeof OUTCOMES)[number];
/** Where a share token comes from. */
export type TokenSource = (typeof TOKEN_SOURCES)[number];

/** What a KYC source says of a person: who it is, and what the card provider will decide. */
export interface KycSnapshot {
  readonly identity: Identity;
  readonly outcome: Outcome;
  /** Uses the source up for this cardholder. Call it once everything else is checked. */
  consume(cardholderId: string): void;
}

/** A share token: a snapshot of a donor's session, good for one accepted create or re-import. */
export interface ShareTokenRow extends Row {
  readonly token: string;
  readonly source: TokenSource;
  readonly outcome: Outcome;
  readonly identity: Identity;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly usedBy: string | null;
}

/** Share tokens. A token belongs to one partner; another's is unknown. */
export const shareTokens = defineTable<ShareTokenRow>()({
  kind: 'share token',
  unique: { token: row => tokenKey(row.partnerId, row.token) },
  groups: {},
});

/** A KYC session on the hosted page. */
export interface KycSessionRow extends Row {
  /** As decided; a pending session past `expiresAt` counts as expired. */
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly externalUserId: string | null;
  readonly redirectUrl: string | null;
  /** Who was identified; null before the session is approved. */
  readonly identity: Identity | null;
  /** What the card provider decides about the cardholder made from it. */
  readonly outcome: Outcome;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedBy: string | null;
}

/** KYC sessions. */
export const kycSessions = defineTable<KycSessionRow>()({ kind: 'KYC session', unique: {}, groups: {} });

/** The key of a token in the unique index. */
export function tokenKey(partnerId: string, token: string): string {
  return `${partnerId} ${token}`;
}

/** A session's status at this moment. */
export function sessionStatus(world: World, row: KycSessionRow): z.output<typeof KycSession>['status'] {
  return row.status === 'pending' && world.clock.now() >= Date.parse(row.expiresAt) ? 'expired' : row.status;
}

/** The session as the API shows it. */
export function viewSession(world: World, row: KycSessionRow): z.input<typeof KycSession> {
  const { id, externalUserId, createdAt, expiresAt } = row;
  return {
    id,
    url: `${world.origin()}/kyc/${id}`,
    status: sessionStatus(world, row),
    externalUserId,
    createdAt,
    expiresAt,
  };
}

/** The token as the control plane shows it. */
export function viewShareToken({ id: _id, ...row }: ShareTokenRow): z.input<typeof ShareToken> {
  return row;
}
