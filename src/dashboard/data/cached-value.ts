import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Read } from './collection.ts';

/** The page's copy of a single value. */
export interface CachedValue<T> {
  /** Null until the first `load()` and after `clear()`. */
  readonly data: ReadonlySignal<T | null>;
  /** Reads the value. When the request fails, the copy stays as it is. */
  load(): Promise<void>;
  /** Replaces the copy. Responses to reads in flight are ignored. */
  set(value: T): void;
  /** Discards the copy. Responses to reads in flight are ignored. */
  clear(): void;
}

/** Creates an empty copy of the value at `path`, read with `read`. */
export function cachedValue<T>(read: Read, path: () => string): CachedValue<T> {
  const data: Signal<T | null> = signal(null);
  let generation = 0;

  function replace(value: T | null): void {
    generation += 1;
    data.value = value;
  }

  return {
    data,
    async load() {
      generation += 1;
      const started = generation;
      const value = await read<T>(path()).catch(() => null);
      if (value !== null && generation === started) data.value = value;
    },
    set: replace,
    clear: () => replace(null),
  };
}
