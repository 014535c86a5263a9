import type { Hundredths } from '../../core/values/money.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { SpendKind, WindowAmounts } from '../programs/records.ts';
import { SPEND_KIND, spentAmount, transactions } from './records.ts';

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const MONTH_LENGTH = 'YYYY-MM'.length;

/** Sums of transactions in hundredths, in the windows that contain `time` (ISO 8601, UTC). */
export function spentBy(state: WorldState, cardId: string, time: string): Record<SpendKind, WindowAmounts> {
  const nothing = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };
  const spent: Record<SpendKind, Record<keyof WindowAmounts, Hundredths>> = {
    sales: { ...nothing },
    cash: { ...nothing },
  };
  const [day, month] = [time.slice(0, DAY_LENGTH), time.slice(0, MONTH_LENGTH)];
  for (const row of state.table(transactions).group('card', cardId)) {
    const sums = spent[SPEND_KIND[row.type]];
    const amount = spentAmount(row);
    sums.allTime += amount;
    if (row.createdAt.startsWith(month)) sums.monthly += amount;
    if (row.createdAt.startsWith(day)) sums.daily += amount;
  }
  return spent;
}
