import type { Random } from '../../values/random.ts';
import type { Secrets } from '../../values/secrets.ts';
import { afterIds, type Journal, type JournalMark } from '../journal/journal.ts';
import type { Clock } from '../time/clock.ts';
import type { ClockMark } from '../time/clock-state.ts';
import type { WorldSnapshot } from './world-snapshot.ts';
import type { WorldTables } from './world-tables.ts';

/** The parts of a world that a moment takes note of. */
interface Parts {
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly tables: WorldTables;
  readonly journal: Journal;
}

/** What the moments between two changes of a world have in common. */
interface WorldMark {
  readonly clock: ClockMark;
  /** The uses of the random source. */
  readonly uses: number;
  /** How many ids of requests had been drawn. */
  readonly idCount: number;
  /** Returns the state of the world, given the time of the clock. */
  readonly snapshot: (now: number) => WorldSnapshot;
}

/** A world with its journal at one moment. */
export class Moment {
  readonly journal: JournalMark;
  readonly #now: number;
  readonly #mark: WorldMark;

  constructor(mark: WorldMark, now: number, journal: JournalMark) {
    this.#mark = mark;
    this.#now = now;
    this.journal = journal;
  }

  /** Returns the state of the world. Takes a few milliseconds. */
  snapshot(): WorldSnapshot {
    const state = this.#mark.snapshot(this.#now);
    const random = afterIds(state.seed, state.random, this.journal.idCount - this.#mark.idCount);
    return { ...state, random };
  }
}

/** Takes note of a world before each request. Costs less than a snapshot, least when nothing has changed in between. */
export class Moments {
  readonly #parts: Parts;
  #mark: WorldMark | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes note of this moment. */
  now(): Moment {
    const { clock, journal } = this.#parts;
    const journalMark = journal.mark();
    const mark = this.#isSame(this.#mark) ? this.#mark : this.#newMark(journalMark);
    this.#mark = mark;
    return new Moment(mark, clock.now(), journalMark);
  }

  /** To be called after each write to a table. */
  onWrite(): void {
    this.#mark = null;
  }

  #isSame(mark: WorldMark | null): mark is WorldMark {
    const { clock, random } = this.#parts;
    return mark !== null && mark.uses === random.uses && clock.matches(mark.clock);
  }

  #newMark({ idCount }: JournalMark): WorldMark {
    const { seed } = this.#parts;
    const clock = this.#parts.clock.mark();
    const { frozen, advancedMs, timers } = clock;
    const random = this.#parts.random.mark();
    const secrets = this.#parts.secrets.state;
    const tables = this.#parts.tables.mark();
    return {
      clock,
      uses: this.#parts.random.uses,
      idCount,
      snapshot: now => ({
        seed,
        clock: { now, frozen, advancedMs, timers: timers() },
        random: random(),
        secrets,
        tables: tables(),
      }),
    };
  }
}
