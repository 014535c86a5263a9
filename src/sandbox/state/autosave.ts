import type { RealTime } from '../../core/time/realtime.ts';

/** How often changes are looked for. A change is saved within twice this time. */
const INTERVAL_MS = 1_000;
/** The pause after a save, in multiples of its duration, so that at most a twentieth of the time is spent on short saves. */
const PAUSE_FACTOR = 20;
/** The longest pause. A save in which the machine slept must not put the next one off. */
const MAX_PAUSE_MS = 10_000;

/** What an `Autosave` watches and saves. Times are wall time. */
export interface AutosaveParts<T> {
  readonly realTime: RealTime;
  /** Returns a value that is another one after each change. */
  readonly version: () => unknown;
  /** Saves the state as it is when this is called. Rejects when it cannot be saved. */
  readonly save: () => Promise<T>;
  /** Called with the error of a save that failed, unless the one before it failed too. */
  readonly onFailure: (error: unknown) => void;
}

/** Saves a state soon after it has changed, and on demand. It saves nothing by itself when nothing has changed. */
export class Autosave<T> {
  readonly #parts: AutosaveParts<T>;
  #saved: unknown;
  #last: Promise<unknown> = Promise.resolve();
  #hasFailed = false;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  /** Starts. The state as it is now counts as saved. */
  constructor(parts: AutosaveParts<T>) {
    this.#parts = parts;
    this.#saved = parts.version();
    this.#wait(INTERVAL_MS);
  }

  /** Saves the state, after the saves that have been requested before. Rejects when it cannot be saved. */
  save(): Promise<T> {
    const begin = () => this.#save();
    const saving = this.#last.then(begin, begin);
    this.#last = saving;
    return saving;
  }

  /** Saves no more by itself. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #save(): Promise<T> {
    // A change while the state is being saved is saved by the next one.
    const version = this.#parts.version();
    const result = await this.#parts.save();
    this.#saved = version;
    this.#hasFailed = false;
    return result;
  }

  #wait(ms: number): void {
    if (!this.#isStopped) this.#cancel = this.#parts.realTime.after(ms, () => void this.#check());
  }

  async #check(): Promise<void> {
    const { realTime, version, onFailure } = this.#parts;
    if (version() === this.#saved) {
      this.#wait(INTERVAL_MS);
      return;
    }
    const start = realTime.elapsed();
    try {
      await this.save();
    } catch (error) {
      if (!this.#hasFailed) onFailure(error);
      this.#hasFailed = true;
    }
    const pauseMs = PAUSE_FACTOR * (realTime.elapsed() - start);
    this.#wait(Math.min(Math.max(INTERVAL_MS, pauseMs), MAX_PAUSE_MS));
  }
}
