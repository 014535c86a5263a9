import type { Hundredths } from '../../kernel/values/money.ts';
import type { World } from '../../kernel/world/world.ts';
import { balances } from '../balance/records.ts';
import { cardholders } from '../cardholders/records.ts';
import { type CardRow, vault } from '../cards/records.ts';
import { spentBy } from '../cards/spending.ts';
import { SPEND_WINDOWS } from '../programs/records.ts';
import { SPEND_KIND, type TransactionRow } from './records.ts';

/** An authorization that is asked for. */
export interface AuthorizationRequest {
  readonly card: CardRow;
  readonly type: TransactionRow['type'];
  readonly amount: Hundredths;
}

type Reason = NonNullable<TransactionRow['declineReason']>;

/** Why an authorization is declined, with the limit that is in the way where it is one. */
export type Decline = { readonly reason: Reason; readonly detail: TransactionRow['declineDetail'] };

const REASON_BY_CARD_STATUS = {
  created: 'card_not_activated',
  active: null,
  frozen: 'card_frozen',
  cancelled: 'card_cancelled',
} as const;

/** The first reason that the state gives to decline an authorization now; null when there is none. */
export function findDecline(world: World, attempt: AuthorizationRequest): Decline | null {
  const { card, amount } = attempt;
  const because = (reason: Reason, detail: Decline['detail'] = null): Decline => ({ reason, detail });
  const cardReason = REASON_BY_CARD_STATUS[card.status];
  if (cardReason !== null) return because(cardReason);
  if (world.clock.timestamp().slice(0, 7) > world.table(vault).existing(card.id).expiry) {
    return because('card_expired');
  }
  if (world.table(cardholders).existing(card.cardholderId).status !== 'active') {
    return because('cardholder_inactive');
  }
  const [exceeded] = windowLimits(world, attempt).filter(({ limit, spent }) => spent + amount > limit);
  if (exceeded !== undefined) return because('spend_limit_exceeded', exceeded);
  const whole = cardLimit(world, card);
  if (whole.spent + amount > whole.limit) return because('card_limit_exceeded', whole);
  const { available } = world.table(balances).existing(card.partnerId);
  return amount > available ? because('insufficient_funds') : null;
}

/**
 * A decline for the reason that the caller wants. One that is about a limit names a real one: the first that
 * is exceeded, or else the first that is checked.
 */
export function forcedDecline(world: World, attempt: AuthorizationRequest, reason: Reason): Decline {
  if (reason === 'card_limit_exceeded') return { reason, detail: cardLimit(world, attempt.card) };
  if (reason !== 'spend_limit_exceeded') return { reason, detail: null };
  const windows = windowLimits(world, attempt);
  const exceeded = windows.find(({ limit, spent }) => spent + attempt.amount > limit);
  return { reason, detail: exceeded ?? windows[0] ?? null };
}

/** Limit and spending of each window that an authorization counts in, in the order in which they are checked. */
function windowLimits(world: World, { card, type }: AuthorizationRequest) {
  const kind = SPEND_KIND[type];
  const spent = spentBy(world, card.id, world.clock.timestamp())[kind];
  return SPEND_WINDOWS.map(window => ({
    kind,
    window,
    limit: card.limits[kind][window],
    spent: spent[window],
  }));
}

/** The limit of sales and cash together, over all time. */
function cardLimit(world: World, { id, limits }: CardRow) {
  const { sales, cash } = spentBy(world, id, world.clock.timestamp());
  return { limit: limits.limit, spent: sales.allTime + cash.allTime };
}
