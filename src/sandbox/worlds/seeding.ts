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
import { DAMAGED, stateProblem } from '../state/document/state-error.ts';
import { stateSteps } from '../state/load-state.ts';
import { isStateFile, readPieces } from '../state/state-file.ts';
import { runSteps } from '../turns.ts';
import { replaceForeignKeys } from './world-keys.ts';

/** Makes a state of a world: empty, or from a snapshot. */
export type MakeWorld = (from?: WorldSnapshot) => WorldState;

/** What a world starts with: the records of fixtures, or a saved or copied state. */
export type Seed =
  | { readonly kind: 'fixture'; readonly fixture: PreparedFixture }
  | { readonly kind: 'state'; readonly snapshot: WorldSnapshot };

/** Returns what differs in the clock of a new state from that in its document. */
type ClockChange = (clock: WorldSnapshot['clock']) => Partial<WorldSnapshot['clock']>;

/** Makes the state that a world starts with, and to which a reset goes back. */
export class Seeding {
  readonly #options: ResolvedOptions;
  readonly #make: MakeWorld;
  /** Null before it is needed. */
  #seed: Seed | null;
  readonly #openSeed: () => Seed;
  /** The snapshot of the last new state before anything happened in it. */
  #initial: WorldSnapshot | null = null;

  /**
   * Starts from a seed, or from what returns one when it is first needed. By default reads the fixtures of the options, and
   * throws a FixtureError if they are invalid.
   */
  constructor(
    options: ResolvedOptions,
    make: MakeWorld,
    seed?: Seed | ((seeding: Seeding) => Seed | undefined),
  ) {
    this.#options = options;
    this.#make = make;
    this.#openSeed = () => (typeof seed === 'function' ? seed(this) : undefined) ?? this.#open();
    this.#seed = typeof seed === 'function' ? null : (seed ?? this.#open());
  }

  /** The seed. Throws a FixtureError when it is first needed and cannot be read. */
  get seed(): Seed {
    this.#seed ??= this.#openSeed();
    return this.#seed;
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
    return isSame ? this.seed : undefined;
  }

  /** The last new state before anything happened in it; null before there was one. */
  get initial(): WorldSnapshot | null {
    return this.#initial;
  }

  /** Makes a new state from the seed. Other work can run between the steps. */
  *steps(): Steps<WorldState> {
    const { seed } = this;
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
   * Makes a state from a document, in steps. `clockOf` returns the clock of the state for that in the document. If the
   * document cannot be used, throws the error that `toError` returns for the problem.
   */
  *load(
    document: Iterable<Uint8Array>,
    toError: (problem: string) => Error,
    clockOf: ClockChange,
  ): Steps<WorldState> {
    try {
      const state = yield* stateSteps(document, snapshot =>
        this.#make({ ...snapshot, clock: { ...snapshot.clock, ...clockOf(snapshot.clock) } }),
      );
      replaceForeignKeys(state);
      return state;
    } catch (error) {
      const problem = stateProblem(error);
      throw problem === null ? error : toError(problem);
    }
  }

  /** Starts from a document instead of the fixtures. Throws a FixtureError, with `name` in it, when it is invalid. */
  useDocument(document: Iterable<Uint8Array>, name: string): void {
    this.#seed = this.seedOf(document, problem => `${name}: ${problem}`);
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
    return this.seedOf(document, problem =>
      problem === DAMAGED
        ? `${name}: is a saved state that ${problem}; use another copy of it`
        : `${name}: ${problem}`,
    );
  }

  /** Reads a document as a seed. Throws a FixtureError with the message for what is wrong with it. */
  seedOf(
    document: Iterable<Uint8Array>,
    message: (problem: string) => string,
    clockOf = frozenIf(this.#options),
  ): Seed {
    const toError = (problem: string) => new FixtureError([message(problem)]);
    const loaded = runSteps(this.load(document, toError, clockOf));
    loaded.end();
    return { kind: 'state', snapshot: loaded.snapshot() };
  }
}

/** Freezes the clock of a document if the option `freeze` is set. */
export function frozenIf({ freeze }: ResolvedOptions): ClockChange {
  return ({ frozen }) => ({ frozen: frozen || freeze });
}

/** A name of a built-in fixture is never that of a file. */
function isSavedState(fixture: LoadableFixture): boolean {
  if (typeof fixture !== 'string') return isStateDocument(fixture.content);
  return !isBuiltInFixture(fixture) && isStateFile(fixture);
}
