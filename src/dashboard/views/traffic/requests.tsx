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
import { StatusCode } from '../../ui/badge.tsx';
import { callColumns, timeColumn } from '../../ui/columns.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { groupRefusals, type RefusalGroup, refusalOf } from './refusals.ts';
import { RequestDetail } from './request.tsx';
import {
  activeFilters,
  clearFilters,
  filterQuery,
  isGrouped,
  RequestFilterFields,
  sameAs,
} from './request-filters.tsx';
import { isRequestForm, NEW, RequestForm } from './request-form.tsx';

export const requestsView: View = {
  name: 'requests',
  title: 'Requests',
  icon: 'request',
  group: 'Traffic',
  key: 'r',
  Page: Requests,
  Record: OpenRequest,
};

/** How long it waits before it reads, so that a burst is one read. */
const READ_PAUSE_MS = 100;

const matching = cachedValue<readonly JournalEntry[]>(read, () => `/requests?${filterQuery.value}`);

const COLUMNS: readonly Column<JournalEntry>[] = [
  ...callColumns<JournalEntry>('Request', row => row.refusal ?? row.operation ?? 'no operation'),
  {
    title: 'Duration',
    width: '72px',
    hideWhen: 'phone',
    isNumber: true,
    cell: row => `${row.durationMs.toFixed(1)} ms`,
  },
  timeColumn('Time', row => row.at),
];

const GROUP_COLUMNS: readonly Column<RefusalGroup>[] = [
  { title: 'Status', width: '56px', cell: row => <StatusCode status={row.status} /> },
  {
    title: 'Refusal',
    width: 'minmax(0, 1fr)',
    cell: row => <TwoLines main={row.refusal} sub={row.operation ?? 'no operation'} />,
  },
  { title: 'Requests', width: '72px', isNumber: true, cell: row => row.count.toLocaleString('en') },
  timeColumn('Last', row => row.at),
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
  const rows = query === null ? partnerJournal.value : matching.data.value;
  const frame = {
    view: requestsView,
    error: (query === null ? journal : matching).error.value,
    actions: (
      <>
        <Button icon="plus" tone="primary" onClick={() => go('requests', NEW)}>
          New request
        </Button>
        <Button icon="close" onClick={() => void change([journal], 'DELETE', '/requests')}>
          Clear journal
        </Button>
      </>
    ),
    filters: { active: activeFilters.value, fields: <RequestFilterFields /> },
    detail: (id: string) => (isRequestForm(id) ? <RequestForm id={id} /> : <OpenRequest id={id} />),
  };
  if (isGrouped.value) {
    return (
      <Browse
        {...frame}
        noun="refusal"
        rows={rows && groupRefusals(rows)}
        columns={GROUP_COLUMNS}
        empty={<Empty icon="check" title="No request was refused" />}
      />
    );
  }
  const same = sameAs.value;
  const model = same === null ? undefined : rows?.find(({ id }) => id === same);
  const wanted = model === undefined ? null : refusalOf(model);
  return (
    <Browse
      {...frame}
      noun="request"
      rows={wanted === null ? rows : (rows?.filter(row => refusalOf(row) === wanted) ?? null)}
      columns={COLUMNS}
      textOf={({ method, path }) => `${method} ${path}`}
      empty={query === null ? <NoRequests /> : <NoMatch />}
    />
  );
}

/** A request as a whole, which the page may not have: lists and messages of the stream leave parts of it out. */
function OpenRequest({ id }: { readonly id: string }) {
  const read = useRecord(requests, id);
  const known = journal.find(id) ?? matching.data.value?.find(each => each.id === id);
  const row = read === undefined && known?.request.headers !== undefined ? known : read;
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
