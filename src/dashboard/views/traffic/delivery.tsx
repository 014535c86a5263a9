import { distance, moment, span, words } from '../../ui/format.ts';
import { sandboxNow } from '../../data/sandbox-time.ts';
import { attempt, change } from '../../data/actions.ts';
import type { Attempt, Delivery } from '../../data/response-types.ts';
import { deliveries, info } from '../../data/store.ts';
import { Badge, StatusCode } from '../../ui/badge.tsx';
import { Id } from '../../ui/copy.tsx';
import { Body } from '../../ui/json.tsx';
import { Button, Facts, Section } from '../../ui/panel.tsx';

/** After how many minutes each automatic retry comes (interface section 6.4). */
const LADDER_MINUTES = [1, 5, 30, 120, 1_440] as const;
const MINUTE_MS = 60_000;

/** What stands over each attempt: how long after the last one it comes, at the speed of this sandbox. */
function ladder(): string[] {
  const speed = Number(info.value.value?.options.retrySpeed ?? 1);
  return ['at once', ...LADDER_MINUTES.map(minutes => `+${span((minutes * MINUTE_MS) / speed)}`)];
}

/** A delivery: what is sent, where, and every attempt at it. */
export function DeliveryDetail({ row }: { readonly row: Delivery }) {
  const now = sandboxNow.value;
  return (
    <>
      <header class="detail-head">
        <h2>{row.eventType}</h2>
        <Badge state={row.status} />
      </header>
      <Id value={row.id} />
      {row.cause !== null && row.status !== 'delivered' && (
        <p class={`callout ${row.status === 'failed' ? 'bad' : ''}`}>
          <span>{row.cause}</span>
        </p>
      )}
      <Ladder row={row} />
      {row.nextRetryAt !== null && now !== null && (
        <p class="note">
          Next attempt {distance(row.nextRetryAt, now)}, at {moment(row.nextRetryAt)}. Advance the clock to
          get there.
        </p>
      )}
      {row.status === 'failed' && (
        <div class="actions">
          <Button tone="primary" icon="again" onClick={() => retry(row.id)}>
            Retry now
          </Button>
        </div>
      )}
      <Facts
        of={[
          ['URL', row.webhookUrl && <code key="url">{row.webhookUrl}</code>],
          ['About', <code key="about">{row.resourceId}</code>],
          ['Last answer', row.lastAttemptAt && <StatusCode key="status" status={row.lastResponseStatus} />],
          ['Last attempt', row.lastAttemptAt && moment(row.lastAttemptAt)],
          ['Created', moment(row.createdAt)],
        ]}
      />
      <Body title="Payload" text={row.payload} />
      {row.lastResponseBody !== null && <Body title="Last response body" text={row.lastResponseBody} />}
      <Section title="Attempts">
        {row.attempts.length === 0 ? (
          <p class="nothing">None so far.</p>
        ) : (
          <ol class="attempts">
            {row.attempts.map((each, index) => (
              <AttemptItem key={`${each.at} ${index}`} of={each} number={index + 1} />
            ))}
          </ol>
        )}
      </Section>
    </>
  );
}

function retry(id: string): void {
  void attempt('Tried once more', () => change([deliveries], 'POST', `/deliveries/${id}/retry`));
}

/** The first attempt and the five retries, each as it went. */
function Ladder({ row }: { readonly row: Delivery }) {
  return (
    <ol class="ladder" aria-label="Attempts and retries">
      {ladder().map((delay, index) => {
        const made = row.attempts[index];
        const isNext = row.status === 'pending' && index === row.attempts.length;
        const state = made === undefined ? (isNext ? 'next' : 'open') : isSuccess(made) ? 'good' : 'bad';
        return (
          <li key={delay} class={state}>
            <span class="ladder-delay">{delay}</span>
            <span class="ladder-result">
              {made === undefined ? (isNext ? 'next' : '') : (made.status ?? 'failed')}
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

function AttemptItem({ of, number }: { readonly of: Attempt; readonly number: number }) {
  const headers = Object.entries(of.requestHeaders);
  return (
    <li>
      <details>
        <summary>
          <span class="attempt-number">{number}</span>
          <StatusCode status={of.status} />
          <span class="attempt-cause">{of.cause ?? (isSuccess(of) ? 'delivered' : 'not a 2xx')}</span>
          <time>{moment(of.at)}</time>
        </summary>
        <Facts
          of={[
            ['URL', of.url && <code key="url">{of.url}</code>],
            ...(of.fault === null ? [] : [['Fault', words(of.fault)] as const]),
            ['Took', `${Math.round(of.durationMs)} ms`],
            ...headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const),
          ]}
        />
      </details>
    </li>
  );
}
