import { moment, time, toCurl } from '../../ui/format.ts';
import { change } from '../../data/actions.ts';
import type { JournalEntry, Rule } from '../../data/response-types.ts';
import { journal, ownJournal, partners } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { Badge, Method, StatusCode } from '../../ui/badge.tsx';
import { Browse, Gone } from '../../ui/browse.tsx';
import { Copy, Id } from '../../ui/copy.tsx';
import { Body } from '../../ui/json.tsx';
import { type Column, TwoLines } from '../../ui/list.tsx';
import { Button, Empty, Facts, Section } from '../../ui/panel.tsx';
import { momentColumn } from '../../ui/moment-column.tsx';

const STATES = ['answered', 'refused', 'failed'] as const;

function stateOf({ status }: JournalEntry): (typeof STATES)[number] {
  return status < 400 ? 'answered' : status < 500 ? 'refused' : 'failed';
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
    title: 'Took',
    width: '72px',
    isMinor: true,
    isNumber: true,
    cell: row => `${row.durationMs.toFixed(1)} ms`,
  },
  momentColumn('At', row => row.at),
];

/** The request journal, with the rule behind each refusal. */
export function Requests() {
  return (
    <Browse
      view="requests"
      title="Requests"
      noun="request"
      rows={ownJournal.value}
      error={journal.error.value}
      idOf={({ id }) => id}
      columns={COLUMNS}
      states={{ of: stateOf, all: STATES }}
      actions={
        <Button icon="close" onClick={() => void change([journal], 'DELETE', '/requests')}>
          Clear journal
        </Button>
      }
      empty={
        <Empty icon="request" title="No requests yet">
          <p>Each call to /v1 shows up here the moment it is answered, with what decided it. Try:</p>
          <FirstCall />
        </Empty>
      }
      detail={id => {
        const row = journal.find(id);
        return row === undefined ? <Gone noun="request" id={id} /> : <Detail row={row} />;
      }}
    />
  );
}

function FirstCall() {
  const [first] = partners.value.value ?? [];
  if (first === undefined) return null;
  const command = toCurl(location.origin, { method: 'GET', path: '/v1/partner/cards' }, first);
  return <Copy text={command} label="Copy a first curl call" title="Copy a first curl call" />;
}

function Detail({ row }: { readonly row: JournalEntry }) {
  const owner = partners.value.value?.find(({ id }) => id === row.partnerId) ?? null;
  const { method, path, query } = row;
  const command = toCurl(location.origin, { method, path, query, body: row.request.body }, owner);
  return (
    <>
      <header class="detail-head">
        <h2 class="wire">
          <Method name={method} /> {path}
        </h2>
        <StatusCode status={row.status} />
      </header>
      <Id value={row.id} />
      {row.refusal !== null && (
        <div class="callout bad">
          <p>{row.refusal}</p>
          {row.rule !== null && <RuleNote rule={row.rule} />}
        </div>
      )}
      {row.hints.map(hint => (
        <p key={hint} class="callout">
          Hint: {hint}
        </p>
      ))}
      <div class="actions">
        <Copy text={command} label="Copy as curl" title="Copy as curl" />
      </div>
      <Facts
        of={[
          ['Operation', row.operation && <code key="operation">{row.operation}</code>],
          ['Query', query === '' ? null : <code key="query">{query}</code>],
          ['At', moment(row.at)],
          ['Took', `${row.durationMs.toFixed(1)} ms`],
          ['Caller', row.request.remoteAddress],
        ]}
      />
      <Body title="Request body" text={row.request.body} />
      <Body title="Response body" text={row.response.body} />
      {(row.changes.length > 0 || row.events.length > 0) && (
        <Section title="What it did">
          <ul class="links">
            {row.changes.map(({ kind, id, action }) => (
              <li key={`${kind} ${id} ${action}`}>
                <span>
                  {kind} {action}
                </span>
                <code>{id}</code>
              </li>
            ))}
            {row.events.map(({ id, eventType }) => (
              <li key={id}>
                <span>event</span>
                <a href={linkTo('deliveries', id)}>{eventType}</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <p class="off-screen">Answered at {time(row.at)}</p>
    </>
  );
}

/** On whose authority a request was refused: a section of the interface, or an assumption of the sandbox. */
export function RuleNote({ rule }: { readonly rule: Rule }) {
  return (
    <p class="rule">
      <Badge state={rule.fidelity === 'documented' ? 'active' : 'pending'} label={rule.fidelity} />
      {rule.id === null ? (
        <span>Section {rule.section} of the interface</span>
      ) : (
        <span>
          <a href={linkTo('assumptions', rule.id)}>{rule.id}</a>, where section {rule.section} is silent
        </span>
      )}
    </p>
  );
}
