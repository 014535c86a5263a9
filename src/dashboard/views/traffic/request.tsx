import type { JournalEntry, Rule } from '../../data/response-types.ts';
import { info, partners } from '../../data/store.ts';
import { linkTo } from '../../route.ts';
import { Badge, Call, StatusCode } from '../../ui/badge.tsx';
import { Copy } from '../../ui/copy.tsx';
import { toCurl } from '../../ui/curl.ts';
import { dateTime } from '../../ui/format.ts';
import { Body, HeaderList } from '../../ui/json.tsx';
import { Facts, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { ChangeList } from './change-list.tsx';
import { NEW } from './request-form.tsx';

export function RequestDetail({ row }: { readonly row: JournalEntry }) {
  const { method, path, query } = row;
  const caller = partners.data.value?.find(({ id }) => id === row.partnerId);
  const command = () => toCurl({ method, path, query, body: row.request.body }, caller?.apiKey);
  return (
    <>
      <RecordHead kind="wire" title={<Call method={method} path={path} />} id={row.id}>
        <StatusCode status={row.status} />
      </RecordHead>
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
        <a class="button small" href={linkTo('requests', `${NEW}/${row.id}`)}>
          Edit and send again
        </a>
        {/* The command has names that are among the options, and they arrive after the partners with its key. */}
        {info.data.value !== null && <Copy text={command} label="Copy as curl" title="Copy as curl" />}
      </div>
      <Facts
        of={[
          ['Operation', row.operation && <code key="operation">{row.operation}</code>],
          ['Query', query === '' ? null : <code key="query">{query}</code>],
          ['Time', dateTime(row.at)],
          ['Duration', `${row.durationMs.toFixed(1)} ms`],
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

/** The records that a request changed and the events that it raised. */
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
            {events.map(({ id, eventType }) => (
              <li key={id}>
                <RecordLink view="deliveries" id={id}>
                  {eventType}
                </RecordLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** The rule behind a refusal: a section of the interface, or an assumption of the sandbox. */
function RuleNote({ rule: { fidelity, id, section } }: { readonly rule: Rule }) {
  return (
    <p class="rule">
      <Badge tone={fidelity === 'documented' ? 'good' : 'warn'} text={fidelity} />
      {id === null ? (
        <span>Section {section} of the interface</span>
      ) : (
        <span>
          <a href={linkTo('assumptions', id)}>{id}</a>, where section {section} is silent
        </span>
      )}
    </p>
  );
}
