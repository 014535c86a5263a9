import {
  defineTable,
  type Row,
  type RowOf,
  rowSchema,
  StoredAmount,
  StoredId,
} from '../../core/store/table-definition.ts';
import type { Hundredths } from '../../core/values/money.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { WindowAmounts } from '../programs/records.ts';

/** The kinds of spending in a spend control (interface section 2.3). */
export const SPEND_KINDS = ['sales', 'cash'] as const;
export type SpendKind = (typeof SPEND_KINDS)[number];

/** The id is period and card: `2026-03-15 card_1`, `2026-03 card_1`, `always card_1`. */
const SpendWindowRow = rowSchema(() => ({ cardId: StoredId, sales: StoredAmount, cash: StoredAmount }));

/** The spending of a card in one period, by kind, in hundredths. */
export type SpendWindowRow = RowOf<typeof SpendWindowRow>;

/** Sums of spending, so that reading a card does not add up its transactions. A period without a row has no spending. */
export const spendWindows = defineTable({
  kind: 'spend window',
  row: SpendWindowRow,
  unique: {},
  groups: {},
});

/** Returns the ids of the windows that contain a time (ISO 8601, UTC). A period has no space, so ids are unique. */
export function windowIdsAt(cardId: string, time: string) {
  return {
    daily: `${time.slice(0, 10)} ${cardId}`,
    monthly: `${time.slice(0, 7)} ${cardId}`,
    allTime: `always ${cardId}`,
  } as const;
}

/** Returns the spending of a card in the windows that contain `time`, in hundredths. */
export function spentBy(state: WorldState, cardId: string, time: string): Record<SpendKind, WindowAmounts> {
  const ids = windowIdsAt(cardId, time);
  const table = state.table(spendWindows);
  const [day, month, always] = [table.get(ids.daily), table.get(ids.monthly), table.get(ids.allTime)];
  const of = (kind: SpendKind): WindowAmounts => ({
    perTransaction: 0,
    daily: day?.[kind] ?? 0,
    monthly: month?.[kind] ?? 0,
    allTime: always?.[kind] ?? 0,
  });
  return { sales: of('sales'), cash: of('cash') };
}

/** Adds `amount` to the windows that contain `time`; a negative amount is a release. */
export function countSpending(
  state: WorldState,
  card: Row,
  { kind, time, amount }: { readonly kind: SpendKind; readonly time: string; readonly amount: Hundredths },
): void {
  if (amount === 0) return;
  const table = state.table(spendWindows);
  for (const id of Object.values(windowIdsAt(card.id, time))) {
    const { partnerId, id: cardId } = card;
    const row = table.get(id) ?? table.insert({ id, partnerId, cardId, sales: 0, cash: 0 });
    table.update(id, { [kind]: row[kind] + amount });
  }
}
