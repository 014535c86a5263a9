import { useEffect } from 'preact/hooks';
import { keepUpToDate } from '../../data/readings.ts';
import { requests } from '../../data/records.ts';
import type { HistoryEntry, JournalEntry } from '../../data/response-types.ts';
import { historyEntries, journal } from '../../data/store.ts';
import { Browse } from '../../paging/browse.tsx';
import { OpenRecord } from '../../paging/browse-records.tsx';
import { linkTo, route } from '../../route.ts';
import { Call, StatusCode } from '../../ui/badge.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import { timeFormat, waitingTime } from '../../ui/format.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Empty } from '../../ui/panel.tsx';
import type { View } from '../../ui/view.ts';
import { ControlCallDetail } from './control-call.tsx';
import {
  ActivityFilters,
  type ActivityRow,
  isFiltered,
  isGrouped,
  isRequest,
  matchesFilters,
  sameAs,
  showsControlCalls,
} from './filters.tsx';
import { groupRefusals, type RefusalGroup, refusalOf } from './refusals.ts';
import { RequestDetail } from './request.tsx';

export const activityView: View = {
  name: 'activity',
  title: 'Activity',
  icon: 'request',
  key: 'a',
  Page: Activity,
  list: requests,
};

const NO_OPERATION = 'no operation';

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
            {isRequest(row) ? (row.refusal ?? row.operation ?? NO_OPERATION) : row.summary}
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
    cell: row => <TwoLines main={row.refusal} sub={row.operation ?? NO_OPERATION} />,
  },
  { title: 'Requests', width: '72px', isNumber: true, cell: row => row.count.toLocaleString('en') },
  timeColumn('Last', row => row.at),
];

/** Returns what a row shows that no single member of it has. */
export function textOfRow(row: ActivityRow): string {
  const { method, path, at } = row;
  const target = isRequest(row) && row.query !== '' ? `${path}?${row.query}` : path;
  const rest = isRequest(row) ? [waitingTime(row.durationMs), row.operation ?? NO_OPERATION] : [];
  return [`${method} ${target}`, at.replace('T', ' '), ...rest].join('\n');
}

function Activity() {
  const withControl = showsControlCalls.value;
  const needsHistory = withControl || isCallId(route.value.id ?? '');
  useEffect(() => (needsHistory ? keepUpToDate(historyEntries) : undefined), [needsHistory]);
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
        textOf={({ operation }) => operation ?? NO_OPERATION}
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
      textOf={textOfRow}
      empty={
        isFiltered.value ? <Empty icon="search" title="No request matches the filters" /> : <NoRequests />
      }
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
  return historyEntries.data.value && withRequests(historyEntries.data.value).filter(matchesFilters);
}

/** Replaces entries by their requests, as far as the journal has them. */
function withRequests(entries: readonly HistoryEntry[]): readonly ActivityRow[] {
  const seen = new Set<string>();
  return entries.map(entry => {
    const { requestId } = entry;
    // After a reset the ids of requests begin again: the journal has the newest with an id, and entries are newest first.
    if (requestId === undefined || seen.has(requestId)) return entry;
    seen.add(requestId);
    return journal.find(requestId) ?? entry;
  });
}

/** Whether the id is that of an entry that only the history has. */
function isCallId(id: string): boolean {
  return id.startsWith('ent_');
}

/** A request as a whole, which the list may not have, or a call of the control plane. */
function OpenEntry({ id }: { readonly id: string }) {
  const call = historyEntries.find(id);
  if (call !== undefined) return <ControlCallDetail row={call} />;
  if (isCallId(id) && historyEntries.data.value === null) return null;
  return <OpenRecord list={requests} Detail={RequestDetail} id={id} />;
}

function NoRequests() {
  return (
    <Empty icon="request" title="No requests yet">
      <p>
        Requests to /v1 appear here as soon as they are answered. <a href={linkTo('home')}>Home</a> has a curl
        command to try.
      </p>
    </Empty>
  );
}
