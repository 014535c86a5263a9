import { afterIds, type Journal, type JournalMark } from '../journal/journal.ts';
import type { Clock } from '../time/clock.ts';
import type { ClockMark } from '../time/clock-state.ts';
import type { Random, RandomMark } from '../values/random.ts';
import type { Secrets, SecretsState } from '../values/secrets.ts';
import type { WorldSnapshot } from './world-snapshot.ts';
import type { TablesMark, WorldTables } from './world-tables.ts';

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
  readonly random: RandomMark;
  readonly secrets: SecretsState | null;
  readonly tables: TablesMark;
  /** The uses of the random source. */
  readonly uses: number;
  /** How many ids of requests had been drawn. */
  readonly idCount: number;
}

/** A world with its journal at one moment. */
export class Moment {
  readonly journal: JournalMark;
  readonly #parts: Parts;
  readonly #mark: WorldMark;
  readonly #now: number;

  constructor(parts: Parts, mark: WorldMark, now: number, journal: JournalMark) {
    this.#parts = parts;
    this.#mark = mark;
    this.#now = now;
    this.journal = journal;
  }

  /** Returns the state of the world. Takes a few milliseconds. */
  snapshot(): WorldSnapshot {
    const { seed, clock, random, tables } = this.#parts;
    const mark = this.#mark;
    return {
      seed,
      clock: clock.at(mark.clock, this.#now),
      random: afterIds(seed, random.statesAt(mark.random), this.journal.idCount - mark.idCount),
      secrets: mark.secrets,
      tables: tables.at(mark.tables),
    };
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
    return new Moment(this.#parts, mark, clock.now(), journalMark);
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
    const { clock, random, secrets, tables } = this.#parts;
    return {
      clock: clock.mark(),
      random: random.mark(),
      secrets: secrets.state,
      tables: tables.mark(),
      uses: random.uses,
      idCount,
    };
  }
}
