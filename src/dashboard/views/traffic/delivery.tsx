import { change, withToast } from '../../data/actions.ts';
import type { Attempt, Delivery } from '../../data/response-types.ts';
import { sandboxNow } from '../../data/sandbox-time.ts';
import { deliveries } from '../../data/store.ts';
import { Badge, StateBadge, StatusCode } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { dateTime, readable, relativeTime } from '../../ui/format.ts';
import { Body } from '../../ui/json.tsx';
import { Button, Facts, Section } from '../../ui/panel.tsx';
import { isSuccess, RetrySchedule } from './retry-schedule.tsx';

/** A webhook delivery with its payload, its retry schedule and every attempt. */
export function DeliveryDetail({ row }: { readonly row: Delivery }) {
  const now = sandboxNow.value;
  return (
    <>
      <header class="detail-head">
        <h2>{row.eventType}</h2>
        <StateBadge state={row.status} />
      </header>
      <Id value={row.id} />
      {row.cause !== null && row.status !== 'delivered' && (
        <p class={`callout ${row.status === 'failed' ? 'bad' : ''}`}>
          <span>{row.cause}</span>
        </p>
      )}
      <RetrySchedule row={row} />
      {row.nextRetryAt !== null && now !== null && (
        <p class="note">
          Next attempt {relativeTime(row.nextRetryAt, now)}, at {dateTime(row.nextRetryAt)}. Advance the clock
          to skip the wait.
        </p>
      )}
      <div class="actions">
        {row.status === 'failed' && (
          <Button tone="primary" icon="again" onClick={() => retry(row.id)}>
            Retry now
          </Button>
        )}
        <Button icon="send" onClick={() => redeliver(row.id)}>
          Redeliver
        </Button>
      </div>
      <Facts
        of={[
          ['URL', row.webhookUrl && <code key="url">{row.webhookUrl}</code>],
          ['Record', <code key="record">{row.resourceId}</code>],
          ['Last response', row.lastAttemptAt && <StatusCode key="status" status={row.lastResponseStatus} />],
          ['Last attempt', row.lastAttemptAt && dateTime(row.lastAttemptAt)],
          ['Created', dateTime(row.createdAt)],
        ]}
      />
      <Body title="Payload" text={row.payload} />
      {row.lastResponseBody !== null && <Body title="Last response body" text={row.lastResponseBody} />}
      <Section title="Attempts">
        {row.attempts.length === 0 ? (
          <p class="nothing">None yet.</p>
        ) : (
          <ol class="attempts">
            {row.attempts.map((each, index) => (
              <AttemptItem key={`${each.at} ${index}`} attempt={each} number={index + 1} />
            ))}
          </ol>
        )}
      </Section>
    </>
  );
}

function retry(id: string): void {
  void withToast('Delivery retried', () => change([deliveries], 'POST', `/deliveries/${id}/retry`));
}

function redeliver(id: string): void {
  void withToast('Delivery sent once more', () =>
    change([deliveries], 'POST', `/deliveries/${id}/redeliver`),
  );
}

function AttemptItem({ attempt, number }: { readonly attempt: Attempt; readonly number: number }) {
  const { url, fault, redelivery, requestHeaders } = attempt;
  return (
    <li>
      <details>
        <summary>
          <span class="attempt-number">{number}</span>
          <StatusCode status={attempt.status} />
          <span class="attempt-cause">
            {attempt.cause ?? (isSuccess(attempt) ? 'delivered' : 'not a 2xx status')}
          </span>
          {redelivery && <Badge tone="info" text="redelivery" />}
          <time>{dateTime(attempt.at)}</time>
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
