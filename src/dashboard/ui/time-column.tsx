import { clock } from '../data/store.ts';
import { shortDateTime } from './format.ts';
import type { Column } from './list.tsx';

/** The last column of a list: a time of its records. */
export function timeColumn<T>(title: string, timeOf: (row: T) => string): Column<T> {
  return {
    title,
    width: '96px',
    isMinor: true,
    isNumber: true,
    cell: row => shortDateTime(timeOf(row), clock.data.value?.now),
  };
}
