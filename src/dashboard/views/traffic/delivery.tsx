import { change, withToast } from '../../data/actions.ts';
import { retryDelays, sandboxNow } from '../../data/clock.ts';
import type { Attempt, Delivery } from '../../data/response-types.ts';
import { deliveries } from '../../data/store.ts';
import { Badge, StateBadge, StatusCode } from '../../ui/badge.tsx';
import { dateTime, duration, readable, relativeTime } from '../../ui/format.ts';
import { Body } from '../../ui/json.tsx';
import { Button, Facts, RecordHead, Section } from '../../ui/panel.tsx';

export function DeliveryDetail({ row }: { readonly row: Delivery }) {
  const now = sandboxNow.value;
  return (
    <>
      <RecordHead title={row.eventType} id={row.id}>
        <StateBadge state={row.status} />
      </RecordHead>
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

/** Returns the label of each attempt: the delay after the one before, at the retry speed of this sandbox. */
function delayLabels(): string[] {
  return ['at once', ...retryDelays.value.map(delay => `+${duration(delay)}`)];
}

/** The first attempt and the five automatic retries, each with its result. */
function RetrySchedule({ row }: { readonly row: Delivery }) {
  const attempts = row.attempts.filter(each => each.redelivery === undefined);
  return (
    <ol class="retry-schedule" aria-label="Retry schedule">
      {delayLabels().map((delay, index) => {
        const attempt = attempts[index];
        const isNext = row.status === 'pending' && index === attempts.length;
        const state =
          attempt === undefined ? (isNext ? 'next' : 'open') : isSuccess(attempt) ? 'good' : 'bad';
        return (
          <li key={delay} class={state}>
            <span class="retry-delay">{delay}</span>
            <span class="retry-result">
              {attempt === undefined ? (isNext ? 'next' : '') : (attempt.status ?? 'failed')}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}
