import { FixtureError } from '../../fixtures/file/fixture-error.ts';
import { loadFixture } from '../../fixtures/load/load-fixture.ts';
import { openSeed, type Seed } from '../../fixtures/load/seed.ts';
import { createdSince } from '../../kernel/world/created-since.ts';
import { StateError } from '../../kernel/world/state-error.ts';
import { readState, type StateRules } from '../../kernel/world/state-reader.ts';
import type { World, WorldSnapshot } from '../../kernel/world/world.ts';
import type { ResolvedOptions } from '../options.ts';

/** Makes a world: empty, or from a snapshot. */
export type MakeWorld = (from?: WorldSnapshot) => World;

/** What a `Seeding` works with. */
export interface SeedingParts {
  readonly make: MakeWorld;
  readonly rules: StateRules;
  /** Called with each state that comes from elsewhere, before it is used. */
  readonly adopt: (world: World) => void;
}

/** Makes the state that a world starts with, and to which a reset goes back. */
export class Seeding {
  readonly #options: ResolvedOptions;
  readonly #parts: SeedingParts;
  #seed: Seed;
  /** The snapshot to start from: that of a state document, which is read once, or of a copied world; null for fixtures. */
  #savedWorld: WorldSnapshot | null = null;
  /** The snapshot of the last world before anything happened in it. */
  #initial: WorldSnapshot | null = null;

  /**
   * Starts from a seed, or from the snapshot of another world. By default reads the fixtures of the options, and throws a
   * FixtureError if they cannot be used.
   */
  constructor(options: ResolvedOptions, parts: SeedingParts, start?: Seed | WorldSnapshot) {
    this.#options = options;
    this.#parts = parts;
    if (start !== undefined && 'tables' in start) this.#savedWorld = start;
    this.#seed = start !== undefined && 'kind' in start ? start : openSeed(options.fixtures, options);
  }

  /** The seed, for a world that starts with the same fixtures; undefined when they differ. */
  sharedSeed({ fixtures, seed, allowHttpWebhooks }: ResolvedOptions): Seed | undefined {
    const own = this.#options;
    const isSame =
      seed === own.seed &&
      allowHttpWebhooks === own.allowHttpWebhooks &&
      fixtures.length === own.fixtures.length &&
      fixtures.every((each, index) => each === own.fixtures[index]);
    return isSame ? this.#seed : undefined;
  }

  /** Makes a new world from the fixtures. */
  world(): World {
    const world = this.#made();
    this.#initial = world.snapshot();
    return world;
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
    const before = [this.#seed, this.#savedWorld] as const;
    try {
      this.#seed = openSeed(this.#options.fixtures, this.#options);
      this.#savedWorld = null;
      start();
    } catch (error) {
      [this.#seed, this.#savedWorld] = before;
      throw error;
    }
  }

  #made(): World {
    if (this.#savedWorld !== null) return this.#adopted(this.#parts.make(this.#savedWorld));
    const seed = this.#seed;
    if (seed.kind === 'state') {
      const loaded = this.load(seed.document, problem => new FixtureError([`${seed.name}: ${problem}`]));
      this.#savedWorld = loaded.snapshot();
      return loaded;
    }
    const { fixture } = seed;
    const made = this.#parts.make();
    made.clock.hold(() => loadFixture(made, fixture));
    return made;
  }

  /** Makes a world from a snapshot of the same world. */
  from(snapshot: WorldSnapshot): World {
    return this.#parts.make(snapshot);
  }

  #adopted(world: World): World {
    this.#parts.adopt(world);
    return world;
  }

  /**
   * Makes a world from a state document. Its clock is frozen if it was when it was saved, or if the option `freeze` is
   * set. If the document cannot be used, throws the error that `toError` returns for the problem.
   */
  load(document: unknown, toError: (problem: string) => Error): World {
    try {
      const world = readState(document, this.#parts.rules, snapshot => {
        const frozen = snapshot.clock.frozen || this.#options.freeze;
        return this.#parts.make({ ...snapshot, clock: { ...snapshot.clock, frozen } });
      });
      return this.#adopted(world);
    } catch (error) {
      throw error instanceof StateError ? toError(error.message) : error;
    }
  }
}
