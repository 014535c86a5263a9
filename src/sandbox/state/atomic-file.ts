import { closeSync, fstatSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isOtherProcess } from './folder-lock.ts';

/** Mode of a new file: it may hold keys and card numbers. */
const OWNER_ONLY = 0o600;
const PERMISSION_BITS = 0o777;

/** What distinguishes the content of a file from that before and after a change. */
export interface FileStamp {
  /** In bytes. */
  readonly size: number;
  /** Wall time of the last change of the content, in milliseconds. */
  readonly mtimeMs: number;
}

/**
 * A file that is replaced as a whole. New content is written to a temporary file in the same folder, synced to disk,
 * and renamed over the old file, so that a crash at any moment leaves the old content or the new. A new file can be
 * read by its owner only; an existing one keeps its mode.
 */
export class AtomicFile {
  readonly #path: string;
  readonly #folder: string;
  #writes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#folder = dirname(path);
  }

  /**
   * Replaces the content, which is durable once this resolves, unless `isObsolete` returns true meanwhile: then there is
   * no file afterwards.
   */
  async write(pieces: Iterable<Uint8Array>, isObsolete: () => boolean = () => false): Promise<FileStamp> {
    const temporary = this.#temporaryPath();
    try {
      const stamp = await writeAndSync(temporary, pieces, this.#mode());
      if (isObsolete()) await rm(temporary);
      else await rename(temporary, this.#path);
      if (isObsolete()) rmSync(this.#path, { force: true });
      await syncFolder(this.#folder);
      return stamp;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Throws unless files can be created in the folder. */
  checkWritable(): void {
    const temporary = this.#temporaryPath();
    closeSync(openSync(temporary, 'wx'));
    rmSync(temporary);
  }

  #mode(): number {
    return (statSync(this.#path, { throwIfNoEntry: false })?.mode ?? OWNER_ONLY) & PERMISSION_BITS;
  }

  #temporaryPath(): string {
    this.#writes += 1;
    return join(this.#folder, `.${basename(this.#path)}.${process.pid}-${this.#writes}.tmp`);
  }
}

/** Removes the temporary files that processes which no longer run have left in a folder, for files that `isOurs` knows. */
export function removeStale(folder: string, isOurs: (name: string) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, file = '', pid] = /^\.(.+)\.(\d+)-\d+\.tmp$/.exec(name) ?? [];
    // A file with our own process id is from an earlier process with the same id.
    if (pid !== undefined && isOurs(file) && !isOtherProcess(Number(pid))) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

/** Writes each piece in a turn of the event loop of its own. */
async function writeAndSync(path: string, pieces: Iterable<Uint8Array>, mode: number): Promise<FileStamp> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    if (mode !== OWNER_ONLY) await file.chmod(mode);
    await writeFile(file, pieces);
    await file.sync();
    // At once, because each turn that a save waits for is long on a busy server.
    const { size, mtimeMs } = fstatSync(file.fd);
    return { size, mtimeMs };
  } finally {
    await file.close();
  }
}

/** By folder, the sync that begins once the one before it ends. */
const nextSyncs = new Map<string, Promise<void>>();
/** By folder, the last sync that was requested. */
const lastSyncs = new Map<string, Promise<void>>();

/**
 * Makes renames in a folder durable. Those that are requested while a sync runs share the next one. Windows does so by
 * itself and cannot open a folder for this.
 */
function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return Promise.resolve();
  const shared = nextSyncs.get(path);
  if (shared !== undefined) return shared;
  const begin = () => {
    nextSyncs.delete(path);
    return syncNow(path);
  };
  const before = lastSyncs.get(path);
  const sync = before === undefined ? syncNow(path) : before.then(begin, begin);
  if (before !== undefined) nextSyncs.set(path, sync);
  lastSyncs.set(path, sync);
  const forget = () => {
    if (lastSyncs.get(path) === sync) lastSyncs.delete(path);
  };
  sync.then(forget, forget);
  return sync;
}

async function syncNow(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
