import { deliveries, useRows } from '../../data/records.ts';
import type { JournalEntry, Rule } from '../../data/response-types.ts';
import { info, journal, partners } from '../../data/store.ts';
import { openResendForm } from '../../forms/requests.ts';
import { linkTo } from '../../route.ts';
import { Badge, Call, StateBadge, StatusCode } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import { count, exactDateTime, waitingTime } from '../../ui/format.ts';
import { Body, HeaderList } from '../../ui/json.tsx';
import { Facts, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { ChangeList } from './changes.tsx';
import { HistoryActions } from './history-actions.tsx';
import { refusalOf } from './refusals.ts';

/** How many deliveries of a record are looked through. */
const MAX_DELIVERIES = 1_000;

export function RequestDetail({ row }: { readonly row: JournalEntry }) {
  const { method, path, query } = row;
  const caller = partners.data.value?.find(({ id }) => id === row.partnerId);
  const command = () => toCurl({ method, path, query, body: row.request.body }, caller?.apiKey);
  return (
    <>
      <RecordHead kind="wire" title={<Call {...row} />} id={row.id}>
        <StatusCode status={row.status} />
      </RecordHead>
      {row.refusal !== null && (
        <div class="callout bad">
          <p>{row.refusal}</p>
          {row.rule !== null && <RuleNote rule={row.rule} />}
          <WouldPass lines={row.wouldPass ?? []} refusal={row.refusal} />
          <SameRefusal row={row} />
        </div>
      )}
      {row.hints.map(hint => (
        <p key={hint} class="callout">
          Hint: {hint}
        </p>
      ))}
      <div class="actions">
        <Button icon="send" onClick={() => openResendForm(row)}>
          Edit and send again
        </Button>
        <HistoryActions id={row.id} />
        {/* The command has names that are among the options, and they arrive after the partners with its key. */}
        {info.data.value !== null && <Copy text={command} label="Copy as curl" title="Copy as curl" />}
      </div>
      <Facts
        of={[
          ['Operation', row.operation && <code key="operation">{row.operation}</code>],
          ['Time', exactDateTime(row.at)],
          ['Duration', waitingTime(row.durationMs)],
          ['Caller', row.request.remoteAddress],
        ]}
      />
      <HeaderList title="Request headers" headers={row.request.headers} />
      <Body title="Request body" text={row.request.body} />
      <HeaderList title="Response headers" headers={row.response.headers} />
      <Body title="Response body" text={row.response.body} />
      <Effects row={row} />
    </>
  );
}

interface WouldPassProps {
  /** A sentence, and the fields of the request below it. */
  readonly lines: readonly string[];
  readonly refusal: string;
}

/** What would have been accepted instead: of many fields those that the refusal names, and the others when opened. */
function WouldPass({ lines: [first, ...fields], refusal }: WouldPassProps) {
  if (first === undefined) return null;
  const isNamed = (field: string) => refusal.includes(field.slice(0, field.indexOf(':')));
  const named = fields.filter(isNamed);
  const others = fields.filter(field => !isNamed(field));
  return (
    <div class="would-pass">
      <p>
        <b>Would have been accepted:</b> {first}
      </p>
      <FieldLines of={named} />
      {others.length > 0 && (
        <details>
          <summary>{count(others.length, named.length > 0 ? 'other field' : 'field')}</summary>
          <FieldLines of={others} />
        </details>
      )}
    </div>
  );
}

function FieldLines({ of }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {of.map(field => (
        <li key={field}>
          <code>{field}</code>
        </li>
      ))}
    </ul>
  );
}

function SameRefusal({ row }: { readonly row: JournalEntry }) {
  const wanted = refusalOf(row);
  const isSame = (each: JournalEntry) => each.partnerId === row.partnerId && refusalOf(each) === wanted;
  const same = (journal.data.value ?? []).filter(isSame).length;
  if (same < 2) return null;
  return (
    <p>
      <a href={linkTo('activity', row.id, { same: row.id })}>{count(same, 'request')} with this refusal</a>
    </p>
  );
}

function RaisedEvent({ id, eventType, resourceId }: JournalEntry['events'][number]) {
  const rows = useRows(deliveries, { resourceId }, MAX_DELIVERIES);
  const delivery = rows?.find(each => each.id === id);
  if (rows === null) return <li>{eventType}</li>;
  return (
    <li>
      {delivery === undefined ? <span>{eventType}</span> : <RecordLink id={id} text={eventType} />}
      {delivery === undefined ? (
        <span class="note">not subscribed</span>
      ) : (
        <StateBadge state={delivery.status} />
      )}
    </li>
  );
}

function Effects({ row: { changes, events } }: { readonly row: JournalEntry }) {
  return (
    <>
      {changes.length > 0 && (
        <Section title="Changed records">
          <ChangeList changes={changes} />
        </Section>
      )}
      {events.length > 0 && (
        <Section title="Events">
          <ul class="links">
            {events.map(event => (
              <RaisedEvent key={event.id} {...event} />
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** The rule behind a refusal: a section of the interface, or a decision of the register of assumptions. */
function RuleNote({ rule: { fidelity, id, section, decision } }: { readonly rule: Rule }) {
  return (
    <p class="rule">
      <Badge tone={fidelity === 'documented' ? 'good' : 'warn'} text={fidelity} />
      {id === null ? (
        <span>Section {section} of the interface</span>
      ) : (
        <span>
          <code>{id}</code>, where section {section} is silent: {decision}
        </span>
      )}
    </p>
  );
}
