import type { StreamStates } from '../../values/random.ts';
import type { SecretsState } from '../../values/secrets.ts';
import { type JournalMark, REQUEST_IDS } from '../journal/journal.ts';
import type { AnyTable } from '../store/table-definition.ts';
import type { TableSnapshot } from '../store/table-snapshot.ts';
import type { ClockSnapshot } from '../time/clock.ts';

/** The contents of all tables, by their declarations; a missing table is empty. */
export type TableSnapshots = ReadonlyMap<AnyTable, TableSnapshot>;

/** The immutable state of a world at one moment, without its journal and rate limits. */
export interface WorldSnapshot {
  readonly seed: number;
  readonly clock: ClockSnapshot;
  readonly random: StreamStates;
  /** Null if the secrets come from the seed, or from the key of the sandbox that continues the world. */
  readonly secrets: SecretsState | null;
  readonly tables: TableSnapshots;
}

/** A world with its journal at one moment. */
export class Moment {
  readonly journal: JournalMark;
  readonly #now: number;
  readonly #base: () => WorldSnapshot;

  /** `base` returns the state at `now`, but for the time of the clock and the stream of request ids. */
  constructor(base: () => WorldSnapshot, now: number, journal: JournalMark) {
    this.#base = base;
    this.#now = now;
    this.journal = journal;
  }

  /** Returns the state of the world. Takes a few milliseconds. */
  snapshot(): WorldSnapshot {
    const { clock, random, ...rest } = this.#base();
    const { ids } = this.journal;
    return {
      ...rest,
      clock: { ...clock, now: this.#now },
      random: ids === null ? random : { ...random, [REQUEST_IDS]: ids },
    };
  }
}
