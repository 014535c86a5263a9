import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StoredTime } from '../../core/store/table-definition.ts';
import type { RealTime } from '../../core/time/realtime.ts';
import { once } from '../../core/values/once.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import { isWorldId, MAIN_WORLD } from '../../core/world/world-state.ts';
import { AtomicFile, removeStale } from './atomic-file.ts';
import { DAMAGED, StateError, stateProblem } from './document/state-error.ts';
import { FolderLock } from './folder-lock.ts';
import { IndexedWorld, indexed, type KeptWorld, readKeptWorld } from './kept-world.ts';
import { NOT_REGULAR, StateFile } from './state-file.ts';
import { errorCode, explainFileError, StateFileError } from './state-file-error.ts';

const INDEX_FORMAT = 'card-sandbox-index';
const INDEX_NAME = 'index.json';

const IndexEntry = once(() =>
  z.object({
    size: z.int(),
    mtimeMs: z.number(),
    /** Null for a state document of somewhere else, which gets keys when it is read. */
    world: IndexedWorld().nullable(),
    /** Wall time of the last request. */
    lastUsedAt: StoredTime,
    /** Sandbox time when the index was written, where the clock ran: it goes on although nothing changes. */
    now: StoredTime.optional(),
  }),
);

const Index = once(() =>
  z.object({
    format: z.literal(INDEX_FORMAT),
    version: z.literal(1),
    shard: z.string().nullable(),
    /** How many tags of API keys were used, so that no world gets those of an earlier one. */
    tags: z.int().min(0),
    worlds: z.record(z.string(), IndexEntry()),
  }),
);

/** What is known of a world without reading its state. */
export type IndexEntry = z.output<ReturnType<typeof IndexEntry>>;
type Index = z.output<ReturnType<typeof Index>>;

/** A world in a folder that is not read yet. */
export interface StoredWorld extends IndexEntry {
  readonly id: string;
  /** Why it cannot be read, with the name of its file; null when nothing is known to be wrong. */
  readonly problem: string | null;
}

/** The folder in which a server keeps its worlds: a file for each, and an index that can be made again from the files. */
export class StateFolder {
  /** The real path. */
  readonly path: string;
  /** The worlds besides `main`, in the order of their creation. */
  readonly worlds: readonly StoredWorld[];
  readonly main: IndexEntry | null;
  /** How many tags of API keys were used. */
  readonly tags: number;
  readonly #lock: FolderLock;
  readonly #index: AtomicFile;

  /**
   * Opens a folder, which is made if it is missing, and takes note of its files. Throws a StateFileError for a folder that
   * cannot be used, that another process uses, or that holds the worlds of another shard.
   */
  constructor(path: string, shard: string | null, realTime: RealTime) {
    this.path = openFolder(path);
    this.#lock = lockFolder(this.path, path, realTime);
    this.#index = new AtomicFile(join(this.path, INDEX_NAME));
    try {
      // First, since what an earlier process with the same id has left may have the name that this one would write.
      removeStale(this.path, name => name.endsWith('.json'));
      this.#index.checkWritable();
      const index = readIndex(join(this.path, INDEX_NAME));
      const { worlds, shards } = scan(this.path, index, realTime.now());
      const own = index === null ? shards[0] : index.shard;
      if (own !== undefined && own !== shard) throw otherShard(this.path, own, shard);
      this.main = index?.worlds[MAIN_WORLD] ?? null;
      this.worlds = worlds;
      this.tags = index?.tags ?? 0;
    } catch (error) {
      this.#lock.release();
      throw unusable(error, this.path, path);
    }
  }

  /**
   * Looks at the file of a world again, which may have been replaced since. Returns what is known of it, which is the same
   * object when the file is the same, or null when it is gone.
   */
  look(known: StoredWorld): StoredWorld | null {
    return look(this.path, known.id, known, known.lastUsedAt, false)?.[0] ?? null;
  }

  /** The file of a world, or one beside it, whose content never changes. */
  file(id: string, part?: Part): StateFile {
    return new StateFile(join(this.path, part === undefined ? `${id}.json` : `${id}.${part}.json`));
  }

  /** Removes the files of a world. Throws a StateFileError when one cannot be removed. */
  remove(id: string): void {
    // Its own first: what is left of the others without it means nothing.
    for (const { path } of [this.file(id), ...PARTS.map(part => this.file(id, part))]) {
      try {
        rmSync(path, { force: true });
      } catch (error) {
        throw new StateFileError(
          `${path}: cannot be removed, ${explainFileError(error, this.path)}; the world has ended, and is there again after a restart unless you remove the file`,
        );
      }
    }
  }

  /** Replaces the index. Rejects with a StateFileError if it cannot be saved. */
  async saveIndex(content: Pick<Index, 'shard' | 'tags' | 'worlds'>): Promise<void> {
    const index: Index = { format: INDEX_FORMAT, version: 1, ...content };
    const lines = Object.entries(index.worlds).map(
      ([id, entry]) => `\n  ${JSON.stringify(id)}: ${JSON.stringify(entry)}`,
    );
    const { worlds: _worlds, ...head } = index;
    const text = `${JSON.stringify(head).slice(0, -1)},"worlds":{${lines.join()}\n}}\n`;
    try {
      await this.#index.write([Buffer.from(text)]);
    } catch (error) {
      throw new StateFileError(
        `${join(this.path, INDEX_NAME)}: cannot be saved, ${explainFileError(error, this.path)}`,
      );
    }
  }

  /** Lets other processes have the folder. */
  close(): void {
    this.#lock.release();
  }
}

/** What a world can have beside its file: its own fixtures, and the state that a reset goes back to. */
const PARTS = ['fixtures', 'start'] as const;
export type Part = (typeof PARTS)[number];

