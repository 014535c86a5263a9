import type { Exchange } from '../../evidence.ts';

/** The wall time of the machine, with a sleep that ends early when the signal aborts. */
export interface WallTime {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const TOO_MANY_REQUESTS = 429;
const NEVER = new AbortController().signal;
const MAX_TRIES = 5;
/** No window of a minute takes longer (interface section 8), whatever the clock of the service says. */
const MAX_WAIT_MS = 65_000;

/** Keeps requests within the rate limit of the service (interface section 8). */
export class Pace {
  readonly #time: WallTime;
  readonly #signal: AbortSignal;
  /** When the window ends, while it has no requests left; else null. */
  #resetsAt: number | null = null;

  constructor(time: WallTime, signal: AbortSignal) {
    this.#time = time;
    this.#signal = signal;
  }

  /** Sends a request when the window has room for it, and again after a 429. A cleanup is not stopped by the signal. */
  async keep(send: () => Promise<Exchange>, cleanup: boolean): Promise<Exchange> {
    const signal = cleanup ? NEVER : this.#signal;
    for (let tries = 1; ; tries++) {
      if (this.#resetsAt !== null) await this.#wait(this.#resetsAt - this.#time.now(), signal);
      const exchange = await send();
      const { headers, status } = exchange;
      const reset = Number(headers['x-ratelimit-reset']) * 1_000;
      this.#resetsAt = headers['x-ratelimit-remaining'] === '0' && reset > 0 ? reset : null;
      if (status !== TOO_MANY_REQUESTS || tries === MAX_TRIES) return exchange;
      this.#resetsAt = null;
      await this.#wait(Number(headers['retry-after'] ?? 1) * 1_000, signal);
    }
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await this.#time.sleep(Math.min(ms, MAX_WAIT_MS), signal);
    signal.throwIfAborted();
  }
}
