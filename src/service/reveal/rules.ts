import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type * as z from 'zod';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { pagePath } from '../../core/page/page.ts';
import { type RowRule, reference } from '../../core/store/row-rule.ts';
import { keepNewest } from '../../core/store/table.ts';
import { isoTime, timeOf } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type CardRow, cards, type VaultRow, vault } from '../cards/records.ts';
import { type RevealLinkRow, revealLinks } from './records.ts';
import type { RevealBody } from './schema.ts';

/** Lifetime of a link, in sandbox time (interface section 8). */
const LINK_LIFETIME_MS = 60_000;

/** Cap on the used and expired links that are kept per partner. A link that was dropped returns a 410 too. */
export const MAX_REVEAL_LINKS = 1_000;

/** Why a link shows no card. */
export type LinkProblem = 'altered' | 'gone' | 'used' | 'expired' | 'cancelled';

/** The result of opening a link: the card with its vault entry, or the reason why not. */
export type Reveal =
  | {
      readonly problem: null;
      readonly link: RevealLinkRow;
      readonly card: CardRow;
      readonly printed: VaultRow;
    }
  | { readonly problem: LinkProblem; readonly link: RevealLinkRow | null };

/** Creates the path of the signed URL that shows a card once (interface section 4.3). Throws a 400 for a cancelled card. */
export function createLink(state: WorldState, card: CardRow, body: z.output<typeof RevealBody>): string {
  if (card.status === 'cancelled') {
    throw badRequest(assumed('reveal'), `card ${card.id} is cancelled; a cancelled card cannot be revealed`);
  }
  const table = state.table(revealLinks);
  const row = table.insert({
    id: state.random.id('rev'),
    partnerId: card.partnerId,
    cardId: card.id,
    stylesheetUrl: body.stylesheetUrl ?? null,
    copyPan: body.copyPan,
    createdAt: state.clock.timestamp(),
    expiresAt: isoTime(state.clock.now() + LINK_LIFETIME_MS),
    usedAt: null,
  });
  keepNewest(table, row.partnerId, MAX_REVEAL_LINKS, () => [
    table.group('used', row.partnerId),
    table.group('unused', row.partnerId).within({ to: state.clock.now() }),
  ]);
  const expires = expiresOf(row);
  return pagePath(state, `/reveal/${row.id}`, { expires, signature: sign(state, row.id, expires) });
}

/**
 * Opens a link, and marks a valid one as used unless this is a preview. A wrong signature gives the same result for
 * a known and an unknown token.
 */
export function openLink(
  state: WorldState,
  token: string,
  query: URLSearchParams,
  isPreview: boolean,
): Reveal {
  const table = state.table(revealLinks);
  const link = table.get(token) ?? null;
  if (!isSigned(state, token, query)) return { problem: 'altered', link };
  if (link !== null && query.get('expires') !== expiresOf(link)) return { problem: 'altered', link };
  // Signed but unknown: from before a reset, or dropped.
  if (link === null) return { problem: 'gone', link };
  if (link.usedAt !== null) return { problem: 'used', link };
  if (isExpired(state, link)) return { problem: 'expired', link };
  const card = state.table(cards).existing(link.cardId);
  if (card.status === 'cancelled') return { problem: 'cancelled', link };
  if (!isPreview) table.update(token, { usedAt: state.clock.timestamp() });
  return { problem: null, link, card, printed: state.table(vault).existing(card.id) };
}

/** The time of expiry in the URL. Signed URLs have whole seconds; the row decides when the link expires. */
function expiresOf({ expiresAt }: RevealLinkRow): string {
  return String(Math.ceil(timeOf(expiresAt) / 1000));
}

function isExpired(state: WorldState, link: RevealLinkRow): boolean {
  return state.clock.now() >= timeOf(link.expiresAt);
}

function isSigned(state: WorldState, token: string, query: URLSearchParams): boolean {
  const [expires, ...moreExpires] = query.getAll('expires');
  const [signature, ...moreSignatures] = query.getAll('signature');
  if (expires === undefined || signature === undefined) return false;
  if (moreExpires.length > 0 || moreSignatures.length > 0) return false;
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(state, token, expires))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The key is the same for all links of a world, so that it need not be stored with each. */
function sign(state: WorldState, token: string, expires: string): string {
  const key = state.secrets.newStream('reveal-signature').letters(52);
  // A copied world has the same key, so the signature covers the world.
  const signed = pagePath(state, `${token}.${expires}`);
  return createHmac('sha256', key).update(signed).digest('hex');
}

/** Invariants of reveal links. */
export const revealRules: readonly RowRule[] = [
  reference(revealLinks, 'cardId', ({ cardId }) => cardId, cards),
];
