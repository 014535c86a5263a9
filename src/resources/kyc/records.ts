import * as z from 'zod';
import { type RowOf, rowSchema, StoredId, StoredTime } from '../../kernel/store/row.ts';
import { defineTable } from '../../kernel/store/store.ts';
import { HttpUrl } from '../../kernel/values/url.ts';
import type { World } from '../../kernel/world/world.ts';
import { Identity } from './identity.ts';
import { KYC_OUTCOMES, type KycSession, type ShareToken, TOKEN_SOURCES } from './schema.ts';

/** What the simulated provider decides. */
export type KycOutcome = (typeof KYC_OUTCOMES)[number];
/** Where a share token comes from. */
export type TokenSource = (typeof TOKEN_SOURCES)[number];

/** What a KYC source says of a person: who it is, and what the card provider will decide. */
export interface KycSnapshot {
  readonly identity: Identity;
  readonly outcome: KycOutcome;
  /** Uses the source up for this cardholder. Call it once everything else is checked. */
  consume(cardholderId: string): void;
}

const StoredIdentity = z.strictObject(Identity.shape);

const ShareTokenRow = rowSchema({
  token: z.string().min(1),
  source: z.enum(TOKEN_SOURCES),
  outcome: z.enum(KYC_OUTCOMES),
  identity: StoredIdentity,
  createdAt: StoredTime,
  expiresAt: StoredTime.nullable(),
  usedBy: StoredId.nullable(),
});

/** A share token: a snapshot of a donor's session, good for one accepted create or re-import. */
export type ShareTokenRow = RowOf<typeof ShareTokenRow>;

/** What a share token says that was used before the world began: no cardholder. */
export const USED_BY_FIXTURE = 'fixture';

/** Share tokens. A token belongs to one partner; another's is unknown. */
export const shareTokens = defineTable({
  kind: 'share token',
  row: ShareTokenRow,
  unique: { token: row => tokenKey(row.partnerId, row.token) },
  groups: {},
});

const KycSessionRow = rowSchema({
  /** As decided; a pending session past `expiresAt` counts as expired. */
  status: z.enum(['pending', 'approved', 'rejected']),
  externalUserId: StoredId.nullable(),
  redirectUrl: HttpUrl.nullable(),
  /** Who was identified; null before the session is approved. */
  identity: StoredIdentity.nullable(),
  /** What the card provider decides about the cardholder made from it. */
  outcome: z.enum(KYC_OUTCOMES),
  createdAt: StoredTime,
  expiresAt: StoredTime,
  usedBy: StoredId.nullable(),
});

/** A KYC session on the hosted page. */
export type KycSessionRow = RowOf<typeof KycSessionRow>;

/** KYC sessions. */
export const kycSessions = defineTable({ kind: 'KYC session', row: KycSessionRow, unique: {}, groups: {} });

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
