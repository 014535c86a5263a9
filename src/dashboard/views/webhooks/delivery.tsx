import { sandboxNow } from '../../data/clock.ts';
import { control } from '../../data/http.ts';
import type { Attempt, Delivery } from '../../data/response-types.ts';
import { journal } from '../../data/store.ts';
import { Badge, Call, StateBadge, StatusCode } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { dateTime, errorText, exactDateTime, readable, relativeTime, waitingTime } from '../../ui/format.ts';
import { Body } from '../../ui/json.tsx';
import { Facts, RecordHead, RecordLink, Section } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';

export function DeliveryDetail({ row }: { readonly row: Delivery }) {
  const now = sandboxNow.value;
  return (
    <>
      <RecordHead title={row.eventType} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
      {row.cause !== null && row.status !== 'delivered' && (
        <p class={`callout ${row.status === 'failed' ? 'bad' : ''}`}>{row.cause}</p>
      )}
      {row.nextRetryAt !== null && now !== null && (
        <p class="note">
          Next attempt {relativeTime(row.nextRetryAt, now)}, at {dateTime(row.nextRetryAt)}. Advance the clock
          to skip the wait.
        </p>
      )}
      <div class="actions">
        {row.status === 'failed' ? (
          <Button
            kind="primary"
            icon="again"
            title="One more attempt, as the API's retry makes it"
            onClick={() => sendAgain(row, 'retry')}
          >
            Retry now
          </Button>
        ) : (
          <Button
            icon="send"
            title="The same event once more: same id and body, signed again"
            onClick={() => sendAgain(row, 'redeliver')}
          >
            Redeliver
          </Button>
        )}
      </div>
      <Facts
        of={[
          ['URL', row.webhookUrl && <code key="url">{row.webhookUrl}</code>],
          ['Record', <RecordLink key="record" id={row.resourceId} />],
          ['Last response', row.lastAttemptAt && <StatusCode key="status" status={row.lastResponseStatus} />],
          ['Last attempt', row.lastAttemptAt && dateTime(row.lastAttemptAt)],
          ['Created', dateTime(row.createdAt)],
        ]}
      />
      <Section title="Trace">
        <ol class="attempts">
          <TraceOrigin row={row} />
          <li class="trace-step">
            <Badge tone="info" text="event" />
            <span>{row.eventType}</span>
            <time>{exactDateTime(row.createdAt)}</time>
          </li>
          {row.attempts.map((each, index) => (
            <AttemptItem key={`${each.at} ${index}`} attempt={each} number={index + 1} />
          ))}
          {row.attempts.length === 0 && <li class="trace-step nothing">No attempt yet</li>}
        </ol>
      </Section>
      <Body title="Payload" text={row.payload} />
      {row.lastResponseBody !== null && <Body title="Last response body" text={row.lastResponseBody} />}
    </>
  );
}

function TraceOrigin({ row: { id, createdAt } }: { readonly row: Delivery }) {
  const origin = journal.data.value?.find(({ events }) => events.some(event => event.id === id));
  if (journal.data.value === null) return null;
  if (origin === undefined) {
    return (
      <li class="trace-step">
        <span>Raised by no request of the journal</span>
        <time>{exactDateTime(createdAt)}</time>
      </li>
    );
  }
  return (
    <li class="trace-step">
      <StatusCode status={origin.status} />
      <RecordLink id={origin.id} text={<Call {...origin} />} />
      <span class="note">{waitingTime(origin.durationMs)}</span>
      <time>{exactDateTime(origin.at)}</time>
    </li>
  );
}

/** Sends a delivery again, waits for the attempt, and reports its result. */
async function sendAgain({ id, partnerId }: Delivery, action: 'retry' | 'redeliver'): Promise<void> {
  try {
    await control('POST', `/deliveries/${id}/${action}`);
    await control('POST', '/deliveries/settle', { partnerId });
    const sent = await control<Delivery>('GET', `/deliveries/${id}`);
    const last = sent.attempts.at(-1);
    if (last?.cause === null) toast('good', `Delivered: the receiver answered ${last.status}`);
    else toast('bad', `Not delivered: ${last?.cause ?? sent.cause}`);
  } catch (error) {
    toast('bad', errorText(error));
  }
}

function AttemptItem({ attempt, number }: { readonly attempt: Attempt; readonly number: number }) {
  const { url, fault, redelivery, requestHeaders } = attempt;
  return (
    <li>
      <details>
        <summary>
          <span class="attempt-number">{number}</span>
          <StatusCode status={attempt.status} />
          <span class="attempt-cause">{attempt.cause ?? 'delivered'}</span>
          {redelivery && <Badge tone="info" text="redelivery" />}
          <time>{exactDateTime(attempt.at)}</time>
        </summary>
        <Facts
          of={[
            ['URL', url && <code key="url">{url}</code>],
            ...(fault === null ? [] : [['Fault', readable(fault)] as const]),
            ['Duration', `${Math.round(attempt.durationMs)} ms`],
            ...Object.entries(requestHeaders).map(
              ([name, value]) => [name, <code key={name}>{value}</code>] as const,
            ),
          ]}
        />
      </details>
    </li>
  );
}
