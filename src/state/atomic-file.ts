import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
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

  /** Replaces the content. It is durable when this returns. */
  write(bytes: Uint8Array): void {
    const temporary = this.#temporaryPath();
    try {
      writeAndSync(temporary, bytes, this.#mode());
      renameSync(temporary, this.#path);
      syncFolder(this.#folder);
    } catch (error) {
      rmSync(temporary, { force: true });
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

function writeAndSync(path: string, bytes: Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', OWNER_ONLY);
  try {
    fchmodSync(file, mode);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename durable. Windows does so by itself and cannot open a folder for this. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
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
