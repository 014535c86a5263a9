import type { Hundredths } from '../../core/values/money.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { balances } from '../balance/records.ts';
import { cardholders } from '../cardholders/records.ts';
import { type CardRow, vault } from '../cards/records.ts';
import { spentBy } from '../cards/spending.ts';
import { SPEND_WINDOWS } from '../programs/records.ts';
import type { CheckedReason, DeclineReason } from '../transactions/decline-reasons.ts';
import { SPEND_KIND, type TransactionRow } from '../transactions/records.ts';

/** A requested authorization, or an increment of one. */
export interface AuthorizationRequest {
  readonly card: CardRow;
  readonly type: TransactionRow['type'];
  readonly amount: Hundredths;
  /** The time whose windows it counts in. */
  readonly time: string;
  /** What is authorized already, for an increment; else 0. */
  readonly authorized: Hundredths;
}

/** Why an authorization is declined, with the limit that it would exceed if the reason is a limit. */
export type Decline = { readonly reason: DeclineReason; readonly detail: TransactionRow['declineDetail'] };

const REASON_BY_CARD_STATUS = {
  created: 'card_not_activated',
  active: null,
  frozen: 'card_frozen',
  cancelled: 'card_cancelled',
} as const satisfies Record<CardRow['status'], CheckedReason | null>;

/** Returns the first reason in the current state to decline an authorization or an increment, or null when there is none. */
export function findDecline(state: WorldState, request: AuthorizationRequest): Decline | null {
  const { card, amount } = request;
  const decline = (reason: CheckedReason, detail: Decline['detail'] = null): Decline => ({ reason, detail });
  const cardReason = REASON_BY_CARD_STATUS[card.status];
  if (cardReason !== null) return decline(cardReason);
  if (state.clock.timestamp().slice(0, 7) > state.table(vault).existing(card.id).expiry) {
    return decline('card_expired');
  }
  if (state.table(cardholders).existing(card.cardholderId).status !== 'active') {
    return decline('cardholder_inactive');
  }
  const [exceeded] = windowLimits(state, request).filter(({ limit, spent }) => spent + amount > limit);
  if (exceeded !== undefined) return decline('spend_limit_exceeded', exceeded);
  const total = cardLimit(state, card);
  if (total.spent + amount > total.limit) return decline('card_limit_exceeded', total);
  const { available } = state.table(balances).existing(card.partnerId);
  return amount > available ? decline('insufficient_funds') : null;
}

/** The detail of a limit is the first that the authorization would exceed, or else the first that is checked. */
export function forceDecline(
  state: WorldState,
  request: AuthorizationRequest,
  reason: DeclineReason,
): Decline {
  if (reason === 'card_limit_exceeded') return { reason, detail: cardLimit(state, request.card) };
  if (reason !== 'spend_limit_exceeded') return { reason, detail: null };
  const windows = windowLimits(state, request);
  const exceeded = windows.find(({ limit, spent }) => spent + request.amount > limit);
  return { reason, detail: exceeded ?? windows[0] ?? null };
}

/** Returns limit and spending of each window that an authorization counts in, in the order of the checks. */
function windowLimits(state: WorldState, { card, type, time, authorized }: AuthorizationRequest) {
  const kind = SPEND_KIND[type];
  const spent = { ...spentBy(state, card.id, time)[kind], perTransaction: authorized };
  return SPEND_WINDOWS.map(window => ({
    kind,
    window,
    limit: card.limits[kind][window],
    spent: spent[window],
  }));
}

/** Returns limit and spending of sales and cash together, over all time. */
function cardLimit(state: WorldState, { id, limits }: CardRow) {
  const { sales, cash } = spentBy(state, id, state.clock.timestamp());
  return { limit: limits.limit, spent: sales.allTime + cash.allTime };
}
