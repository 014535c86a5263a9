import type { Feed } from '../journal/feed.ts';
import type { JournalSnapshot } from '../journal/journal.ts';
import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import type { Content } from '../request/http.ts';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/text.ts';
import { isoTime } from '../values/timestamp.ts';
import { countRecords, type WorldSnapshot } from './world-snapshot.ts';
import type { WorldState } from './world-state.ts';

const MAX_LISTED_NAMES = 8;

/** Cap on the checkpoints of a sandbox: each keeps the rows that have changed since. */
export const MAX_CHECKPOINTS = 100;

/** The checkpoint that a rewind saves. It does not count against the cap. */
const BEFORE_REWIND = 'before-rewind';

/** The names of checkpoints, in the order in which they were first saved. */
export type CheckpointNames = readonly string[];

export interface CheckpointInfo {
  readonly name: string;
  /** Sandbox time of the checkpoint, ISO 8601. */
  readonly createdAt: string;
  readonly records: number;
}

export interface StateFactory {
  /** Creates the seeded state, for a reset. Returns a promise when that takes many turns of the event loop. */
  readonly seeded: () => WorldState | Promise<WorldState>;
  readonly from: (snapshot: WorldSnapshot) => WorldState;
  /** Reads a parsed state document into a world. Rejects with a 400 when it is not valid. */
  readonly load: (document: unknown) => Promise<WorldState>;
  /** Writes a snapshot as a state document, in pieces that are made when they are asked for. */
  readonly pieces: (snapshot: WorldSnapshot) => Iterable<Uint8Array>;
  readonly write: (snapshot: WorldSnapshot) => string | Content;
  /** The last seeded state before anything happened in it; null before there was one. */
  readonly initial: WorldSnapshot | null;
  readonly feed: Feed;
}

/** The current state of a world and its checkpoints. A change replaces the whole state or nothing. */
export class CurrentState {
  readonly #factory: StateFactory;
  readonly #checkpoints = new Map<string, CheckpointInfo & { readonly snapshot: WorldSnapshot }>();
  #current: WorldState;
  #names: CheckpointNames | null = null;
  #changes = 0;
  #rewinds = 0;
  #origin: WorldSnapshot;
  readonly first: WorldSnapshot;

  constructor(factory: StateFactory, first: WorldState) {
    this.#factory = factory;
    this.#current = first;
    this.first = first.snapshot();
    this.#origin = factory.initial ?? this.first;
    factory.feed.reportWritesTo(first);
  }

  get state(): WorldState {
    return this.#current;
  }

  /** Writes a state document, in pieces unless it is small. Later changes do not change it. */
  write(snapshot: WorldSnapshot = this.#current.snapshot()): string | Content {
    return this.#factory.write(snapshot);
  }

  /** Writes a snapshot as a state document, in pieces that are made when they are asked for. */
  pieces(snapshot: WorldSnapshot): Iterable<Uint8Array> {
    return this.#factory.pieces(snapshot);
  }

  get changes(): number {
    return this.#changes;
  }

  /** What the current state was before anything happened in it. A checkpoint is the same each time it is restored. */
  get origin(): WorldSnapshot {
    return this.#origin;
  }

