import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { after } from '../../browser/timers.ts';
import { change } from '../../data/actions.ts';
import { control } from '../../data/http.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { info, journal, partner, partnerJournal } from '../../data/store.ts';
import { Browse } from '../../paging/browse.tsx';
import { MissingRecord } from '../../paging/browse-frame.tsx';
import { go } from '../../route.ts';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import type { Column } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { callColumns } from './call-columns.tsx';
import { matchingEntries, matchingError, readMatching } from './matching-entries.ts';
import { RequestDetail } from './request.tsx';
import { clearFilters, filterQuery, RequestFilterBar } from './request-filters.tsx';
import { isRequestForm, NEW, RequestForm } from './request-form.tsx';

/** The request journal. */
export const requestsView: View = {
  name: 'requests',
  title: 'Requests',
  icon: 'request',
  group: 'Traffic',
  key: 'r',
  Page: Requests,
};

/** How long it waits before it reads, so that a burst is one read. */
const READ_PAUSE_MS = 100;

const COLUMNS: readonly Column<JournalEntry>[] = [
  ...callColumns<JournalEntry>('Request', row => row.refusal ?? row.operation ?? 'no operation'),
  {
    title: 'Duration',
    width: '72px',
    isMinor: true,
    isNumber: true,
    cell: row => `${row.durationMs.toFixed(1)} ms`,
  },
  timeColumn('Time', row => row.at),
];

function Requests() {
  const query = filterQuery.value;
  // A new request may match.
  const newest = journal.rows.value?.[0]?.id;
  useEffect(() => after(READ_PAUSE_MS, () => void readMatching(query)), [query, newest]);
  return (
    <Browse
      view={requestsView}
      noun="request"
      rows={query === null ? partnerJournal.value : matchingEntries.value}
      error={query === null ? journal.error.value : matchingError.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      actions={
        <>
          <Button icon="plus" tone="primary" onClick={() => go('requests', NEW)}>
            New request
          </Button>
          <Button icon="close" onClick={() => void change([journal], 'DELETE', '/requests')}>
            Clear journal
          </Button>
          <RequestFilterBar />
        </>
      }
      empty={query === null ? <NoRequests /> : <NoMatch />}
      detail={id => (isRequestForm(id) ? <RequestForm id={id} /> : <OpenRequest id={id} />)}
    />
  );
}

/** A request as a whole, which the page may not have: messages of the stream leave its headers out. */
function OpenRequest({ id }: { readonly id: string }) {
  const read = useSignal<JournalEntry | null | undefined>(undefined);
  const known = journal.find(id) ?? matchingEntries.value?.find(each => each.id === id);
  const row = known?.request.headers === undefined ? read.value : known;
  useEffect(() => {
    if (row !== undefined) return;
    control<JournalEntry>('GET', `/requests/${encodeURIComponent(id)}`).then(
      entry => {
        read.value = entry;
      },
      () => {
        read.value = null;
      },
    );
  }, [id, row, read]);
  if (row === undefined) return null;
  return row === null ? <MissingRecord noun="request" id={id} /> : <RequestDetail row={row} />;
}

function NoRequests() {
  return (
    <Empty icon="request" title="No requests yet">
      <p>Requests to /v1 appear here as soon as they are answered. Try one:</p>
      <FirstCall />
    </Empty>
  );
}

function NoMatch() {
  return (
    <Empty icon="search" title="No request matches the filters">
      <Button onClick={clearFilters}>Clear filters</Button>
    </Empty>
  );
}

function FirstCall() {
  // The name of the header of the key is among the options.
  if (partner.value === null || info.data.value === null) return null;
  const command = toCurl({ method: 'GET', path: '/v1/partner/cards' }, partner.value.apiKey);
  return <Copy text={command} label="Copy a curl command" title="Copy a curl command" />;
}
