import type { Trace } from '../../core/journal/events.ts';
import type { CreatedRecord } from '../../core/world/disturbance.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type CardholderRow, cardholders } from '../../service/cardholders/records.ts';
import { type CardRow, cards } from '../../service/cards/records.ts';
import { type KycSessionRow, kycSessions } from '../../service/kyc/records.ts';

/** Returns what a request created that a repeated request would create once more. */
export function createdIn(state: WorldState, { changes }: Trace): CreatedRecord[] {
  return changes.flatMap(({ table, before, after }) => {
    if (before !== null || after === null) return [];
    // A row is one of its table.
    if (table === cardholders) return [cardholder(after as CardholderRow)];
    if (table === cards) return [card(state, after as CardRow)];
    return table === kycSessions ? [session(after as KycSessionRow)] : [];
  });
}

function cardholder({ id, partnerId, externalUserId, phoneNumber, kycSource }: CardholderRow): CreatedRecord {
  const content = { phoneNumber, kycSource };
  return { kind: cardholders.kind, id, owner: partnerId, ownerName: externalUserId, content };
}

function card(state: WorldState, { id, cardholderId, ...row }: CardRow): CreatedRecord {
  const { nameOnCard, programId, type, limits } = row;
  const ownerName = state.table(cardholders).get(cardholderId)?.externalUserId ?? cardholderId;
  return {
    kind: cards.kind,
    id,
    owner: cardholderId,
    ownerName,
    content: { nameOnCard, programId, type, limits },
  };
}

function session({ id, partnerId, externalUserId, redirectUrl }: KycSessionRow): CreatedRecord {
  const content = { externalUserId, redirectUrl };
  return { kind: kycSessions.kind, id, owner: partnerId, ownerName: partnerId, content };
}

/** Returns the ids of the cards that a request cancelled. */
export function undoneIn({ changes }: Trace): string[] {
  return changes.flatMap(({ table, before, after }) =>
    table === cards && before !== null && (after as CardRow | null)?.status === 'cancelled'
      ? [before.id]
      : [],
  );
}
