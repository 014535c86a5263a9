import { ApiError, assumed } from '../operation/errors.ts';
import { endsWithin, type RealTime } from './realtime.ts';
import type { InFlight } from './scheduled-tasks.ts';

/** How long a move waits, in wall time, for a task that may itself wait for this move. */
const MAX_WAIT_MS = 2_500;
const REFUSAL =
  'clock is already advancing, or waits for a webhook whose receiver has not responded; a receiver must respond before it moves the clock, any other caller can retry after POST /_sandbox/deliveries/settle';

/**
 * Runs the moves of a clock one after the other, and refuses a move that may wait for itself.
 *
 * A move waits for tasks in flight, and a task may request a move: a webhook receiver that advances the clock before
 * it responds. The queue cannot tell such a move from others. It refuses a move only if a task may have requested it
 * and another move waits for that task. See "What an advance waits for" in docs/architecture.md.
 */
export class MoveQueue {
  readonly #inFlight: InFlight;
  readonly #realTime: RealTime;
  #last: Promise<unknown> = Promise.resolve();
  /** The number of moves requested and not finished, the running one included. */
  #unfinished = 0;
  /** Moves that have not been admitted to the queue yet, oldest first. */
  readonly #waiting = new Set<symbol>();
  /** Resolves when the tasks that the running move started have ended; null when it waits for none. */
  #ownTasks: Promise<void> | null = null;

  constructor(inFlight: InFlight, realTime: RealTime) {
    this.#inFlight = inFlight;
    this.#realTime = realTime;
  }

  /**
   * Runs `move` after the moves before it and returns its result. `waitsForTasks` says whether the move waits for
   * tasks in flight. Throws the 409 when the move may wait for itself and the tasks do not end in time.
   */
  async run<Result>(move: () => Promise<Result>, waitsForTasks: boolean): Promise<Result> {
    this.#unfinished += 1;
    try {
      await this.#admit(waitsForTasks);
      const result = this.#last.then(move);
      this.#last = result.catch(() => undefined);
      return await result;
    } finally {
      this.#unfinished -= 1;
    }
  }

  /** Calls `start`, which resolves when it has started tasks of the running move, and resolves when they have ended. */
  async runTasks(start: () => Promise<void>): Promise<void> {
    // The promise must exist before the first task starts: the task may request a move at once.
    this.#ownTasks = Promise.resolve()
      .then(start)
      .then(() => this.#inFlight.waitUntilDrained());
    await this.#ownTasks;
    this.#ownTasks = null;
  }

  async #admit(waitsForTasks: boolean): Promise<void> {
    const self = Symbol('move');
    this.#waiting.add(self);
    try {
      while (!(await this.#isAdmissible(waitsForTasks))) {
        // Tasks may have requested as many moves as there are tasks. The newest are refused, so that the oldest goes on.
        const newer = this.#waiting.size - 1 - [...this.#waiting].indexOf(self);
        if (newer < this.#inFlight.size) throw new ApiError(409, assumed('clock-moves'), REFUSAL);
      }
    } finally {
      this.#waiting.delete(self);
    }
  }

  /** Whether the move cannot wait for itself, or the tasks that may have requested it end in time. */
  async #isAdmissible(waitsForTasks: boolean): Promise<boolean> {
    // With as many tasks as moves, each move may come from a task of its own and hold up nothing but that task.
    const holdsUpAnother = waitsForTasks && this.#inFlight.size < this.#unfinished;
    const tasks = this.#ownTasks ?? (holdsUpAnother ? this.#inFlight.waitUntilDrained() : null);
    return tasks === null || endsWithin(MAX_WAIT_MS, tasks, this.#realTime);
  }
}
