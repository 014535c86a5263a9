import { ApiError, assumed } from '../operation/errors.ts';
import { endsWithin, type RealTime } from './realtime.ts';
import { nextTurn } from './turns.ts';

/** How long a move waits, in wall time, for webhooks that the running move waits for. */
const MAX_WAIT_MS = 2_500;
/** What the refusal of a move that may wait for itself begins with. */
export const MOVE_REFUSAL =
  'clock is already advancing, and waits for a webhook whose receiver has not responded';
const ADVICE =
  'a receiver must respond before it moves the clock, any other caller can retry after POST /_sandbox/deliveries/settle';

/**
 * Runs the moves of a clock one after the other. A move waits for the webhooks that it sends, and a receiver may ask for
 * a move before it responds, which would then wait for itself: a move that is asked for while the running one waits for
 * receivers is refused unless they respond in time.
 */
export class MoveQueue {
  readonly #realTime: RealTime;
  /** The last move; null when none is running. */
  #last: Promise<unknown> | null = null;
  /** Resolves when the running move no longer waits for receivers; null when it waits for none. */
  #receivers: Promise<void> | null = null;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /**
   * Runs `move` after those before it, and returns its result. `hasWaited` says whether there were any. Throws the 409 when
   * it may wait for itself.
   */
  async run<Result>(move: (hasWaited: boolean) => Promise<Result>): Promise<Result> {
    if (this.#receivers !== null && !(await endsWithin(MAX_WAIT_MS, this.#receivers, this.#realTime))) {
      throw new ApiError(409, assumed('clock-moves'), `${MOVE_REFUSAL}; ${ADVICE}`);
    }
    // It begins now if it can: whoever asks for the next one finds it waiting. Otherwise the response to the one before
    // shows the clock as that has left it.
    const before = this.#last?.then(() => nextTurn(this.#realTime));
    const result = before === undefined ? move(false) : before.then(() => move(true));
    const last = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last = last;
    void last.then(() => {
      if (this.#last === last) this.#last = null;
    });
    return result;
  }

  /** Starts `tasks` of the running move, and resolves when those in flight have ended. */
  async waitFor(tasks: () => Promise<void>): Promise<void> {
    // The promise must exist before the first task starts: its receiver may ask for a move at once.
    this.#receivers = Promise.resolve().then(tasks);
    await this.#receivers;
    this.#receivers = null;
  }
}
