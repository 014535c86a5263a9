import { Method, StatusCode } from '../../ui/badge.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';

/** A request in a list: of the journal, or of the history. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** The columns that lists of requests begin with: the status, and the request with a line about it. */
export function callColumns<T extends Call>(title: string, about: (row: T) => string): readonly Column<T>[] {
  return [
    { title: 'Status', width: '56px', cell: row => <StatusCode status={row.status} /> },
    {
      title,
      width: 'minmax(0, 1fr)',
      cell: row => (
        <TwoLines
          main={
            <>
              <Method name={row.method} /> <code>{row.path}</code>
            </>
          }
          sub={about(row)}
        />
      ),
    },
  ];
}
