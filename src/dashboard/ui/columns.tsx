import { clock } from '../data/store.ts';
import { date, timeFormat } from './format.ts';
import { type Column, TwoLines } from './list.tsx';

/** The last column of a list: a time of its records, with the date where it is not today. */
export function timeColumn<T>(title: string, timeOf: (row: T) => string): Column<T> {
  return {
    title,
    width: '100px',
    hideWhen: 'phone',
    isNumber: true,
    cell(row, rows) {
      const at = timeOf(row);
      const text = timeFormat(rows, timeOf)(at);
      const now = clock.data.value?.now;
      return now !== undefined && date(now) === date(at) ? text : <TwoLines main={text} sub={date(at)} />;
    },
  };
}
