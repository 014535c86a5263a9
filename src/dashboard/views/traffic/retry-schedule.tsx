import type { Attempt, Delivery } from '../../data/response-types.ts';
import { retryDelays } from '../../data/retry-ladder.ts';
import { duration } from '../../ui/format.ts';

/** Returns the label of each attempt: the delay after the one before, at the retry speed of this sandbox. */
function delayLabels(): string[] {
  return ['at once', ...retryDelays.value.map(delay => `+${duration(delay)}`)];
}

/** The first attempt and the five automatic retries, each with its result. */
export function RetrySchedule({ row }: { readonly row: Delivery }) {
  const attempts = row.attempts.filter(each => each.redelivery === undefined);
  return (
    <ol class="retry-schedule" aria-label="Retry schedule">
      {delayLabels().map((delay, index) => {
        const attempt = attempts[index];
        const isNext = row.status === 'pending' && index === attempts.length;
        const state = attempt === undefined ? (isNext ? 'warn' : '') : isSuccess(attempt) ? 'good' : 'bad';
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

/** Returns whether an attempt got a 2xx status. */
export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}
