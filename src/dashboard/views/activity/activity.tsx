import { useEffect } from 'preact/hooks';
import { requests, useRecord } from '../../data/records.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { historyEntries, info, journal, partner } from '../../data/store.ts';
import { Browse } from '../../paging/browse.tsx';
import { MissingRecord } from '../../paging/browse-frame.tsx';
import { showsControlCalls } from '../../route.ts';
import { Call, StatusCode } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import { timeFormat, waitingTime } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { ControlCallDetail } from './control-call.tsx';
import { ActivityFilters, clearFilters, isFiltered, isGrouped, matchesFilters, sameAs } from './filters.tsx';
import { groupRefusals, type RefusalGroup, refusalOf } from './refusals.ts';
import { RequestDetail } from './request.tsx';
import { type ActivityRow, isRequest, withControlCalls } from './rows.ts';

export const activityView: View = {
  name: 'activity',
  title: 'Activity',
  icon: 'request',
  key: 'a',
  Page: Activity,
};

const COLUMNS: readonly Column<ActivityRow>[] = [
  { title: 'Status', width: '56px', cell: row => <StatusCode status={row.status} /> },
  {
    title: 'Request',
    width: 'minmax(0, 1fr)',
    cell: (row, rows) => (
      <TwoLines
        main={<Call {...row} />}
        sub={
          <>
            <span class="on-phone">{timeFormat(rows, each => each.at)(row.at)} · </span>
            {isRequest(row) ? (row.refusal ?? row.operation ?? 'no operation') : row.summary}
          </>
        }
      />
    ),
  },
  {
    title: 'Duration',
    width: '72px',
    hideWhen: 'phone',
    isNumber: true,
    cell: row => (isRequest(row) ? waitingTime(row.durationMs) : ''),
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

function Activity() {
  const withControl = showsControlCalls.value;
  useEffect(() => {
    if (withControl) void historyEntries.load();
  }, [withControl]);
  const filtered = journal.data.value?.filter(matchesFilters) ?? null;
  const frame = {
    error: journal.error.value,
    filters: <ActivityFilters />,
    detail: (id: string) => <OpenEntry id={id} />,
  };
  if (isGrouped.value) {
    return (
      <Browse
        {...frame}
        view={{ ...activityView, title: 'Grouped errors' }}
        noun="refusal"
        rows={filtered && groupRefusals(filtered)}
        columns={GROUP_COLUMNS}
        empty={<Empty icon="check" title="No request was refused" />}
      />
    );
  }
  return (
    <Browse
      {...frame}
      view={activityView}
      noun="request"
      rows={rowsOf(filtered, withControl)}
      columns={COLUMNS}
      textOf={({ method, path, at }) => `${method} ${path} ${at.replace('T', ' ')}`}
      empty={isFiltered.value ? <NoMatch /> : <NoRequests />}
    />
  );
}

/** Returns the rows of the list: the requests that match the filters, or those with the same refusal as one of them. */
function rowsOf(
  filtered: readonly JournalEntry[] | null,
  withControl: boolean,
): readonly ActivityRow[] | null {
  if (filtered === null) return null;
  const model = sameAs.value === null ? undefined : journal.find(sameAs.value);
  if (model !== undefined) return filtered.filter(row => refusalOf(row) === refusalOf(model));
  if (!withControl) return filtered;
  const entries = historyEntries.data.value ?? [];
  // Its requests are what the rows are ordered by.
  return withControlCalls(
    filtered,
    entries.filter(each => each.plane === 'partner' || matchesFilters(each)),
  );
}

/** A request as a whole, which the list may not have, or a call of the control plane. */
function OpenEntry({ id }: { readonly id: string }) {
  const call = historyEntries.find(id);
  return call === undefined || call.plane === 'partner' ? (
    <OpenRequest id={id} />
  ) : (
    <ControlCallDetail row={call} />
  );
}

function OpenRequest({ id }: { readonly id: string }) {
  const row = useRecord(requests, id);
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
