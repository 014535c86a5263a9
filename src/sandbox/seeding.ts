import type { PreparedFixture } from '../fixtures/check/prepare-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { loadFixture } from '../fixtures/load/load-fixture.ts';
import { runSteps, type Steps } from '../fixtures/load/load-progress.ts';
import { openSeed, type Seed } from '../fixtures/load/seed.ts';
import { createdSince } from '../kernel/world/created-since.ts';
import { StateError } from '../kernel/world/state-error.ts';
import { readState, type StateRules } from '../kernel/world/state-reader.ts';
import type { World, WorldSnapshot } from '../kernel/world/world.ts';
import type { ResolvedOptions } from './options.ts';

/** Makes a world: empty, or from a snapshot. */
export type MakeWorld = (from?: WorldSnapshot) => World;

/** What a `Seeding` works with. */
export interface SeedingParts {
  readonly make: MakeWorld;
  readonly rules: StateRules;
}

/** Makes the worlds that a sandbox starts with, and to which a reset goes back. */
export class Seeding {
  readonly #options: ResolvedOptions;
  readonly #parts: SeedingParts;
  #seed: Seed;
  /** The snapshot of the last new world before anything happened in it. */
  #initial: WorldSnapshot | null = null;

  /** Reads the fixtures of the options. Throws a FixtureError if they cannot be used. */
  constructor(options: ResolvedOptions, parts: SeedingParts) {
    this.#options = options;
    this.#parts = parts;
    this.#seed = openSeed(options.fixtures, options);
  }

  /** Makes a new world from the fixtures at once. */
  world(): World {
    return runSteps(this.steps());
  }

  /** Makes a new world from the fixtures. Other work can run between the steps. */
  *steps(): Steps<World> {
    if (this.#initial !== null && this.#isRepeatable) return this.#parts.make(this.#initial);
    const seed = this.#seed;
    if (seed.kind === 'state') {
      const loaded = this.load(seed.document, problem => new FixtureError([`${seed.name}: ${problem}`]));
      this.#initial = loaded.snapshot();
      return loaded;
    }
    const made = this.#parts.make();
    yield* made.clock.hold(this.#fill(made, seed.fixture));
    return made;
  }

  *#fill(world: World, fixture: PreparedFixture): Steps<void> {
    yield* loadFixture(world, fixture);
    this.#initial = world.snapshot();
  }

  /**
   * Whether the next new world equals the last. That of a fixture does if the clock starts at the same time again:
   * otherwise the times of its records are others.
   */
  get #isRepeatable(): boolean {
    return this.#seed.kind === 'state' || this.#options.clock !== undefined;
  }

  /** Counts the records of each kind in a world that were not in the last new world. */
  createdSince(world: World): Record<string, number> {
    return createdSince(world.snapshot(), this.#initial);
  }

  /**
   * Reads the fixtures again and calls `start`, which makes a world from them. Throws a FixtureError, and keeps the
   * previous fixtures, if they cannot be used.
   */
  reread(start: () => void): void {
    const before = [this.#seed, this.#initial] as const;
    try {
      this.#seed = openSeed(this.#options.fixtures, this.#options);
      this.#initial = null;
      start();
    } catch (error) {
      [this.#seed, this.#initial] = before;
      throw error;
    }
  }

  /**
   * Makes a world from a state document. Its clock is frozen if it was when it was saved, or if the option `freeze` is
   * set. If the document cannot be used, throws the error that `toError` returns for the problem.
   */
  load(document: unknown, toError: (problem: string) => Error): World {
    try {
      return readState(document, this.#parts.rules, snapshot => {
        const frozen = snapshot.clock.frozen || this.#options.freeze;
        return this.#parts.make({ ...snapshot, clock: { ...snapshot.clock, frozen } });
      });
    } catch (error) {
      throw error instanceof StateError ? toError(error.message) : error;
    }
  }
}
