const MINUTE_MS = 60_000;

/** The delays before the five automatic retries, in milliseconds (interface section 6.4). */
const RETRY_DELAYS_MS = [1, 5, 30, 2 * 60, 24 * 60].map(minutes => minutes * MINUTE_MS);

/**
 * Returns the delay between the latest attempt and the next retry, in milliseconds of sandbox time, or null after
 * the last automatic retry. `speed` divides the published delays.
 */
export function retryDelay(attemptCount: number, speed: number): number | null {
  const delay = RETRY_DELAYS_MS[attemptCount - 1];
  return delay === undefined ? null : Math.round(delay / speed);
}
