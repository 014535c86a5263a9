import type { Attempt, Delivery } from '../../data/response-types.ts';
import { info } from '../../data/store.ts';
import { duration } from '../../ui/format.ts';

/** The delays before the automatic retries (interface section 6.4), in minutes. */
const RETRY_MINUTES = [1, 5, 30, 120, 1_440] as const;
const MINUTE_MS = 60_000;

/** Returns the label of each attempt: the delay after the one before, at the retry speed of this sandbox. */
function delayLabels(): string[] {
  const speed = Number(info.data.value?.options.retrySpeed ?? 1);
  return ['at once', ...RETRY_MINUTES.map(minutes => `+${duration((minutes * MINUTE_MS) / speed)}`)];
}

/** The first attempt and the five automatic retries, each with its result. */
export function RetrySchedule({ row }: { readonly row: Delivery }) {
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

/** Returns whether an attempt got a 2xx status. */
export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}
