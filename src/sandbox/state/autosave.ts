import type { RealTime } from '../../core/time/realtime.ts';

/** How often changes are looked for. A change is saved within twice this time. */
const INTERVAL_MS = 1_000;
/** The pause after a save, in multiples of what the save took, so that saves take at most a twentieth of the time. */
const PAUSE_FACTOR = 20;

export interface Savable {
  readonly isChanged: boolean;
  /** The processor time of its last save, in milliseconds. */
  readonly busyMs: number;
  /** Saves it as it is when this is called, after the saves that have been requested before. */
  save(): Promise<unknown>;
}

/** Saves something soon after it has changed. Does nothing when nothing has changed. */
export class Autosave {
  readonly #savable: Savable;
  readonly #realTime: RealTime;
  readonly #onFailure: (error: unknown) => void;
  #pauseEndsAt = 0;
  #isFailing = false;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  /** Starts. `onFailure` is called with the error of a save that fails, once until one succeeds. */
  constructor(savable: Savable, realTime: RealTime, onFailure: (error: unknown) => void) {
    this.#savable = savable;
    this.#realTime = realTime;
    this.#onFailure = onFailure;
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #wait(): void {
    if (!this.#isStopped) this.#cancel = this.#realTime.after(INTERVAL_MS, () => void this.#check());
  }

  async #check(): Promise<void> {
    if (this.#savable.isChanged && this.#realTime.elapsed() >= this.#pauseEndsAt) await this.#save();
    this.#wait();
  }

  async #save(): Promise<void> {
    try {
      await this.#savable.save();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onFailure(error);
      this.#isFailing = true;
    }
    this.#pauseEndsAt = this.#realTime.elapsed() + PAUSE_FACTOR * this.#savable.busyMs;
  }
}
