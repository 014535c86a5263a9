import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Reading } from './reading.ts';

/** The page's copy of one record. */
export interface OneRecord<T> extends Reading {
  /** Undefined until the first `load()` has ended; null when it does not exist. */
  readonly row: ReadonlySignal<T | null | undefined>;
}

/** Creates a copy of the record with this id. `hasChangeIds` tells whether it is the id of changes. */
export function oneRecord<T>(id: string, read: () => Promise<T>, hasChangeIds: boolean): OneRecord<T> {
  const row: Signal<T | null | undefined> = signal(undefined);
  let generation = 0;

  async function load(): Promise<void> {
    generation += 1;
    const started = generation;
    const found = await read().catch(() => null);
    if (generation === started) row.value = found;
  }

  return {
    row,
    load,
    async update(changes) {
      if (!hasChangeIds || changes.has(id)) await load();
    },
    stop() {
      generation += 1;
    },
  };
}
