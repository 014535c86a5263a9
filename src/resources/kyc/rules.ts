import { assumed, badRequest, documented } from '../../kernel/errors.ts';
import type { World } from '../../kernel/world.ts';
import { type Identity, personFor } from './identity.ts';
import {
  type KycSessionRow,
  kycSessions,
  type Outcome,
  type ShareTokenRow,
  sessionStatus,
  shareTokens,
  type TokenSource,
  tokenKey,
  viewSession,
} from './records.ts';

const MAGIC = /^(idp1|idp2)_test_(approve|reject|manual)_./;
/** How long a session waits for its person. */
export const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What a KYC source says of a person: who it is, and what the card provider will decide. */
export interface KycSnapshot {
  readonly identity: Identity;
  readonly outcome: Outcome;
  /** Uses the source up for this cardholder. Call it once everything else is checked. */
  consume(cardholderId: string): void;
}

/**
 * Reads a share token without using it up (interface section 4.1, rules 1 and 5). Throws a 400 for one that
 * is unknown, of another source, used or expired. A magic token needs no minting: its text says the outcome.
 */
export function readShareToken(
  world: World,
  partnerId: string,
  source: TokenSource,
  token: string,
): KycSnapshot {
  const field = `body.${source}ShareToken`;
  const table = world.table(shareTokens);
  const minted = table.find('token', tokenKey(partnerId, token));
  const known = minted ?? magicToken(world, partnerId, token);
  if (known === null) {
    throw badRequest(
      assumed('share-tokens'),
      `${field}: unknown share token; mint one with POST /_sandbox/share-tokens, or make one up as ${source}_test_approve_<anything>`,
    );
  }
  if (known.source !== source) {
    throw badRequest(
      assumed('share-tokens'),
      `${field}: is a share token of ${known.source}, not of ${source}`,
    );
  }
  if (known.usedBy !== null) {
    throw badRequest(
      documented('4.1'),
      `${field}: was used already; a share token is single-use, mint a fresh one`,
    );
  }
  if (known.expiresAt !== null && world.clock.now() >= Date.parse(known.expiresAt)) {
    throw badRequest(assumed('share-tokens'), `${field}: expired at ${known.expiresAt}; mint a fresh one`);
  }
  return {
    identity: known.identity,
    outcome: known.outcome,
    consume(cardholderId) {
      if (minted !== undefined) table.update(minted.id, { usedBy: cardholderId });
      else table.insert({ ...known, id: world.random.id('tok'), usedBy: cardholderId });
    },
  };
}

/** Mints a share token; what the identity leaves out is made up from the token's text. */
export function mintShareToken(
  world: World,
  members: {
    readonly partnerId: string;
    readonly token?: string | undefined;
    readonly source: TokenSource;
    readonly outcome: Outcome;
    readonly identity?: Partial<Identity> | undefined;
    readonly expiresAt?: string | undefined;
    readonly usedBy?: string | undefined;
  },
): ShareTokenRow {
  const token = members.token ?? world.random.id(members.source);
  return world.table(shareTokens).insert({
    id: world.random.id('tok'),
    partnerId: members.partnerId,
    token,
    source: members.source,
    outcome: members.outcome,
    identity: { ...personFor(token), ...members.identity },
    createdAt: world.clock.timestamp(),
    expiresAt: members.expiresAt ?? null,
    usedBy: members.usedBy ?? null,
  });
}

/**
 * Reads a KYC session without using it up. Throws a 404 for an unknown one, and a 400 for one that is not
 * approved or was used already.
 */
export function readSession(world: World, partnerId: string, id: string): KycSnapshot {
  const table = world.table(kycSessions);
  const row = table.owned(partnerId, id);
  const status = sessionStatus(world, row);
  if (status !== 'approved' || row.identity === null) {
    throw badRequest(
      assumed('web-kyc'),
      `body.kycSessionId: session ${id} is ${status}; it must be approved first`,
    );
  }
  if (row.usedBy !== null) {
    throw badRequest(
      assumed('web-kyc'),
      `body.kycSessionId: session ${id} was used already, by cardholder ${row.usedBy}`,
    );
  }
  return {
    identity: row.identity,
    outcome: row.outcome,
    consume: cardholderId => void table.update(id, { usedBy: cardholderId }),
  };
}

/** Opens a KYC session for a day. */
export function openSession(
  world: World,
  members: Pick<KycSessionRow, 'partnerId' | 'externalUserId' | 'redirectUrl'>,
): KycSessionRow {
  return world.table(kycSessions).insert({
    ...members,
    id: world.random.id('kycs'),
    status: 'pending',
    identity: null,
    outcome: 'approve',
    createdAt: world.clock.timestamp(),
    expiresAt: new Date(world.clock.now() + SESSION_LIFETIME_MS).toISOString(),
    usedBy: null,
  });
}

/** Decides a pending session, as the person on the hosted page does. Throws a 400 for any other. */
export function decideSession(
  world: World,
  row: KycSessionRow,
  status: 'approved' | 'rejected',
  identity: Partial<Identity> = {},
): KycSessionRow {
  const current = sessionStatus(world, row);
  if (current !== 'pending') {
    throw badRequest(
      assumed('kyc-sessions'),
      `KYC session ${row.id} is ${current}; only a pending one can be decided`,
    );
  }
  const members =
    status === 'approved' ? { status, identity: { ...personFor(row.id), ...identity } } : { status };
  const decided = world.table(kycSessions).update(row.id, members);
  world.events.emit({
    type: status === 'approved' ? 'kyc_session.completed' : 'kyc_session.failed',
    partnerId: row.partnerId,
    resourceId: row.id,
    data: viewSession(world, decided),
  });
  return decided;
}

/** The token that a magic text stands for: it counts as minted on first sight, and is written down when used. */
function magicToken(world: World, partnerId: string, token: string): Omit<ShareTokenRow, 'id'> | null {
  const [, source, outcome] = MAGIC.exec(token) ?? [];
  if (source === undefined) return null;
  return {
    partnerId,
    token,
    // The pattern admits exactly these sources and outcomes.
    source: source as TokenSource,
    outcome: outcome as Outcome,
    identity: personFor(token),
    createdAt: world.clock.timestamp(),
    expiresAt: null,
    usedBy: null,
  };
}
