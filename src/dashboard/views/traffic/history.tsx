import { useEffect } from 'preact/hooks';
import { download } from '../../browser.ts';
import { withToast } from '../../data/actions.ts';
import { control, openStream } from '../../data/http.ts';
import type { HistoryEntry } from '../../data/response-types.ts';
import { historyEntries } from '../../data/store.ts';
import { Browse } from '../../paging/browse.tsx';
import { MissingRecord } from '../../paging/browse-frame.tsx';
import { go } from '../../route.ts';
import { Call, StatusCode } from '../../ui/badge.tsx';
import { callColumns, timeColumn } from '../../ui/columns.tsx';
import { openForm } from '../../ui/form.tsx';
import { exactDateTime } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Button, Empty, Facts, RecordHead, RecordLink } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';

export const historyView: View = {
  name: 'history',
  title: 'History',
  icon: 'history',
  group: 'Traffic',
  key: 'b',
  Page: History,
};

const CALLERS = {
  all: ['partner', 'control', 'page'],
  labels: {
    partner: 'Requests to the API',
    control: 'Changes by hand or script',
    page: 'Decisions on hosted pages',
  },
  any: 'All entries',
  of: ({ plane }: HistoryEntry) => plane,
} as const;
/** Who made an entry, in a column. */
const BY = { partner: 'API', control: 'Control', page: 'Hosted page' } as const;

const EXPORTS = [
  { format: 'scenario', label: 'Scenario', file: 'history.yaml' },
  { format: 'har', label: 'HAR', file: 'history.har' },
  { format: 'curl', label: 'curl', file: 'history.sh' },
] as const;

const COLUMNS: readonly Column<HistoryEntry>[] = [
  ...callColumns<HistoryEntry>('Call', row => row.summary),
  { title: 'By', width: '92px', hideWhen: 'narrow', cell: row => BY[row.plane] },
  timeColumn('Time', row => row.at),
];

function History() {
  useEffect(() => void historyEntries.load(), []);
  return (
    <Browse
      view={historyView}
      noun="entry"
      rows={historyEntries.data.value}
      error={historyEntries.error.value}
      columns={COLUMNS}
      states={CALLERS}
      textOf={({ method, path }) => `${method} ${path}`}
      actions={EXPORTS.map(({ format, label, file }) => (
        <Button
          key={format}
          title={`Export the history as ${file}`}
          onClick={() => void withToast(`Saved ${file}`, () => exportHistory(format, file))}
        >
          {label}
        </Button>
      ))}
      empty={
        <Empty icon="history" title="Nothing has happened yet">
          <p>
            Requests to /v1, control calls that write and decisions on pages appear here. Each can be undone.
          </p>
        </Empty>
      }
      detail={id => {
        const row = historyEntries.find(id);
        if (row !== undefined) return <Detail row={row} />;
        return historyEntries.data.value === null ? null : <MissingRecord noun="entry" id={id} />;
      }}
    />
  );
}

async function exportHistory(format: (typeof EXPORTS)[number]['format'], file: string): Promise<void> {
  download(await new Response(await openStream(`/history/export?format=${format}`)).blob(), file);
}

function Detail({ row }: { readonly row: HistoryEntry }) {
  return (
    <>
      <RecordHead kind="wire" title={<Call method={row.method} path={row.path} />} id={row.id}>
        <StatusCode status={row.status} />
      </RecordHead>
      <p>{row.summary}</p>
      <div class="actions">
        <Button icon="back" tone="primary" onClick={() => openRewindForm(row.id)}>
          Go back to before this
        </Button>
      </div>
      <Facts
        of={[
          ['By', BY[row.plane]],
          ['Time', exactDateTime(row.at)],
          ['Request', row.plane === 'partner' ? <RecordLink id={row.id} /> : null],
        ]}
      />
    </>
  );
}

function openRewindForm(id: string): void {
  const index = historyEntries.data.value?.findIndex(each => each.id === id) ?? 0;
  const entries = index === 0 ? '1 entry' : `${index + 1} entries`;
  openForm({
    title: 'Go back to before this entry',
    intro: `Undoes ${entries}: this one and all later ones, with clock, timers and ids. The state of now is kept as the checkpoint before-rewind.`,
    submit: `Undo ${entries}`,
    isDangerous: true,
    run: () =>
      withToast(`Undid ${entries}`, async () => {
        await control('POST', '/rewind', { to: id });
        await historyEntries.load();
        go('history');
      }),
  });
}
