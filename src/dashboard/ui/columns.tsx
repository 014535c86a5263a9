import { clock } from '../data/store.ts';
import { Call, StatusCode } from './badge.tsx';
import { shortDateTime } from './format.ts';
import { type Column, TwoLines } from './list.tsx';

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

/** A request in a list: of the journal, or of the history. */
interface Called {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** The columns that lists of requests begin with: the status, and the request with a line about it. */
export function callColumns<T extends Called>(
  title: string,
  about: (row: T) => string,
): readonly Column<T>[] {
  return [
    { title: 'Status', width: '56px', cell: row => <StatusCode status={row.status} /> },
    {
      title,
      width: 'minmax(0, 1fr)',
      cell: row => <TwoLines main={<Call method={row.method} path={row.path} />} sub={about(row)} />,
    },
  ];
}
