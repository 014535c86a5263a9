import type { RowList } from './persistent/row-list.ts';
import type { Table } from './table.ts';
import type { Row } from './table-definition.ts';

/**
 * Deletes the oldest removable row of a partner when the partner has more than `limit` rows. `removable` returns lists
 * with the rows that can be removed, each in the order of creation. Other rows stay, however many they are. Call it
 * after each insert.
 */
export function keepNewest<R extends Row, U extends string, G extends string>(
  table: Table<R, U, G>,
  partnerId: string,
  limit: number,
  removable: () => readonly RowList<R>[],
): void {
  if (table.ofPartner(partnerId).length <= limit) return;
  let oldest: RowList<R> | null = null;
  for (const list of removable()) {
    const { firstSequence } = list;
    if (firstSequence !== undefined && firstSequence < (oldest?.firstSequence ?? Infinity)) oldest = list;
  }
  const row = oldest?.at(0);
  if (row !== undefined) table.delete(row.id);
}
