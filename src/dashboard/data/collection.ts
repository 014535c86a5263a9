import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { control } from './http.ts';

const MOST_SINGLE_READS = 12;

/** Rows that the page holds a copy of, newest first. */
export interface Collection<T> {
  /** Null until they were read once. */
  readonly rows: ReadonlySignal<readonly T[] | null>;
  /** Why they could not be read, in words. */
  readonly error: ReadonlySignal<string | null>;
  /** The row with this id, if it is held. */
  find(id: string): T | undefined;
  /** Reads all of them anew. */
  load(): Promise<void>;
  /** Reads some of them anew, new ones included. */
  refresh(ids: ReadonlySet<string>): Promise<void>;
  /** Takes rows over as they were told, new ones included. */
  take(told: readonly T[]): void;
  /** Puts rows before the others, and lets go of the last beyond so many. */
  prepend(added: readonly T[], most: number): void;
  /** Forgets them, until they are read again. */
  clear(): void;
}

/**
 * Declares a collection: the path of its list, its ids, and the path that answers a list with one row of it.
 * Of two answers that cross on the way, the one that was asked for later counts.
 */
export function collection<T>(paths: {
  readonly all: () => string;
  readonly some: (id: string) => string;
  readonly idOf: (row: T) => string;
}): Collection<T> {
  const rows: Signal<readonly T[] | null> = signal(null);
  const error: Signal<string | null> = signal(null);
  const positions = new WeakMap<readonly T[], Map<string, T>>();
  let asked = 0;

  function byId(held: readonly T[]): Map<string, T> {
    const known = positions.get(held);
    if (known !== undefined) return known;
    const index = new Map(held.map(row => [paths.idOf(row), row]));
    positions.set(held, index);
    return index;
  }

  async function load(): Promise<void> {
    asked += 1;
    const turn = asked;
    try {
      const read = await control<readonly T[]>('GET', paths.all());
      if (turn !== asked) return;
      rows.value = read;
      error.value = null;
    } catch (failure) {
      if (turn === asked) error.value = failure instanceof Error ? failure.message : String(failure);
    }
  }

  async function refresh(ids: ReadonlySet<string>): Promise<void> {
    const held = rows.value;
    if (held === null || ids.size > MOST_SINGLE_READS) return load();
    const turn = asked;
    const reads = [...ids].map(id => control<T | readonly T[]>('GET', paths.some(id)).catch(() => []));
    const fresh = (await Promise.all(reads)).flatMap(each => each as T | T[]);
    if (turn !== asked) return load();
    rows.value = merge(rows.value ?? [], fresh);
  }

  function merge(held: readonly T[], fresh: readonly T[]): readonly T[] {
    const changed = new Map(fresh.map(row => [paths.idOf(row), row]));
    const known = byId(held);
    const added = [...changed.values()].filter(row => !known.has(paths.idOf(row)));
    return [...added.reverse(), ...held.map(row => changed.get(paths.idOf(row)) ?? row)];
  }

  return {
    rows,
    error,
    load,
    refresh,
    find: id => (rows.value === null ? undefined : byId(rows.value).get(id)),
    take(told) {
      rows.value = merge(rows.value ?? [], told);
    },
    prepend(added, most) {
      const known = byId(rows.value ?? []);
      const fresh = added.filter(row => !known.has(paths.idOf(row)));
      rows.value = [...fresh, ...(rows.value ?? [])].slice(0, most);
    },
    clear() {
      asked += 1;
      rows.value = null;
    },
  };
}

/** One thing that the page holds a copy of. */
export interface Held<T> {
  /** Null until it was read once. */
  readonly value: Signal<T | null>;
  /** Reads it anew. */
  load(): Promise<void>;
}

/** Declares one thing to hold a copy of, by the path that it is read from. What cannot be read stays as it was. */
export function held<T>(path: () => string): Held<T> {
  const value: Signal<T | null> = signal(null);
  let asked = 0;
  return {
    value,
    async load() {
      asked += 1;
      const turn = asked;
      const read = await control<T>('GET', path()).catch(() => null);
      if (read !== null && turn === asked) value.value = read;
    },
  };
}
