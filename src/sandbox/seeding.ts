import type { PreparedFixture } from '../fixtures/check/prepare-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { hasFixedTime } from '../fixtures/file/fixture-time.ts';
import { loadFixture } from '../fixtures/load/load-fixture.ts';
import { openSeed, type Seed } from '../fixtures/load/seed.ts';
import type { RealTime } from '../kernel/time/realtime.ts';
import { createdSince } from '../kernel/world/created-since.ts';
import { SeedSnapshot } from '../kernel/world/seed-snapshot.ts';
import { readState, StateError, type StateRules } from '../kernel/world/state-reader.ts';
import type { World, WorldSnapshot } from '../kernel/world/world.ts';
import type { ResolvedOptions } from './options.ts';

/** How a world is made: empty, or going on from a snapshot. */
export type MakeWorld = (from?: WorldSnapshot) => World;

/** How worlds are made, and what they begin with. */
export interface SeedingParts {
  readonly make: MakeWorld;
  readonly rules: StateRules;
  /** Where the sandbox clock starts, in milliseconds; wall time when undefined. */
  readonly clockStart: number | undefined;
  readonly realTime: RealTime;
}

/** The worlds that a sandbox begins with, and goes back to at a reset. */
export class Seeding {
  readonly #options: ResolvedOptions;
  readonly #parts: SeedingParts;
  #seed: Seed;
  /** What a world begins with that need not be made anew; null where it must be. */
  #again: () => WorldSnapshot | null = () => null;
  /** What the last world began with. */
  #begun: WorldSnapshot | null = null;

  /** Reads the fixtures that the options name. Throws a FixtureError when they cannot be used. */
  constructor(options: ResolvedOptions, parts: SeedingParts) {
    this.#options = options;
    this.#parts = parts;
    this.#seed = openSeed(options.fixtures, options);
  }

  /** A world as it is at the beginning. */
  world(): World {
    const made = this.#made();
    this.#begun = made.snapshot();
    return made;
  }

  /** How many records of each kind a world holds that the last one did not begin with. */
  createdSince(world: World): Record<string, number> {
    return createdSince(world.snapshot(), this.#begun);
  }

  /**
   * Reads the fixtures again and has `begin` begin with them. Throws a FixtureError when they cannot be used, and
   * then goes on with those from before.
   */
  reread(begin: () => void): void {
    const before = [this.#seed, this.#again] as const;
    try {
      this.#seed = openSeed(this.#options.fixtures, this.#options);
      this.#again = () => null;
      begin();
    } catch (error) {
      [this.#seed, this.#again] = before;
      throw error;
    }
  }

  #made(): World {
    const known = this.#again();
    if (known !== null) return this.#parts.make(known);
    const seed = this.#seed;
    if (seed.kind === 'state') {
      const refused = (problem: string) => new FixtureError([`${seed.name}: ${problem}`]);
      const loaded = this.load(seed.document, refused);
      const snapshot = loaded.snapshot();
      this.#again = () => snapshot;
      return loaded;
    }
    const made = this.#parts.make();
    made.clock.atOneMoment(() => {
      loadFixture(made, seed.fixture);
      this.#again = this.#beginningAs(made, seed.fixture);
    });
    return made;
  }

  /** Begins again as a world that has just been filled, at the moment at which that is. */
  #beginningAs(world: World, fixture: PreparedFixture): () => WorldSnapshot | null {
    const { clockStart, realTime, rules } = this.#parts;
    if (clockStart === undefined && hasFixedTime(fixture)) return () => null;
    const beginning = new SeedSnapshot(world.snapshot(), rules.timers);
    return () => {
      const wallNow = realTime.now();
      return beginning.at(clockStart ?? wallNow, wallNow);
    };
  }

  /** The world of a saved state at the start; `--freeze` stops its clock. Throws what `refused` makes of a problem. */
  load(document: unknown, refused: (problem: string) => Error): World {
    try {
      return readState(document, this.#parts.rules, snapshot => {
        const frozen = snapshot.clock.frozen || this.#options.freeze;
        return this.#parts.make({ ...snapshot, clock: { ...snapshot.clock, frozen } });
      });
    } catch (error) {
      throw error instanceof StateError ? refused(error.message) : error;
    }
  }
}
