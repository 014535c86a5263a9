import type { Table } from './table.ts';
import type { Row } from './table-definition.ts';

/**
 * Forgets the oldest rows of a partner that are over, so that no more than `most` are kept; those that are not over
 * stay, however many they are. Call it after each insert: it then forgets at most one.
 */
export function keepNewest<R extends Row, U extends string, G extends string>(
  table: Table<R, U, G>,
  partnerId: string,
  most: number,
  isOver: (row: R) => boolean,
): void {
  const ids = table.ofPartner(partnerId);
  if (ids.length <= most) return;
  const oldest = ids.find(id => isOver(table.existing(id)));
  if (oldest !== undefined) table.delete(oldest);
}
