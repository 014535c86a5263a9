import { isDeepStrictEqual } from 'node:util';
import type { Feed } from '../../core/journal/feed.ts';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import type { Content } from '../../core/request/http.ts';
import { runInTurns, runNowOrInTurns, runSteps, type Steps, wholeOrPieces } from '../../core/time/turns.ts';
import { JsonError, parseJson } from '../../core/values/parse-json.ts';
import type { StateFactory } from '../../core/world/current-state.ts';
import { isFrozenState, isStateDocument } from '../../core/world/state-document.ts';
import type { WorldSnapshot } from '../../core/world/world-snapshot.ts';
import { createdSince } from '../../core/world/world-snapshot.ts';
import { type WorldSetup, WorldState } from '../../core/world/world-state.ts';
import { settingsOf } from '../../service/assumptions/settings.ts';
import type { PreparedFixture } from '../fixtures/check/prepare-fixture.ts';
import { openFixtures } from '../fixtures/check/prepare-fixture.ts';
import type { BuiltFixture, LoadableFixture } from '../fixtures/define/built-fixture.ts';
import { FixtureError } from '../fixtures/file/fixture-error.ts';
import { isBuiltInFixture } from '../fixtures/file/source.ts';
import { loadFixture } from '../fixtures/load/load-fixture.ts';
import type { ResolvedOptions } from '../options.ts';
import { StateError } from '../state/document/state-error.ts';
import { readState } from '../state/document/state-reader.ts';
import { writeState } from '../state/document/state-writer.ts';
import { isFrozenStateFile, isStateFile, type Loaded, readDocument } from '../state/state-file.ts';
import { RECORD_RULE, TextFileError } from '../text-file.ts';
import { reissueApiKeys } from './world-keys.ts';

export type Seed =
  | { readonly kind: 'fixture'; readonly fixture: PreparedFixture }
  | { readonly kind: 'state'; readonly snapshot: WorldSnapshot };

/** Makes the states of a world: the one that it starts with, those that replace it, and the documents of both. */
export class WorldStates implements StateFactory {
  readonly #options: ResolvedOptions;
  readonly #setup: WorldSetup;
  readonly #added: readonly LoadableFixture[];
  readonly #freeze: boolean | undefined;
  #seed: Seed;
  /** What the next reset goes back to, instead of the seed. */
  #next: WorldSnapshot | null = null;
  #initial: WorldSnapshot | null = null;

  /**
   * Without a seed, reads the fixtures of the options, and the additional ones that fit. `freeze` decides about the clock of
   * a saved state; by default it is frozen if it was saved frozen, or if the options say so. Throws a FixtureError.
   */
  constructor(
    options: ResolvedOptions,
    setup: WorldSetup,
    { seed, freeze }: { readonly seed?: Seed | undefined; readonly freeze?: boolean | undefined },
    added: readonly LoadableFixture[] = [],
  ) {
    this.#options = options;
    this.#setup = setup;
    this.#added = added;
    this.#freeze = freeze;
    this.#seed = seed ?? this.#open();
  }

  /** The seed, for a world that starts with the same fixtures; undefined when they differ. */
  sharedSeed(
    { fixtures, seed, allowHttpWebhooks, assume }: ResolvedOptions,
    freeze?: boolean,
  ): Seed | undefined {
    const own = this.#options;
    const isSame =
      seed === own.seed &&
      // The clock of a saved state is frozen when it is read.
      (!this.isSaved || freeze === undefined) &&
      allowHttpWebhooks === own.allowHttpWebhooks &&
      // Indexes depend on them.
      isDeepStrictEqual(settingsOf(assume).texts, settingsOf(own.assume).texts) &&
      fixtures.length === own.fixtures.length &&
      fixtures.every((each, index) => each === own.fixtures[index]);
    return isSame ? this.#seed : undefined;
  }

  /** The last new state before anything happened in it; null before there was one. */
  get initial(): WorldSnapshot | null {
    return this.#initial;
  }

  /** Whether the fixtures are a saved state, whose clock and seed take the place of the options. */
  get isSaved(): boolean {
    return this.#seed.kind === 'state';
  }

  /** Makes a new state from the seed. Other work can run between the steps. */
  *steps(): Steps<WorldState> {
    const seed = this.#seed;
    const again = seed.kind === 'state' || this.#isRepeatable ? this.#initial : null;
    const known = again ?? (seed.kind === 'state' ? seed.snapshot : null);
    const made = known === null ? new WorldState(this.#setup) : this.from(known);
    try {
      if (known === null && seed.kind === 'fixture')
        yield* made.clock.pinDuring(loadFixture(made, seed.fixture));
    } catch (error) {
      made.end();
      throw error;
    }
    // The same object each time it is reset to: a record carries it once.
    this.#initial = again ?? made.snapshot();
    return made;
  }

  /** Otherwise the records of a fixture get other times: those of a clock that runs with wall time are relative to a reset. */
  get #isRepeatable(): boolean {
    return this.#options.freeze || this.#options.clock !== undefined;
  }

