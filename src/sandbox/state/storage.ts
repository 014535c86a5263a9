import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RealTime } from '../../core/time/realtime.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import { countRecords } from '../../core/world/world-snapshot.ts';
import { MAIN_WORLD, type WorldState } from '../../core/world/world-state.ts';
import { tables } from '../tables.ts';
import type { FileStamp } from './atomic-file.ts';
import { Autosave, type Savable, saveAll } from './autosave.ts';
import { writeState } from './document/state-writer.ts';
import { type IndexedWorld, indexed, type KeptWorld } from './kept-world.ts';
import { type Loaded, type Saved, StateFile } from './state-file.ts';
import { StateFileError } from './state-file-error.ts';
import { type IndexEntry, type Part, StateFolder, type StoredWorld } from './state-folder.ts';

/** How often the index notes at most which worlds were used, when nothing else changes. */
const USE_INTERVAL_MS = 10_000;

/** What a save takes besides writing the document, in milliseconds of this process. */
const FILE_MS = 0.2;

/** A world as its file keeps it. */
export interface KeepableWorld {
  readonly id: string;
  readonly state: WorldState;
  /** Wall time in milliseconds. */
  readonly lastUsedAt: number;
  /** What its file holds besides the state; null for `main`. */
  kept(): KeptWorld | null;
  /** What the files beside it hold. */
  parts(): ReadonlyMap<Part, Iterable<Uint8Array>>;
}

/** Where the worlds of a server are kept, and what a save at its end wrote. */
export interface SavedWorlds extends Omit<Saved, 'stamp'> {
  /** How many worlds were saved; null where only `main` is kept. */
  readonly worlds: number | null;
}

/** The file of `main` at start. */
export interface StoredMain extends Loaded, Pick<StateFile, 'unusable'> {
  readonly file: string;
  /** Sandbox time up to which its clock has run; undefined where the file says all. */
  readonly now: string | undefined;
}

/** What a storage reports to. */
export interface StorageHooks {
  readonly realTime: RealTime;
  /** Called with the error of a save that failed after a change, once until a save of that world succeeds. */
  readonly onSaveError: (error: unknown) => void;
}

/**
 * Where the worlds of a server are kept: `main` in a file, or every world in a folder. Saves each soon after it has
 * changed.
 */
export class Storage {
  /** The path of the file or the folder. */
  readonly path: string;
  readonly #folder: StateFolder | null;
  readonly #main: StateFile;
  readonly #shard: string | null;
  readonly #hooks: StorageHooks;
  readonly #autosave: Autosave;
  readonly #savers = new Map<string, Saver>();
  readonly #unread = new Map<string, StoredWorld>();
  /** By id, the last saves of worlds that have ended: another world with the id is saved after them. */
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #index: IndexSaver;
  #mainEntry: IndexEntry | null = null;
  /** How many tags of API keys were used. */
  #tags: number;