/** Returns the real path of a folder, which is made if it is missing. */
function openFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    const reason =
      errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOTDIR'
        ? 'is not a folder; leave out the / at its end to keep main in a file, or name another folder'
        : explainFileError(error, path);
    throw new StateFileError(`--state ${path}: ${reason}`);
  }
}

/** Takes the lock of a folder. `path` is what names it on the command line. */
function lockFolder(folder: string, path: string, realTime: RealTime): FolderLock {
  try {
    return FolderLock.take(folder, realTime);
  } catch (error) {
    throw unusable(error, folder, path);
  }
}

/** Returns the error for a folder that cannot be used. */
function unusable(error: unknown, folder: string, path: string): StateFileError {
  if (error instanceof StateFileError) return error;
  return new StateFileError(`--state ${path}: ${explainFileError(error, folder)}`);
}

function otherShard(path: string, own: string | null, started: string | null): StateFileError {
  const name = (shard: string | null) => (shard === null ? 'no shard' : `the shard ${JSON.stringify(shard)}`);
  return new StateFileError(
    `--state ${path}: holds the worlds of ${name(own)}, and this process is ${name(started)}; start it with --shard ${own ?? ''} or name another folder`,
  );
}

/** Returns the index, or null when there is none that can be used: it is made again. */
function readIndex(path: string): Index | null {
  try {
    if (!lstatSync(path).isFile()) return null;
    return Index().safeParse(JSON.parse(readFileSync(path, 'utf8')), { jitless: true }).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Finds the worlds besides `main`. Reads the beginnings of those files alone that the index does not know as they are, so
 * that a start takes no longer with a thousand worlds than with one. Returns the shards that these name as well.
 */
function scan(folder: string, index: Index | null, now: number) {
  const shards: (string | null)[] = [];
  const found = readdirSync(folder).flatMap((file): StoredWorld[] => {
    const [, id = ''] = /^(.+)\.json$/.exec(file) ?? [];
    if (!isWorldId(id) || id === MAIN_WORLD) return [];
    const known = index?.worlds[id];
    const [stored, kept] = look(folder, id, known ?? null, isoTime(now), index !== null) ?? [];
    if (kept != null) shards.push(kept.shard);
    return stored === undefined ? [] : [stored];
  });
  const createdAt = ({ world, lastUsedAt }: StoredWorld) => Date.parse(world?.createdAt ?? lastUsedAt);
  found.sort((one, other) => createdAt(one) - createdAt(other));
  return { worlds: withoutTwins(found), shards };
}

/**
 * Looks at the file of a world. Reads its beginning, and looks at its end, unless it is as it is known. Returns null when
 * it is gone. `isAdded` is set when somebody has put an unknown file here.
 */
function look(
  folder: string,
  id: string,
  known: IndexEntry | StoredWorld | null,
  now: string,
  isAdded: boolean,
): [StoredWorld, KeptWorld | null] | null {
  const name = `${id}.json`;
  const path = join(folder, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const { size, mtimeMs } = stats;
  if (known?.size === size && known.mtimeMs === mtimeMs) {
    return ['problem' in known ? known : { ...known, id, problem: null }, null];
  }
  let kept: KeptWorld | null = null;
  let problem: string | null = null;
  try {
    if (!stats.isFile()) throw new StateError([NOT_REGULAR]);
    kept = readKeptWorld(path);
    if (!endsAsDocument(path)) problem = DAMAGED;
  } catch (error) {
    problem = stateProblem(error) ?? explainFileError(error, path);
  }
  const world = kept === null ? (problem === null ? null : (known?.world ?? null)) : indexed(kept);
  // A file that somebody has put here does not end before it is used.
  const usedAt = known?.lastUsedAt ?? (isAdded ? now : (kept?.lastUsedAt ?? now));
  const lastUsedAt = later(usedAt, kept?.lastUsedAt ?? usedAt);
  return [
    { id, size, mtimeMs, world, lastUsedAt, problem: problem === null ? null : `${name}: ${problem}` },
    kept,
  ];
}

/** Whether the last character is a brace. A file that is cut short seldom ends in one. */
function endsAsDocument(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const end = Buffer.alloc(16);
    const from = Math.max(0, fstatSync(file).size - end.length);
    const text = end.toString('latin1', 0, readSync(file, end, 0, end.length, from));
    return text.trimEnd().endsWith('}');
  } finally {
    closeSync(file);
  }
}

/** What is wrong with a file whose keys are those of another world. */
export function keysOfAnother(id: string): string {
  return `has the API keys of the world ${JSON.stringify(id)}, as a copy of its file has; load it into a new world with POST /_sandbox/worlds, and remove the file`;
}

/** Of two files with the same keys, the one that is named after the world in it is that world. */
function withoutTwins(worlds: readonly StoredWorld[]): StoredWorld[] {
  const byTag = new Map<string, StoredWorld>();
  const isNamedAfter = ({ id, world }: StoredWorld) => world?.id === id;
  for (const each of worlds) {
    if (each.world === null) continue;
    const other = byTag.get(each.world.tag);
    if (other === undefined || (isNamedAfter(each) && !isNamedAfter(other))) byTag.set(each.world.tag, each);
  }
  return worlds.map(each => {
    const owner = each.world === null ? undefined : byTag.get(each.world.tag);
    if (owner === undefined || owner === each) return each;
    const problem = `${each.id}.json: ${keysOfAnother(owner.id)}`;
    return { ...each, world: null, problem };
  });
}

function later(one: string, other: string): string {
  return Date.parse(one) < Date.parse(other) ? other : one;
}