  /** Replaces the current world with a seeded one. Returns a promise when that takes many turns of the event loop. */
  reset(): void | Promise<void> {
    const seeded = this.#factory.seeded();
    if (seeded instanceof Promise) return this.#replaceWhenMade(seeded, () => this.#factory.initial);
    this.replace(seeded, this.#factory.initial);
  }

  /** Loads a parsed state document. Rejects with a 400, and changes nothing, when it is not valid. */
  async load(document: unknown): Promise<void> {
    await this.#replaceWhenMade(this.#factory.load(document), () => null);
  }

  /** A rewind calls off what has begun before it. Rejects with a 409 then. */
  async #replaceWhenMade(next: Promise<WorldState>, originOf: () => WorldSnapshot | null): Promise<void> {
    const rewinds = this.#rewinds;
    const state = await next;
    if (this.#rewinds === rewinds) return this.replace(state, originOf());
    state.end();
    const message = 'the world was taken back to an earlier entry meanwhile; send the request again';
    throw new ApiError(409, assumed('history'), message);
  }

  /** Returns all checkpoints in the order in which their names were first saved. */
  checkpoints(): CheckpointInfo[] {
    return [...this.#checkpoints.values()].map(({ snapshot: _snapshot, ...checkpoint }) => checkpoint);
  }

  /** The names of all checkpoints; the same object until they change. */
  get checkpointNames(): CheckpointNames {
    this.#names ??= [...this.#checkpoints.keys()];
    return this.#names;
  }

  /** Keeps checkpoints of exactly these names, the current state for each that is missing. */
  keepCheckpointNames(names: CheckpointNames): void {
    const kept = new Map(this.#checkpoints);
    this.#checkpoints.clear();
    for (const name of names) this.keepCheckpoint(name, kept.get(name)?.snapshot ?? this.#current.snapshot());
    this.#names = null;
  }

  /** Replaces the checkpoint of that name. Throws a 400 for one more than 100. */
  saveCheckpoint(name: string): CheckpointInfo {
    const counted = this.#checkpoints.size - (this.#checkpoints.has(BEFORE_REWIND) ? 1 : 0);
    if (counted >= MAX_CHECKPOINTS && !this.#checkpoints.has(name)) throw this.#tooMany();
    return this.keepCheckpoint(name, this.#current.snapshot());
  }

  /** Keeps a snapshot as the checkpoint of a name. Replaces the one of that name. */
  keepCheckpoint(name: string, snapshot: WorldSnapshot): CheckpointInfo {
    const records = countRecords(snapshot);
    const checkpoint = { name, createdAt: isoTime(snapshot.clock.now), records };
    this.#checkpoints.set(name, { ...checkpoint, snapshot });
    this.#names = null;
    return checkpoint;
  }

  /** Restores a checkpoint, any number of times. Throws the 404 for an unknown name. */
  restoreCheckpoint(name: string): void {
    const checkpoint = this.#checkpoints.get(name);
    if (checkpoint === undefined) throw this.#unknownCheckpoint(name);
    this.replace(this.#factory.from(checkpoint.snapshot), checkpoint.snapshot);
  }

  /** Goes back to an earlier state and its journal. The current state stays as the checkpoint `before-rewind`. */
  rewind(snapshot: WorldSnapshot, journal: JournalSnapshot): void {
    this.keepCheckpoint(BEFORE_REWIND, this.#current.snapshot());
    this.#rewinds += 1;
    const earlier = this.#factory.from(snapshot);
    earlier.journal.restore(journal);
    this.replace(earlier, snapshot);
  }

  /** Deletes a checkpoint. Throws the 404 for an unknown name. */
  deleteCheckpoint(name: string): void {
    if (!this.#checkpoints.delete(name)) throw this.#unknownCheckpoint(name);
    this.#names = null;
  }

  /** Replaces the current state, which ends. `origin` is the snapshot that the next one comes from, if there is one. */
  replace(next: WorldState, origin: WorldSnapshot | null = null): void {
    // The world ended while the next state was made.
    if (this.#current.ended.aborted) {
      next.end();
      return;
    }
    this.#current.end();
    this.#current = next;
    this.#changes += 1;
    this.#origin = origin ?? next.snapshot();
    this.#factory.feed.reportWritesTo(next);
    this.#factory.feed.publish({ kind: 'reset' });
  }

  #tooMany(): ApiError {
    const oldest = this.checkpointNames.find(name => name !== BEFORE_REWIND) ?? '';
    const path = `/_sandbox/checkpoints/${encodeURIComponent(oldest)}`;
    return badRequest(
      assumed('checkpoints'),
      `there are ${MAX_CHECKPOINTS} checkpoints already, which is the most; delete one, such as the oldest with DELETE ${shorten(path)}, or save under a name that exists`,
    );
  }

  #unknownCheckpoint(name: string): ApiError {
    const names = [...this.#checkpoints.keys()];
    const known = names.slice(0, MAX_LISTED_NAMES).map(each => JSON.stringify(shorten(each)));
    const all =
      known.length === 0
        ? '; none is saved, and none is kept when the sandbox starts again'
        : `; known are ${known.join(', ')}`;
    const message = `no checkpoint ${JSON.stringify(shorten(name))}${suggestion(name, names) || all}`;
    return new ApiError(404, assumed('checkpoints'), message);
  }
}
