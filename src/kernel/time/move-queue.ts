import { ApiError, assumed } from '../operation/errors.ts';
import type { InFlight } from './in-flight.ts';
import { endsWithin, type RealTime } from './realtime.ts';

/** How long a move waits, in wall time, for a task that may be waiting for that very move while another is held up. */
const PATIENCE_MS = 2_500;
const REFUSAL =
  'clock is already advancing, or held up by a webhook that its receiver has not answered; a receiver answers first and asks afterwards, anyone else asks again after POST /_sandbox/deliveries/settle';

/**
 * The moves of a clock, one after the other. A move waits for tasks, and a task may ask for a move (a webhook
 * receiver that calls back before it answers), so a move that may be waiting for itself is refused in time where it
 * holds up another. Where it does not, it waits until the task gives up, as every webhook attempt does: most who
 * advance the clock while a receiver is slow are not that receiver.
 */
export class MoveQueue {
  readonly #underWay: InFlight<unknown>;
  readonly #realTime: RealTime;
  #last: Promise<unknown> = Promise.resolve();
  #asked = 0;
  /** Moves that wait for tasks before they take their turn, the newest last. */
  readonly #waiting = new Set<symbol>();
  /** Ends when what the running move has begun has ended; null while it waits for nothing of its own. */
  #awaited: Promise<void> | null = null;

  constructor(underWay: InFlight<unknown>, realTime: RealTime) {
    this.#underWay = underWay;
    this.#realTime = realTime;
  }

  /**
   * Makes a move when those before it are done, and resolves with what it tells at its end. One that `waits` for what
   * is under way is refused with 409 when that does not end soon, if a task holds up another move by waiting for this
   * one: a task of the running move, or one of fewer tasks than there are moves asked for. The newest are refused, no
   * more of them than there are tasks: whoever asked before goes on by that.
   */
  async make<Told>(move: () => Promise<Told>, waits: boolean): Promise<Told> {
    this.#asked += 1;
    try {
      await this.#refuseToWaitForItself(waits);
      const done = this.#last.then(move);
      this.#last = done.catch(() => undefined);
      return await done;
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
    const me = Symbol('move');
    this.#waiting.add(me);
    try {
      while (!(await this.#isFree(waits))) {
        const newer = this.#waiting.size - 1 - [...this.#waiting].indexOf(me);
        if (newer < this.#underWay.size) throw new ApiError(409, assumed('clock-moves'), REFUSAL);
      }
    } finally {
      this.#waiting.delete(me);
    }
  }

  /** Whether no task can have asked for a move that another waits for, or all of them end soon. */
  async #isFree(waits: boolean): Promise<boolean> {
    const mayHaveAsked = waits && this.#underWay.size < this.#asked;
    const work = this.#awaited ?? (mayHaveAsked ? this.#underWay.allDone() : null);
    return work === null || endsWithin(PATIENCE_MS, work, this.#realTime);
  }
}
