import { useEffect } from 'preact/hooks';
import { after } from '../../browser.ts';
import { change } from '../../data/actions.ts';
import { cachedValue } from '../../data/cached-value.ts';
import { read } from '../../data/http.ts';
import { requests, useRecord } from '../../data/records.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { info, journal, partner, partnerJournal } from '../../data/store.ts';
import { Browse } from '../../paging/browse.tsx';
import { MissingRecord } from '../../paging/browse-frame.tsx';
import { go } from '../../route.ts';
import { callColumns, timeColumn } from '../../ui/columns.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import type { Column } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { RequestDetail } from './request.tsx';
import { clearFilters, filterQuery, RequestFilterBar } from './request-filters.tsx';
import { isRequestForm, NEW, RequestForm } from './request-form.tsx';

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

const matching = cachedValue<readonly JournalEntry[]>(read, () => `/requests?${filterQuery.value}`);

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
  const newest = journal.data.value?.[0]?.id;
  useEffect(() => matching.clear(), [query]);
  useEffect(
    () => (query === null ? undefined : after(READ_PAUSE_MS, () => void matching.load())),
    [query, newest],
  );
  return (
    <Browse
      view={requestsView}
      noun="request"
      rows={query === null ? partnerJournal.value : matching.data.value}
      error={(query === null ? journal : matching).error.value}
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
  const known = journal.find(id) ?? matching.data.value?.find(each => each.id === id);
  const isWhole = known?.request.headers !== undefined;
  const found = useRecord(requests, isWhole ? null : id);
  const row = isWhole ? known : found;
  if (row === undefined) return null;
  return row === null ? <MissingRecord noun="request" id={id} /> : <RequestDetail row={row} />;
}

function NoRequests() {
  // The name of the header of the key is among the options.
  const isReady = partner.value !== null && info.data.value !== null;
  const command = () => toCurl({ method: 'GET', path: '/v1/partner/cards' }, partner.value?.apiKey);
  return (
    <Empty icon="request" title="No requests yet">
      <p>Requests to /v1 appear here as soon as they are answered. Try one:</p>
      {isReady && <Copy text={command} label="Copy a curl command" title="Copy a curl command" />}
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
