import { ApiError, assumed } from './errors.ts';
import { endsWithin, type RealTime } from './realtime.ts';
import type { UnderWay } from './under-way.ts';

/** How long a move waits, in wall time, for a task that may be waiting for that very move. */
const PATIENCE_MS = 2_500;

/**
 * The moves of a clock, one after the other. A move waits for tasks, and a task may ask for a move (a webhook
 * receiver that calls back before it answers), so a move that may be waiting for itself is refused in time.
 */
export class Moves {
  readonly #underWay: UnderWay<unknown>;
  readonly #realTime: RealTime;
  #last: Promise<void> = Promise.resolve();
  #asked = 0;
  /** Ends when what the running move has begun has ended; null while it waits for nothing of its own. */
  #awaited: Promise<void> | null = null;

  constructor(underWay: UnderWay<unknown>, realTime: RealTime) {
    this.#underWay = underWay;
    this.#realTime = realTime;
  }

  /**
   * Makes a move when those before it are done. One that `waits` for what is under way is refused with 409 when
   * that does not end soon, if a task may have asked for it: a task of the running move, or as many tasks as
   * there are moves asked for.
   */
  async make(move: () => Promise<void>, waits: boolean): Promise<void> {
    this.#asked += 1;
    try {
      await this.#refuseToWaitForItself(waits);
      const done = this.#last.then(move);
      this.#last = done.catch(() => undefined);
      await done;
    } finally {
      this.#asked -= 1;
    }
  }

  /** Has the running move begin tasks, and waits for them. */
  async runTasks(begin: () => void): Promise<void> {
    let tell: () => void = () => undefined;
    this.#awaited = new Promise<void>(resolve => {
      tell = resolve;
    });
    begin();
    if (!this.#underWay.isEmpty) await this.#underWay.allDone();
    this.#awaited = null;
    tell();
  }

  async #refuseToWaitForItself(waits: boolean): Promise<void> {
    const mayHaveAsked = waits && this.#underWay.size <= this.#asked;
    const work = this.#awaited ?? (mayHaveAsked ? this.#underWay.allDone() : null);
    if (work === null || (await endsWithin(PATIENCE_MS, work, this.#realTime))) return;
    const message =
      'clock is already advancing, or held up by a webhook that its receiver has not answered; a receiver answers first and asks afterwards, anyone else asks again after POST /_sandbox/deliveries/settle';
    throw new ApiError(409, assumed('clock-moves'), message);
  }
}
