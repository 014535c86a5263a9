import type { RealTime } from '../kernel/time/realtime.ts';

/** How often changes are looked for. A change is saved within twice this time. */
const INTERVAL_MS = 1_000;
/** The pause after a save, in multiples of its duration, so that at most a twentieth of the time is spent on saving. */
const PAUSE_FACTOR = 20;

/** What an `Autosave` watches and saves. Times are wall time. */
export interface AutosaveParts {
  readonly realTime: RealTime;
  /** Returns a value that is another one after each change. */
  readonly version: () => unknown;
  /** Saves the state. Throws when it cannot be saved. */
  readonly save: () => void;
  /** Called with the error of a save that failed, unless the one before it failed too. */
  readonly onFailure: (error: unknown) => void;
}

/** Saves a state soon after it has changed. It saves nothing when nothing has changed. */
export class Autosave {
  readonly #parts: AutosaveParts;
  #saved: unknown;
  #hasFailed = false;
  #cancel: () => void = () => undefined;

  /** Starts. The state as it is now counts as saved. */
  constructor(parts: AutosaveParts) {
    this.#parts = parts;
    this.#saved = parts.version();
    this.#wait(INTERVAL_MS);
  }

  /** Notes that the current state has been saved by other means. */
  markSaved(): void {
    this.#saved = this.#parts.version();
    this.#hasFailed = false;
  }

  /** Saves no more by itself. */
  stop(): void {
    this.#cancel();
  }

  #wait(ms: number): void {
    this.#cancel = this.#parts.realTime.after(ms, () => this.#check());
  }

  #check(): void {
    const { realTime, version, save, onFailure } = this.#parts;
    if (version() === this.#saved) {
      this.#wait(INTERVAL_MS);
      return;
    }
    const start = realTime.elapsed();
    try {
      save();
      this.markSaved();
    } catch (error) {
      if (!this.#hasFailed) onFailure(error);
      this.#hasFailed = true;
    }
    this.#wait(Math.max(INTERVAL_MS, PAUSE_FACTOR * (realTime.elapsed() - start)));
  }
}
