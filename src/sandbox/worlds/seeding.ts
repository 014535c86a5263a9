import { isDeepStrictEqual } from 'node:util';
import { isStateDocument } from '../../core/world/state-document.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import { createdSince } from '../../core/world/world-snapshot.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
import type { PreparedFixture } from '../fixtures/check/prepare-fixture.ts';
import { openFixtures } from '../fixtures/check/prepare-fixture.ts';
import type { LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { isBuiltInFixture } from '../fixtures/file/source.ts';
import { loadFixture } from '../fixtures/load/load-fixture.ts';
import type { Steps } from '../fixtures/load/load-progress.ts';
import type { ResolvedOptions } from '../options.ts';
import { StateError, StateSyntaxError } from '../state/document/state-error.ts';
import { loadStateNow } from '../state/load-state.ts';
import { isStateFile, readPieces } from '../state/state-file.ts';
import { runSteps } from '../turns.ts';
import { replaceForeignKeys } from './world-keys.ts';

/** Makes a state of a world: empty, or from a snapshot. */
export type MakeWorld = (from?: WorldSnapshot) => WorldState;

/** What a world starts with: the records of fixtures, or a saved or copied state. */
export type Seed =
  | { readonly kind: 'fixture'; readonly fixture: PreparedFixture }
  | { readonly kind: 'state'; readonly snapshot: WorldSnapshot };

/** What is wrong with a state document that is not JSON. */
const DAMAGED = 'is cut short or damaged';

/** Makes the state that a world starts with, and to which a reset goes back. */
export class Seeding {
  readonly #options: ResolvedOptions;
  readonly #make: MakeWorld;
  #seed: Seed;
  /** The snapshot of the last new state before anything happened in it. */
  #initial: WorldSnapshot | null = null;

  /** Starts from a seed. By default reads the fixtures of the options, and throws a FixtureError if they are invalid. */
  constructor(options: ResolvedOptions, make: MakeWorld, seed?: Seed) {
    this.#options = options;
    this.#make = make;
    this.#seed = seed ?? this.#open();
  }

  /** The seed, for a world that starts with the same fixtures; undefined when they differ. */
  sharedSeed({ fixtures, seed, allowHttpWebhooks, assume }: ResolvedOptions): Seed | undefined {
    const own = this.#options;
    const isSame =
      seed === own.seed &&
      allowHttpWebhooks === own.allowHttpWebhooks &&
      // Indexes depend on them.
      isDeepStrictEqual(settingsOf(assume).texts, settingsOf(own.assume).texts) &&
      fixtures.length === own.fixtures.length &&
      fixtures.every((each, index) => each === own.fixtures[index]);
    return isSame ? this.#seed : undefined;
  }

  /** Makes a new state from the seed. Other work can run between the steps. */
  *steps(): Steps<WorldState> {
    const seed = this.#seed;
    const known = seed.kind === 'state' ? seed.snapshot : this.#isRepeatable ? this.#initial : null;
    const made = this.#make(known ?? undefined);
    if (known !== null) replaceForeignKeys(made);
    else if (seed.kind === 'fixture') yield* made.clock.pinDuring(loadFixture(made, seed.fixture));
    this.#initial = made.snapshot();
    return made;
  }

  /**
   * Whether the next new state equals the last. That of a fixture does if the clock starts at the same time again:
   * otherwise the times of its records are others.
   */
  get #isRepeatable(): boolean {
    return this.#options.clock !== undefined;
  }

  /** Counts the records of each kind in a world that were not in the last new state. */
  createdSince(state: WorldState): Record<string, number> {
    return createdSince(state.snapshot(), this.#initial);
  }

  /**
   * Reads the fixtures again and makes a state from them at once. Throws a FixtureError, and keeps the previous
   * fixtures, if they cannot be used.
   */
  reread(): WorldState {
    const before = [this.#seed, this.#initial] as const;
    try {
      this.#seed = this.#open();
      this.#initial = null;
      return runSteps(this.steps());
    } catch (error) {
      [this.#seed, this.#initial] = before;
      throw error;
    }
  }

  /** Makes a state from a snapshot of the same world. */
  from(snapshot: WorldSnapshot): WorldState {
    return this.#make(snapshot);
  }

  /**
   * Makes a state from a document. Its clock is frozen if it was when it was saved, or if the option `freeze` is set. If
   * the document cannot be used, throws the error that `toError` returns for the problem.
   */
  load(document: Iterable<Uint8Array>, toError: (problem: string) => Error): WorldState {
    try {
      const state = loadStateNow(document, snapshot => {
        const frozen = snapshot.clock.frozen || this.#options.freeze;
        return this.#make({ ...snapshot, clock: { ...snapshot.clock, frozen } });
      });
      replaceForeignKeys(state);
      return state;
    } catch (error) {
      if (error instanceof StateSyntaxError) throw toError(DAMAGED);
      throw error instanceof StateError ? toError(error.message) : error;
    }
  }

  /** Starts from a document instead of the fixtures. Throws a FixtureError, with `name` in it, when it is invalid. */
  useDocument(document: Iterable<Uint8Array>, name: string): void {
    this.#seed = this.#seedOf(document, problem => `${name}: ${problem}`);
  }

  /** Reads the fixtures, or the one saved state among them. Throws a FixtureError when they are invalid, and for a mix. */
  #open(): Seed {
    const { fixtures } = this.#options;
    const state = fixtures.find(isSavedState);
    if (state === undefined) return { kind: 'fixture', fixture: openFixtures(fixtures, this.#options) };
    const name = String(state);
    if (fixtures.length > 1) {
      throw new FixtureError([
        `${name}: is a saved state, which is a whole world; use it alone, without other fixtures`,
      ]);
    }
    const document =
      typeof state === 'string' ? readPieces(state) : [Buffer.from(JSON.stringify(state.content))];
    return this.#seedOf(document, problem =>
      problem === DAMAGED
        ? `${name}: is a saved state that ${problem}; use another copy of it`
        : `${name}: ${problem}`,
    );
  }

  #seedOf(document: Iterable<Uint8Array>, message: (problem: string) => string): Seed {
    const loaded = this.load(document, problem => new FixtureError([message(problem)]));
    loaded.end();
    return { kind: 'state', snapshot: loaded.snapshot() };
  }
}

/** A name of a built-in fixture is never that of a file. */
function isSavedState(fixture: LoadableFixture): boolean {
  if (typeof fixture !== 'string') return isStateDocument(fixture.content);
  return !isBuiltInFixture(fixture) && isStateFile(fixture);
}
