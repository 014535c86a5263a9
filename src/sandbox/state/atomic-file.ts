import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './state-file-error.ts';

/** Mode of a new file: it may hold keys and card numbers. */
const OWNER_ONLY = 0o600;
const PERMISSION_BITS = 0o777;

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

  /** Replaces the content, which is durable once this resolves. Resolves with its size in bytes. */
  async write(pieces: Iterable<Uint8Array>): Promise<number> {
    const temporary = this.#temporaryPath();
    try {
      const size = await writeAndSync(temporary, pieces, this.#mode());
      await rename(temporary, this.#path);
      await syncFolder(this.#folder);
      return size;
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

  /** Removes the temporary files of processes that no longer run. */
  removeStale(): void {
    const prefix = `.${basename(this.#path)}.`;
    for (const name of readdirSync(this.#folder)) {
      if (!name.startsWith(prefix)) continue;
      const pid = /^(\d+)-\d+\.tmp$/.exec(name.slice(prefix.length))?.[1];
      if (pid !== undefined && !isOtherProcess(Number(pid))) {
        rmSync(join(this.#folder, name), { force: true });
      }
    }
  }

  #mode(): number {
    return (statSync(this.#path, { throwIfNoEntry: false })?.mode ?? OWNER_ONLY) & PERMISSION_BITS;
  }

  #temporaryPath(): string {
    this.#writes += 1;
    return join(this.#folder, `.${basename(this.#path)}.${process.pid}-${this.#writes}.tmp`);
  }
}

/** Writes each piece in a turn of the event loop of its own. */
async function writeAndSync(path: string, pieces: Iterable<Uint8Array>, mode: number): Promise<number> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.chmod(mode);
    await writeFile(file, pieces);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Makes a rename durable. Windows does so by itself and cannot open a folder for this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Whether another process with this id runs. A file with our own id is from an earlier process with the same id. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
