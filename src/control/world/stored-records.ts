import { redactData } from '../../core/redaction/redact.ts';
import type { Row } from '../../core/store/table-definition.ts';
import { toAmount } from '../../core/values/money.ts';
import { balances } from '../../service/balance/records.ts';
import { cards } from '../../service/cards/records.ts';
import { spendWindows } from '../../service/cards/spending.ts';
import { programs } from '../../service/programs/records.ts';
import { type ChallengeRow, challenges } from '../../service/three-d-secure/records.ts';
import { transactions } from '../../service/transactions/records.ts';
import { usageRecords } from '../../service/usage/records.ts';
import { type DeliveryRow, deliveries, viewDelivery } from '../../service/webhooks/records.ts';

type StoredRecord = Readonly<Record<string, unknown>>;

/** What differs from the row, by the kind of record: amounts, which rows hold in hundredths, and webhook bodies. */
const VIEWS: Readonly<Record<string, (row: Row) => StoredRecord>> = {
  ...Object.fromEntries(
    [balances, cards, spendWindows, programs, transactions, usageRecords].map(({ kind }) => [
      kind,
      amountsIn,
    ]),
  ),
  // The function under each kind gets rows of its table.
  [challenges.kind]: row => ({ ...row, amount: toAmount((row as ChallengeRow).amount) }),
  [deliveries.kind]: row => viewDelivery(row as DeliveryRow),
};

const views = new WeakMap<Row, StoredRecord>();

/** Returns a row as the journal shows it: with amounts in units of the currency, and secrets masked. Null for null. */
export function viewStored(kind: string, row: Row | null): StoredRecord | null {
  if (row === null) return null;
  const known = views.get(row);
  if (known !== undefined) return known;
  // Redaction keeps an object an object.
  const view = redactData(VIEWS[kind]?.(row) ?? row) as StoredRecord;
  views.set(row, view);
  return view;
}

/** Returns a value in which every number, all of them hundredths, is an amount. */
function amountsIn(value: object): StoredRecord {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member === 'number') return [name, toAmount(member)];
      return [name, typeof member === 'object' && member !== null ? amountsIn(member) : member];
    }),
  );
}
