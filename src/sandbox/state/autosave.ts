import type { RealTime } from '../../core/time/realtime.ts';

/** How often changes are looked for. A change is saved within twice this time. */
const INTERVAL_MS = 1_000;
/** The pause of a state, in multiples of the time that its save took, so that it takes at most a twentieth of the time. */
const PAUSE_FACTOR = 20;
/** What a state that was never saved is taken to need for a save, in milliseconds: its first save puts off no second one. */
const FIRST_MS = INTERVAL_MS / PAUSE_FACTOR / 2;
/** The part of the time that all saves together take at most. */
const MAX_SHARE = 0.5;
/** How long a change waits for its turn before the next request to its state waits, too. */
const PATIENCE_MS = INTERVAL_MS / 2;
/** The longest pause. A save in which the machine slept must not put the next one off. */
const MAX_PAUSE_MS = 10_000;
/** How many states are saved at once. Most of the time of a save is spent waiting for the disk and for its turn. */
const AT_ONCE = 64;

/** What is saved when it has changed. */
export interface Savable {
  readonly isChanged: boolean;
  /** How long its last save has kept this process busy, in milliseconds. */
  readonly busyMs: number;
  /** Saves it as it is when this is called, after the saves that have been requested before. */
  save(): Promise<unknown>;
}

/** What an `Autosave` watches. Times are wall time. */
export interface AutosaveParts {
  readonly realTime: RealTime;
  /** Returns all that is to be saved. */
  readonly all: () => Iterable<Savable>;
  /** Called with the errors of the saves that failed, without those whose last save failed too. */
  readonly onFailure: (errors: readonly unknown[]) => void;
}

/** What follows from the saves of a state. */
interface Pause {
  /** What a save takes, in milliseconds. */
  readonly usualMs: number;
  /** Monotonic time in milliseconds. */
  readonly endsAt: number;
}

/**
 * Saves what has changed soon afterwards. Does nothing when nothing has changed. A state that takes long is saved less
 * often, and puts no other one off.
 */
export class Autosave {
  readonly #parts: AutosaveParts;
  readonly #pauses = new WeakMap<Savable, Pause>();
  /** Those whose last save failed. */
  readonly #failing = new WeakSet<Savable>();
  /** Those that are to be saved and whose turn has not come. */
  #waiting = new Set<Savable>();
  /** When they were found changed. Monotonic time in milliseconds. */
  #foundAt = 0;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  /** Starts. */
  constructor(parts: AutosaveParts) {
    this.#parts = parts;
    this.#wait(INTERVAL_MS);
  }

  /** Saves no more by itself. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /**
   * Saves a state at once whose change has waited for too long, so that a server which cannot keep up takes no more changes
   * than it saves. Returns a promise for the next request to wait for, which never rejects; null where nothing is late.
   */
  saveIfLate(each: Savable): Promise<void> | null {
    if (!this.#waiting.has(each) || this.#parts.realTime.elapsed() - this.#foundAt < PATIENCE_MS) return null;
    // What takes long is saved less often anyway, and where a save fails there is nothing to wait for.
    const usualMs = this.#pauses.get(each)?.usualMs ?? FIRST_MS;
    if (usualMs > FIRST_MS || this.#failing.has(each)) return null;
    this.#waiting.delete(each);
    const forget = () => undefined;
    return each.save().then(forget, forget);
  }

  #wait(ms: number): void {
    if (!this.#isStopped) this.#cancel = this.#parts.realTime.after(ms, () => void this.#check());
  }

  async #check(): Promise<void> {
    const { realTime, all, onFailure } = this.#parts;
    const start = realTime.elapsed();
    const isDue = (each: Savable) => each.isChanged && start >= (this.#pauses.get(each)?.endsAt ?? start);
    const due = [...all()].filter(isDue);
    this.#waiting = new Set(due);
    this.#foundAt = start;
    const failing = await saveAll(this.#takeTurns());
    const errors = [...failing].filter(([each]) => !this.#failing.has(each)).map(([, error]) => error);
    if (errors.length > 0) onFailure(errors);
    for (const each of due) {
      if (failing.has(each)) this.#failing.add(each);
      else this.#failing.delete(each);
    }
    const allMs = due.reduce((sum, each) => sum + this.#pause(each, start), 0);
    const cycleMs = Math.max(INTERVAL_MS, allMs / MAX_SHARE);
    this.#wait(Math.min(cycleMs - (realTime.elapsed() - start), MAX_PAUSE_MS));
  }

  *#takeTurns(): Generator<Savable> {
    for (const each of this.#waiting) {
      this.#waiting.delete(each);
      yield each;
    }
  }

  /** Lets a state pause after a save in a pass that began at `start`. Returns what its save takes. */
  #pause(saved: Savable, start: number): number {
    const before = this.#pauses.get(saved)?.usualMs ?? FIRST_MS;
    // Other work of the machine can interrupt a save for far longer.
    const usualMs = Math.min(saved.busyMs, 2 * before);
    const endsAt = start + Math.min((PAUSE_FACTOR + 1) * usualMs, MAX_PAUSE_MS);
    this.#pauses.set(saved, { usualMs, endsAt });
    return usualMs;
  }
}

/** Saves everything, several at once. Returns the errors of those that cannot be saved. */
export async function saveAll<S extends Savable>(savables: Iterable<S>): Promise<Map<S, unknown>> {
  const failing = new Map<S, unknown>();
  const rest = savables[Symbol.iterator]();
  const saveRest = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      try {
        await next.value.save();
      } catch (error) {
        failing.set(next.value, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, saveRest));
  return failing;
}