  createdSince(state: WorldState): Record<string, number> {
    return createdSince(state.snapshot(), this.#initial);
  }

  /** Reads the fixtures again for the next reset. Throws a FixtureError, and keeps the previous ones, if they cannot be used. */
  readFixtures(): void {
    this.#seed = this.#open();
  }

  /** Makes the new state of fixtures that are read again. Throws a FixtureError, and keeps the previous ones. */
  reread(): WorldState {
    const before = [this.#seed, this.#initial] as const;
    try {
      this.readFixtures();
      this.#initial = null;
      return runSteps(this.steps());
    } catch (error) {
      [this.#seed, this.#initial] = before;
      throw error;
    }
  }

  get feed(): Feed {
    return this.#setup.feed;
  }

  /** Makes the state of a reset. Returns a promise when that takes many turns of the event loop. */
  seeded(): WorldState | Promise<WorldState> {
    const next = this.#next;
    this.#next = null;
    return next === null ? runNowOrInTurns(this.steps(), this.#setup.realTime) : this.from(next);
  }

  resetTo(snapshot: WorldSnapshot): void {
    this.#next = snapshot;
  }

  from(snapshot: WorldSnapshot): WorldState {
    const state = new WorldState(this.#setup, snapshot);
    reissueApiKeys(state);
    return state;
  }

  /** Makes a state from a parsed document. Rejects with a 400 when it is not valid. */
  load(document: unknown): Promise<WorldState> {
    const toError = (problem: string) => badRequest(assumed('state'), `body: ${problem}`);
    return runInTurns(
      this.#read(document, toError, frozen => frozen),
      this.#setup.realTime,
    );
  }

  /** Writes a snapshot as a state document, in pieces unless it is small. */
  write(snapshot: WorldSnapshot): string | Content {
    return wholeOrPieces(this.pieces(snapshot), this.#setup.realTime);
  }

  /** Writes a snapshot as a state document, in pieces that are made when they are asked for. */
  pieces(snapshot: WorldSnapshot): Generator<Uint8Array> {
    return writeState(snapshot, this.#setup.tables);
  }

  /** Throws what `toError` returns for a problem. */
  loadSteps(document: unknown, toError: (problem: string) => Error): Steps<WorldState> {
    return this.#read(document, toError, frozen => this.#freeze ?? (frozen || this.#options.freeze));
  }

  *#read(
    document: unknown,
    toError: (problem: string) => Error,
    isFrozen: (wasFrozen: boolean) => boolean,
  ): Steps<WorldState> {
    try {
      const state = yield* readState(
        document,
        ({ clock, ...snapshot }) =>
          new WorldState(this.#setup, { ...snapshot, clock: { ...clock, frozen: isFrozen(clock.frozen) } }),
      );
      reissueApiKeys(state);
      return state;
    } catch (error) {
      throw error instanceof StateError ? toError(error.message) : error;
    }
  }

  /** Starts from a document instead of the fixtures. Throws what its `toError` returns when it is invalid. */
  *useDocument({ document, toError }: Pick<Loaded, 'document' | 'toError'>): Steps<void> {
    this.#seed = yield* this.#seedSteps(document, toError);
  }

  /** Reads the fixtures, or the one saved state among them. Throws a FixtureError when they are invalid, and for a mix. */
  #open(): Seed {
    const { fixtures } = this.#options;
    const state = fixtures.find(isSavedState);
    if (state === undefined) return { kind: 'fixture', fixture: this.#openWithAdded() };
    const name = String(state);
    if (fixtures.length > 1) {
      throw new FixtureError([
        `${name}: is a saved state, which is a whole world; use it alone, without other fixtures`,
      ]);
    }
    const toError = (problem: string) => new FixtureError([`${name}: ${problem}`]);
    const document = typeof state === 'string' ? readSavedState(state) : copyOf(state, toError);
    return runSteps(this.#seedSteps(document, toError));
  }

  /** Reads the fixtures, with each additional one that fits. */
  #openWithAdded(): PreparedFixture {
    const tryOpen = (added: readonly LoadableFixture[]) => {
      try {
        return openFixtures([...this.#options.fixtures, ...added], this.#options);
      } catch (error) {
        if (added.length > 0 && error instanceof FixtureError) return null;
        throw error;
      }
    };
    const all = tryOpen(this.#added);
    if (all !== null) return all;
    const fitting: LoadableFixture[] = [];
    for (const each of this.#added) if (tryOpen([...fitting, each]) !== null) fitting.push(each);
    return openFixtures([...this.#options.fixtures, ...fitting], this.#options);
  }

  *#seedSteps(document: unknown, toError: (problem: string) => Error): Steps<Seed> {
    const loaded = yield* this.loadSteps(document, toError);
    loaded.end();
    return { kind: 'state', snapshot: loaded.snapshot() };
  }
}

/** Copies a saved state that was passed as an object. Throws what `toError` returns when it is not one of JSON. */
function copyOf({ content }: BuiltFixture, toError: (problem: string) => Error): unknown {
  try {
    return parseJson(JSON.stringify(content));
  } catch (error) {
    throw error instanceof JsonError ? toError(error.message) : error;
  }
}

/** Reads the file of a saved state. Throws a FixtureError when it does not hold JSON. */
function readSavedState(path: string): unknown {
  try {
    return readDocument(path);
  } catch (error) {
    if (!(error instanceof StateError || error instanceof TextFileError)) throw error;
    const isDamaged = error instanceof StateError && error.message !== RECORD_RULE;
    const problem = isDamaged
      ? `is a saved state that ${error.message}; use another copy of it`
      : error.message;
    throw new FixtureError([`${path}: ${problem}`]);
  }
}

/** A built-in fixture and a file never have the same name. */
function isSavedState(fixture: LoadableFixture): boolean {
  if (typeof fixture !== 'string') return isStateDocument(fixture.content);
  return !isBuiltInFixture(fixture) && isStateFile(fixture);
}

/** Whether a world that starts with a fixture starts frozen, whatever its options are: a saved state keeps its clock. */
export function startsFrozen(fixture: LoadableFixture): boolean {
  if (typeof fixture !== 'string') return isFrozenState(fixture.content);
  return !isBuiltInFixture(fixture) && isFrozenStateFile(fixture);
}
