import { ApiError, documented } from '../operation/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { RealTime } from '../time/realtime.ts';

const WINDOW_MS = 60_000;

interface Window {
  startedAt: number;
  startedAtAdvanced: number;
  used: number;
}

/**
 * Counts requests per API key in fixed windows (interface section 8). A window ends after 60 s of wall time, or when
 * advances have moved the sandbox clock by 60 s, whichever is first. Ended windows are removed when another one starts.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  /** Oldest first. */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, realTime: RealTime) {
    this.#clock = clock;
    this.#realTime = realTime;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts one request. Throws the 429 with `Retry-After` when the limit is exceeded; 0 is no limit. */
  take(key: string, limit: number, headers: Record<string, string>): void {
    if (limit === 0) return;
    const now = this.#realTime.now();
    const window = this.#window(key, now);
    window.used += 1;
    const resetAt = window.startedAt + WINDOW_MS;
    headers['X-RateLimit-Limit'] = String(limit);
    headers['X-RateLimit-Remaining'] = String(Math.max(0, limit - window.used));
    headers['X-RateLimit-Reset'] = String(Math.ceil(resetAt / 1000));
    if (window.used <= limit) return;
    const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
    throw new ApiError(
      429,
      documented('8'),
      `rate limit of ${limit} requests per minute exceeded; retry in ${seconds} s`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }

  #window(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && this.#isOpen(known, now)) return known;
    this.#windows.delete(key);
    this.#removeEnded(now);
    const fresh = { startedAt: now, startedAtAdvanced: this.#clock.advancedMs, used: 0 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #isOpen({ startedAt, startedAtAdvanced }: Window, now: number): boolean {
    const isRecent = now >= startedAt && now - startedAt < WINDOW_MS;
    return isRecent && this.#clock.advancedMs - startedAtAdvanced < WINDOW_MS;
  }

  /** Rotated keys are never used again, so their windows would accumulate. */
  #removeEnded(now: number): void {
    for (const [key, window] of this.#windows) {
      if (this.#isOpen(window, now)) return;
      this.#windows.delete(key);
    }
  }
}
