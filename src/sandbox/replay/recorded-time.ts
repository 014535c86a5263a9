import { type RealTime, realTime } from '../../core/time/realtime.ts';

/** The wall time of a world that plays a record: frozen until it is moved, and running once it is released. */
export class RecordedTime implements RealTime {
  #now: number;
  #isReleased = false;
  /** Work for the end of a turn that has not run yet. */
  #urgent = 0;
  /** Sandbox time that moves may reach, and what waits for a later one. */
  #limit = Number.NEGATIVE_INFINITY;
  readonly #waiting: (() => void)[] = [];
  readonly #timers = new Set<{ readonly at: number; readonly task: () => void; cancel: () => void }>();

  /** Starts at a time in milliseconds since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#isReleased ? realTime.now() : this.#now;
  }

  elapsed(): number {
    return realTime.elapsed();
  }

  after(delayMs: number, task: () => void): () => void {
    if (delayMs <= 0) return this.#afterTurn(task);
    if (this.#isReleased) return realTime.after(delayMs, task);
    const timer = { at: this.#now + delayMs, task, cancel: () => void this.#timers.delete(timer) };
    this.#timers.add(timer);
    return () => timer.cancel();
  }

  #afterTurn(task: () => void): () => void {
    this.#urgent += 1;
    let isOver = false;
    const end = () => {
      if (!isOver) this.#urgent -= 1;
      isOver = true;
    };
    const cancel = realTime.after(0, () => {
      end();
      task();
    });
    return () => {
      cancel();
      end();
    };
  }

  untilReached(time: number): Promise<void> | null {
    return time <= this.#limit ? null : new Promise(resolve => this.#waiting.push(resolve));
  }

  /** Lets moves of the sandbox clock reach a time. */
  allow(time: number): void {
    this.#limit = time;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Moves on, and calls what falls due on the way at its time, each when all that the one before has caused is done. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      const [next] = due;
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
      await this.quiet();
    }
    this.#now = end;
  }

  /** Resolves once nothing is left to do before time moves on or something comes from outside. */
  async quiet(): Promise<void> {
    do {
      await new Promise<void>(resolve => realTime.after(0, resolve));
    } while (this.#urgent > 0);
  }

  /** From here on this is the wall time of the machine. */
  release(): void {
    this.#isReleased = true;
    this.allow(Number.POSITIVE_INFINITY);
    for (const timer of this.#timers) {
      timer.cancel = realTime.after(Math.max(1, timer.at - this.#now), timer.task);
    }
    this.#timers.clear();
  }
}