  /** Opens a file, or the folder that a path with a / at its end names. Throws a StateFileError. */
  constructor(path: string, shard: string | null, hooks: StorageHooks) {
    const { realTime, onSaveError } = hooks;
    this.#hooks = hooks;
    this.#shard = shard;
    this.#folder = isFolder(path) ? new StateFolder(path, shard, realTime) : null;
    this.#main = this.#folder?.file(MAIN_WORLD) ?? StateFile.open(path);
    this.path = this.#folder?.path ?? this.#main.path;
    this.#tags = this.#folder?.tags ?? 0;
    for (const each of this.#folder?.worlds ?? []) this.#unread.set(each.id, each);
    this.#index = new IndexSaver(
      realTime,
      () => this.#lastUse(),
      () => this.#saveIndex(),
    );
    this.#autosave = new Autosave({
      realTime,
      all: () => (this.#folder === null ? this.#savers.values() : [...this.#savers.values(), this.#index]),
      onFailure: errors => onSaveError(combined(errors)),
    });
  }

  /** Whether every world is kept, and not `main` alone. */
  get keepsAll(): boolean {
    return this.#folder !== null;
  }

  /** The worlds that were not read yet, in the order of their creation. */
  get unread(): Iterable<StoredWorld> {
    return this.#unread.values();
  }

  get tags(): number {
    return this.#tags;
  }

  set tags(tags: number) {
    this.#tags = tags;
  }

  /** Returns the content of the file of `main`, or null if there is none. Throws a StateFileError. */
  readMain(): StoredMain | null {
    const loaded = this.#main.read(this.#folder !== null);
    if (loaded === null) return null;
    const { stamp, savedAt } = loaded;
    const known = this.#folder?.main ?? null;
    const isCurrent = known?.size === stamp.size && known.mtimeMs === stamp.mtimeMs;
    this.#mainEntry = { ...stamp, world: null, lastUsedAt: isoTime(savedAt.getTime()) };
    return {
      ...loaded,
      file: this.#main.path,
      unusable: reason => this.#main.unusable(reason),
      now: isCurrent ? known.now : undefined,
    };
  }

  /** The file of a world besides `main`, or one beside it. */
  file(id: string, part?: Part): StateFile | null {
    return this.#folder?.file(id, part) ?? null;
  }

  /**
   * Saves a world from here on when it changes. `isNew` is set for one that is not as its file has it. Returns what saves
   * it on demand; null for a world that is not kept.
   */
  add(world: KeepableWorld, isNew: boolean): Saver | null {
    const { id } = world;
    if (this.#folder === null && id !== MAIN_WORLD) return null;
    const read = id === MAIN_WORLD ? this.#mainEntry : (this.#unread.get(id) ?? null);
    const saver = new Saver(world, {
      file: this.file(id) ?? this.#main,
      partFile: part => this.file(id, part),
      entry: isNew ? null : read,
      before: this.#ending.get(id),
      isNew: isNew && this.#folder !== null,
      realTime: this.#hooks.realTime,
      onIndexed: () => this.#index.note(),
      saveIfLate: each => this.#autosave.saveIfLate(each),
    });
    this.#savers.set(id, saver);
    this.#unread.delete(id);
    return saver;
  }

  /** Looks at the file of a world that was not read yet. Returns what is known of it now, or null when it is gone. */
  look(known: StoredWorld): StoredWorld | null {
    const stored = this.#folder?.look(known) ?? null;
    if (stored !== null && stored !== known) this.#unread.set(stored.id, stored);
    return stored;
  }

  /** Notes why a world cannot be read. */
  noteProblem(id: string, problem: string): void {
    const stored = this.#unread.get(id);
    if (stored !== undefined) this.#unread.set(id, { ...stored, problem });
  }

  /** Removes the files of a world that has ended, and saves it no more. */
  remove(id: string): void {
    const saver = this.#savers.get(id);
    if (saver !== undefined) {
      saver.end();
      const last = saver.settled();
      this.#savers.delete(id);
      this.#ending.set(id, last);
      void last.then(() => {
        if (this.#ending.get(id) === last) this.#ending.delete(id);
      });
    }
    this.#unread.delete(id);
    this.#index.note();
    try {
      this.#folder?.remove(id);
    } catch (error) {
      this.#hooks.onSaveError(error);
    }
  }

  /**
   * Saves everything that has changed, and `main` where it is kept alone. Rejects with a StateFileError if something
   * cannot be saved, once the rest is.
   */
  async saveAll(): Promise<SavedWorlds> {
    this.#autosave.stop();
    await Promise.all([...this.#savers.values()].map(each => each.settled()));
    const savers = [...this.#savers.values()].filter(each => this.#folder === null || each.isChanged);
    const failing: unknown[] = [...(await saveAll(savers)).values()];
    if (this.#folder !== null) await this.#index.save().catch(error => failing.push(error));
    if (failing.length > 0) throw combined(failing);
    const saved = savers.flatMap(({ last }) => last ?? []);
    const sum = (member: 'bytes' | 'records') => saved.reduce((total, each) => total + each[member], 0);
    return {
      file: this.path,
      worlds: this.#folder === null ? null : saved.length,
      bytes: sum('bytes'),
      records: sum('records'),
    };
  }

  /** Saves nothing more by itself, and lets other processes have the folder. */
  close(): void {
    this.#autosave.stop();
    this.#folder?.close();
  }

  /** Wall time of the last request to any world. */
  #lastUse(): number {
    let last = 0;
    for (const { lastUsedAt } of this.#savers.values()) last = Math.max(last, lastUsedAt);
    return last;
  }

  async #saveIndex(): Promise<void> {
    const worlds: Record<string, IndexEntry> = {};
    for (const [id, saver] of this.#savers) if (saver.indexed !== null) worlds[id] = saver.indexed;
    for (const [id, { id: _id, problem, ...entry }] of this.#unread) {
      // A size that no file has: the next start looks at the file again.
      worlds[id] = problem === null ? entry : { ...entry, size: -1 };
    }
    await this.#folder?.saveIndex({ shard: this.#shard, tags: this.#tags, worlds });
  }
}

/** Saves the index. It is as old as the files when nothing but the use of the worlds has changed, for a while. */
class IndexSaver implements Savable {
  readonly busyMs = FILE_MS;
  readonly #realTime: RealTime;
  readonly #lastUse: () => number;
  readonly #write: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  #isNoted = true;
  #savedAt = 0;

  constructor(realTime: RealTime, lastUse: () => number, write: () => Promise<void>) {
    this.#realTime = realTime;
    this.#lastUse = lastUse;
    this.#write = write;
  }

  /** Notes that other worlds, or other keys, are to be found in it. */
  note(): void {
    this.#isNoted = true;
  }

  get isChanged(): boolean {
    if (this.#isNoted) return true;
    return this.#realTime.now() - this.#savedAt >= USE_INTERVAL_MS && this.#lastUse() > this.#savedAt;
  }

  save(): Promise<void> {
    const begin = async () => {
      this.#isNoted = false;
      this.#savedAt = this.#realTime.now();
      try {
        await this.#write();
      } catch (error) {
        this.#isNoted = true;
        throw error;
      }
    };
    const saving = this.#last.then(begin, begin);
    this.#last = saving;
    return saving;
  }
}

interface SaverParts {
  readonly file: StateFile;
  readonly partFile: (part: Part) => StateFile | null;
  /** What the index says of the file; null when there is none. */
  readonly entry: IndexEntry | null;
  /** What to wait for before the first save. */
  readonly before: Promise<unknown> | undefined;
  readonly isNew: boolean;
  readonly realTime: RealTime;
  /** Called when the index has something else to say of the world. */
  readonly onIndexed: () => void;
  /** See `Autosave`. */
  readonly saveIfLate: (saver: Saver) => Promise<void> | null;
}

/** Never the version of a state. */
const NONE = Symbol();

/** Saves a world to its file. Saves that overlap are made one after the other. */
export class Saver implements Savable {
  readonly #world: KeepableWorld;
  readonly #parts: SaverParts;
  #saved: unknown;
  #last: Promise<unknown>;
  #stamp: FileStamp | null;
  /** What the index says of the world; null for `main`. */
  #indexed: IndexedWorld | null;
  #hasParts: boolean;
  #isEnded = false;
  /** What the last save wrote. */
  last: Saved | null = null;
  busyMs = 0;

  constructor(world: KeepableWorld, parts: SaverParts) {
    this.#world = world;
    this.#parts = parts;
    this.#saved = parts.isNew ? NONE : world.state.version;
    this.#hasParts = !parts.isNew;
    this.#last = parts.before ?? Promise.resolve();
    this.#stamp = parts.entry;
    this.#indexed = parts.entry?.world ?? null;
  }

  get isChanged(): boolean {
    return this.#world.state.version !== this.#saved;
  }

  /** Wall time in milliseconds of the last request to the world. */
  get lastUsedAt(): number {
    return this.#world.lastUsedAt;
  }

  /** Has it saved although its state is the same. */
  noteChange(): void {
    this.#saved = NONE;
  }

  /** What the index says of it; null before the first save. */
  get indexed(): IndexEntry | null {
    if (this.#stamp === null) return null;
    const { size, mtimeMs } = this.#stamp;
    const { lastUsedAt, state } = this.#world;
    const { now, mode } = state.clock.view();
    return {
      size,
      mtimeMs,
      world: this.#indexed,
      lastUsedAt: isoTime(lastUsedAt),
      ...(mode === 'running' && { now }),
    };
  }

  /** Saves the state, after the saves that have been requested before. Rejects with a StateFileError. */
  save(): Promise<Saved> {
    const begin = () => this.#save();
    const saving = this.#last.then(begin, begin);
    this.#last = saving;
    return saving;
  }

  /** Saves the state at once if its last change has waited for too long. Returns a promise to wait for, or null. */
  saveIfLate(): Promise<void> | null {
    return this.#parts.saveIfLate(this);
  }

  /** Resolves once nothing is being saved. */
  settled(): Promise<unknown> {
    return this.#last.catch(() => undefined);
  }

  /** Saves nothing more. */
  end(): void {
    this.#isEnded = true;
  }

  async #save(): Promise<Saved> {
    const { file, partFile, onIndexed } = this.#parts;
    const isObsolete = () => this.#isEnded;
    // A change while the state is being saved is saved by the next one.
    const version = this.#world.state.version;
    const [snapshot, kept] = [this.#world.state.snapshot(), this.#world.kept()];
    this.#saved = version;
    this.busyMs = FILE_MS;
    try {
      for (const [part, pieces] of this.#hasParts ? [] : this.#world.parts()) {
        await partFile(part)?.save({ pieces: this.#measured(pieces), records: 0, isObsolete });
      }
      this.#hasParts = true;
      const pieces = this.#measured(writeState(snapshot, tables, kept));
      const saved = await file.save({ pieces, records: countRecords(snapshot), isObsolete });
      const next = kept === null ? null : indexed(kept);
      if (this.#stamp === null || !isDeepStrictEqual(next, this.#indexed)) onIndexed();
      this.#stamp = saved.stamp;
      this.#indexed = next;
      this.last = saved;
      return saved;
    } catch (error) {
      if (this.#saved === version) this.#saved = NONE;
      throw error;
    }
  }

  *#measured(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    const { realTime } = this.#parts;
    const rest = pieces[Symbol.iterator]();
    for (;;) {
      const start = realTime.elapsed();
      const { done, value } = rest.next();
      this.busyMs += realTime.elapsed() - start;
      if (done) return;
      yield value;
    }
  }
}

/** One error for several. */
function combined(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (errors.length === 1 || !(first instanceof Error)) return first;
  const others = errors.length === 2 ? 'one other file' : `${errors.length - 1} other files`;
  return new StateFileError(`${first.message}; ${others} cannot be saved either`);
}

/** Whether a path names a folder: by a separator at its end, or because there is one. */
function isFolder(path: string): boolean {
  if (path.endsWith('/') || path.endsWith(sep)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    // Opening the file reports it.
    return false;
  }
}
