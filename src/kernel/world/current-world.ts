import type { Feed } from '../journal/feed.ts';
import { ApiError, assumed } from '../operation/errors.ts';
import { suggestion } from '../values/nearest.ts';
import { shorten } from '../values/shorten.ts';
import { type StateDocument, toStateDocument } from './state-document.ts';
import { readState, type StateRules } from './state-reader.ts';
import type { World, WorldSnapshot } from './world.ts';

/** Names of more checkpoints than this help nobody. */
const MOST_NAMES = 8;

/** A checkpoint as people see it. */
export interface CheckpointInfo {
  readonly name: string;
  /** Sandbox time at which it was taken, ISO 8601. */
  readonly createdAt: string;
  /** How many rows it holds, in all tables. */
  readonly records: number;
}

/** How worlds are made. */
export interface WorldFactory {
  /** Makes the world that a reset goes back to. */
  readonly seeded: () => World;
  /** Makes a world that goes on from a snapshot. */
  readonly from: (snapshot: WorldSnapshot) => World;
  readonly rules: StateRules;
  readonly feed: Feed;
}

/** The current world of a sandbox, and the snapshots that outlive it. A new world is swapped in whole or not at all. */
export class CurrentWorld {
  readonly #making: WorldFactory;
  readonly #checkpoints = new Map<string, CheckpointInfo & { readonly snapshot: WorldSnapshot }>();
  #current: World;

  /** Begins with the given world. */
  constructor(making: WorldFactory, first: World) {
    this.#making = making;
    this.#current = first;
  }

  /** The world as it is now. */
  get current(): World {
    return this.#current;
  }

  /** The whole of the current world as one document. */
  get state(): StateDocument {
    return toStateDocument(this.#current.snapshot(), this.#making.rules.tables);
  }

  /** Goes back to the seeded world. */
  reset(): void {
    this.#swap(this.#making.seeded());
  }

  /** Goes on with the world that a document describes. Throws a StateError, and changes nothing, when it cannot be. */
  load(document: unknown): void {
    this.#swap(readState(document, this.#making.rules, this.#making.from));
  }

  /** Every checkpoint, the oldest name first. */
  checkpoints(): CheckpointInfo[] {
    return [...this.#checkpoints.values()].map(({ snapshot: _snapshot, ...checkpoint }) => checkpoint);
  }

  /** Keeps the current world under a name, in place of what was kept under it before. */
  saveCheckpoint(name: string): CheckpointInfo {
    const snapshot = this.#current.snapshot();
    const records = [...snapshot.tables.values()].reduce((sum, { rows }) => sum + rows.size, 0);
    const checkpoint = { name, createdAt: this.#current.clock.timestamp(), records };
    this.#checkpoints.set(name, { ...checkpoint, snapshot });
    return checkpoint;
  }

  /** Goes back to a checkpoint, as often as is wanted. Throws the 404 for an unknown name. */
  restoreCheckpoint(name: string): void {
    const known = this.#checkpoints.get(name);
    if (known === undefined) throw this.#noCheckpoint(name);
    this.#swap(this.#making.from(known.snapshot));
  }

  /** Forgets a checkpoint. Throws the 404 for an unknown name. */
  deleteCheckpoint(name: string): void {
    if (!this.#checkpoints.delete(name)) throw this.#noCheckpoint(name);
  }

  #swap(next: World): void {
    this.#current.end();
    this.#current = next;
    this.#making.feed.publish({ kind: 'reset' });
  }

  #noCheckpoint(name: string): ApiError {
    const names = [...this.#checkpoints.keys()];
    const known = names.slice(0, MOST_NAMES).map(each => JSON.stringify(shorten(each)));
    const all = known.length === 0 ? '; there is none yet' : `; known are ${known.join(', ')}`;
    const message = `no checkpoint ${JSON.stringify(shorten(name))}${suggestion(name, names) || all}`;
    return new ApiError(404, assumed('checkpoints'), message);
  }
}
