import { clock } from '../data/store.ts';
import { Call, StatusCode } from './badge.tsx';
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

/** A request in a list: of the journal, or of the history. */
interface Called {
  readonly at: string;
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
      cell: (row, rows) => (
        <TwoLines
          main={<Call method={row.method} path={row.path} />}
          sub={
            <>
              <span class="on-phone">{timeFormat(rows, each => each.at)(row.at)} · </span>
              {about(row)}
            </>
          }
        />
      ),
    },
  ];
}
