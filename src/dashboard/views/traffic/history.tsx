import { useEffect } from 'preact/hooks';
import { download } from '../../browser/download.ts';
import { withToast } from '../../data/actions.ts';
import { EXPORTS, exportHistory, goBackTo, historyEntries } from '../../data/history.ts';
import type { HistoryEntry } from '../../data/response-types.ts';
import { Browse } from '../../paging/browse.tsx';
import { MissingRecord } from '../../paging/browse-frame.tsx';
import { go, linkTo } from '../../route.ts';
import { Method, StatusCode } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { openForm } from '../../ui/form.tsx';
import { dateTime, readable } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Button, Empty, Facts } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { callColumns } from './call-columns.tsx';

/** What changed the world from outside, and the way back. */
export const historyView: View = {
  name: 'history',
  title: 'History',
  icon: 'back',
  group: 'Traffic',
  key: 'b',
  Page: History,
};

const PLANES = ['partner', 'control', 'page'] as const;
const planeOf = ({ plane }: HistoryEntry) => plane;

const COLUMNS: readonly Column<HistoryEntry>[] = [
  ...callColumns<HistoryEntry>('Call', row => row.summary),
  { title: 'Plane', width: '72px', isMinor: true, cell: row => readable(row.plane) },
  timeColumn('Time', row => row.at),
];

function History() {
  useEffect(() => void historyEntries.load(), []);
  return (
    <Browse
      view={historyView}
      noun="entry"
      rows={historyEntries.rows.value}
      error={historyEntries.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: planeOf, all: PLANES }}
      actions={EXPORTS.map(({ format, label, file }) => (
        <Button
          key={format}
          title={`Export the history as ${file}`}
          onClick={() =>
            void withToast(`Saved ${file}`, async () => download(await exportHistory(format), file))
          }
        >
          {label}
        </Button>
      ))}
      empty={
        <Empty icon="back" title="Nothing has happened yet">
          <p>
            Requests to /v1, control calls that write and decisions on pages appear here. Each can be undone.
          </p>
        </Empty>
      }
      detail={id => {
        const row = historyEntries.find(id);
        if (row !== undefined) return <Detail row={row} />;
        return historyEntries.rows.value === null ? null : <MissingRecord noun="entry" id={id} />;
      }}
    />
  );
}

function Detail({ row }: { readonly row: HistoryEntry }) {
  return (
    <>
      <header class="detail-head">
        <h2 class="wire">
          <Method name={row.method} /> {row.path}
        </h2>
        <StatusCode status={row.status} />
      </header>
      <Id value={row.id} />
      <p>{row.summary}</p>
      <div class="actions">
        <Button icon="back" tone="primary" onClick={() => confirmGoBack(row)}>
          Go back to before this
        </Button>
      </div>
      <Facts
        of={[
          ['Plane', readable(row.plane)],
          ['Time', dateTime(row.at)],
          ['Request', row.plane === 'partner' ? <a href={linkTo('requests', row.id)}>{row.id}</a> : null],
        ]}
      />
    </>
  );
}

function confirmGoBack({ id }: HistoryEntry): void {
  const index = historyEntries.rows.value?.findIndex(each => each.id === id) ?? 0;
  const entries = index === 0 ? '1 entry' : `${index + 1} entries`;
  openForm({
    title: 'Go back to before this entry',
    intro: `Undoes ${entries}: this one and all later ones, with clock, timers and ids. The state of now is kept as the checkpoint before-rewind.`,
    submit: `Undo ${entries}`,
    isDangerous: true,
    run: () =>
      withToast(`Undid ${entries}`, async () => {
        await goBackTo(id);
        go('history');
      }),
  });
}
