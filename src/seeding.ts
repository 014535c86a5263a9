import { loadFixture } from './fixtures/load.ts';
import { FixtureError } from './fixtures/problems.ts';
import { openSeed, type Seed } from './fixtures/seed.ts';
import { createdSince } from './kernel/created-since.ts';
import { readState, StateError, type StateRules } from './kernel/state-reader.ts';
import type { World, WorldSnapshot } from './kernel/world.ts';
import type { ResolvedOptions } from './options.ts';

/** How a world is made: empty, or going on from a snapshot. */
export type MakeWorld = (from?: WorldSnapshot) => World;

/** The worlds that a sandbox begins with, and goes back to at a reset. */
export class Seeding {
  readonly #options: ResolvedOptions;
  readonly #make: MakeWorld;
  readonly #rules: StateRules;
  #seed: Seed;
  /** Where a reset goes back to, once it is known to be the same every time. */
  #pristine: WorldSnapshot | null = null;
  /** What the last world began with. */
  #begun: WorldSnapshot | null = null;

  /** Reads the fixtures that the options name. Throws a FixtureError when they cannot be used. */
  constructor(options: ResolvedOptions, make: MakeWorld, rules: StateRules) {
    this.#options = options;
    this.#make = make;
    this.#rules = rules;
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
    const before = [this.#seed, this.#pristine] as const;
    try {
      this.#seed = openSeed(this.#options.fixtures, this.#options);
      this.#pristine = null;
      begin();
    } catch (error) {
      [this.#seed, this.#pristine] = before;
      throw error;
    }
  }

  #made(): World {
    if (this.#pristine !== null) return this.#make(this.#pristine);
    const seed = this.#seed;
    if (seed.kind === 'state') {
      const refused = (problem: string) => new FixtureError([`${seed.name}: ${problem}`]);
      const loaded = this.load(seed.document, refused);
      this.#pristine = loaded.snapshot();
      return loaded;
    }
    const made = this.#make();
    loadFixture(made, seed.fixture);
    // Without --clock each world begins at another moment, and so do its records.
    if (made.options.clockStart !== undefined) this.#pristine = made.snapshot();
    return made;
  }

  /** The world of a saved state at the start; `--freeze` stops its clock. Throws what `refused` makes of a problem. */
  load(document: unknown, refused: (problem: string) => Error): World {
    try {
      return readState(document, this.#rules, snapshot => {
        const frozen = snapshot.clock.frozen || this.#options.freeze;
        return this.#make({ ...snapshot, clock: { ...snapshot.clock, frozen } });
      });
    } catch (error) {
      throw error instanceof StateError ? refused(error.message) : error;
    }
  }
}
