import type { Table } from './table.ts';
import type { Row } from './table-definition.ts';

/**
 * Deletes the oldest removable row of a partner when the partner has more than `limit` rows. Rows that are not
 * removable stay, however many they are. Call it after each insert.
 */
export function keepNewest<R extends Row, U extends string, G extends string>(
  table: Table<R, U, G>,
  partnerId: string,
  limit: number,
  isRemovable: (row: R) => boolean,
): void {
  const ids = table.ofPartner(partnerId);
  if (ids.length <= limit) return;
  const oldest = ids.find(id => isRemovable(table.existing(id)));
  if (oldest !== undefined) table.delete(oldest);
}
