import type { RealTime } from './realtime.ts';

/** The wall time for which work runs before other events of the process get their turn, in milliseconds. */
const SLICE_MS = 1;

/**
 * Cuts long work into slices, with a turn of the event loop between them. A slice ends with the turn in which it began,
 * however that ended: work that waits for something else in between needs no further turn.
 */
export class Slices {
  readonly #realTime: RealTime;
  #endsAt: number | null = null;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Whether work may go on in this turn. Otherwise it continues in `nextTurn`. */
  hasTime(): boolean {
    const now = this.#realTime.elapsed();
    if (this.#endsAt === null) {
      this.#endsAt = now + SLICE_MS;
      this.#realTime.after(0, () => {
        this.#endsAt = null;
      });
    }
    return now < this.#endsAt;
  }

  /** Calls `work` in the next turn, in which there is time again. */
  nextTurn(work: () => void): void {
    this.#realTime.after(0, work);
  }
}
