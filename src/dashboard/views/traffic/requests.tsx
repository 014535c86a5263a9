import { change } from '../../data/actions.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { journal, partner, partnerJournal } from '../../data/store.ts';
import { Method, StatusCode } from '../../ui/badge.tsx';
import { Browse, MissingRecord } from '../../ui/browse.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty } from '../../ui/panel.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import type { View } from '../../ui/view.ts';
import { RequestDetail } from './request.tsx';

/** The request journal. */
export const requestsView: View = {
  name: 'requests',
  title: 'Requests',
  icon: 'request',
  group: 'Traffic',
  key: 'r',
  Page: Requests,
};

const RESULTS = ['succeeded', 'refused', 'failed'] as const;

function resultOf({ status }: JournalEntry): (typeof RESULTS)[number] {
  return status < 400 ? 'succeeded' : status < 500 ? 'refused' : 'failed';
}

const COLUMNS: readonly Column<JournalEntry>[] = [
  { title: 'Status', width: '56px', cell: row => <StatusCode status={row.status} /> },
  {
    title: 'Request',
    width: 'minmax(0, 1fr)',
    cell: row => (
      <TwoLines
        main={
          <>
            <Method name={row.method} /> <code>{row.path}</code>
          </>
        }
        sub={row.refusal ?? row.operation ?? 'no operation'}
      />
    ),
  },
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
  return (
    <Browse
      view={requestsView}
      noun="request"
      rows={partnerJournal.value}
      error={journal.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: resultOf, all: RESULTS }}
      actions={
        <Button icon="close" onClick={() => void change([journal], 'DELETE', '/requests')}>
          Clear journal
        </Button>
      }
      empty={
        <Empty icon="request" title="No requests yet">
          <p>Requests to /v1 appear here as soon as they are answered. Try one:</p>
          <FirstCall />
        </Empty>
      }
      detail={id => {
        const row = journal.find(id);
        return row === undefined ? <MissingRecord noun="request" id={id} /> : <RequestDetail row={row} />;
      }}
    />
  );
}

function FirstCall() {
  if (partner.value === null) return null;
  const command = toCurl({ method: 'GET', path: '/v1/partner/cards' }, partner.value.apiKey);
  return <Copy text={command} label="Copy a curl command" title="Copy a curl command" />;
}
