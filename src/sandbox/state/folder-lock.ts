import { lstatSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { RealTime } from '../../core/time/realtime.ts';
import { once } from '../../core/values/once.ts';
import { errorCode, StateFileError } from './state-file-error.ts';

const FILE = '.lock';

/** How often the process that has a folder shows that it still runs. */
const BEAT_MS = 5_000;
/** Process ids of another machine mean nothing here: without a sign of life for this time, its process has ended. */
const SILENCE_MS = 2 * BEAT_MS;
const PAUSE_MS = 100;

const LockOwner = once(() =>
  z.object({ pid: z.int(), machine: z.string(), startedAt: z.string().nullable() }),
);

/** The process that has a folder. */
type LockOwner = z.output<ReturnType<typeof LockOwner>>;

/** The folders of this process. */
const ownFolders = new Set<string>();

/** The right to write a folder, which one process has at a time. It ends with the process, however that ends. */
export class FolderLock {
  readonly #folder: string;
  readonly #file: string;
  #isHeld = true;
  #cancel: () => void = () => undefined;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, FILE);
  }

  /**
   * Locks a folder, whose path must be the real one. Throws a StateFileError that names the process when another one
   * has it.
   */
  static take(folder: string, realTime: RealTime): FolderLock {
    if (ownFolders.has(folder)) throw inUse(folder, `this process (pid ${process.pid})`);
    const lock = new FolderLock(folder);
    lock.#take();
    ownFolders.add(folder);
    lock.#beat(realTime);
    return lock;
  }

  /** Lets others have the folder. A second call does nothing. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#cancel();
    ownFolders.delete(this.#folder);
    rmSync(this.#file, { force: true });
  }

  #take(): void {
    const own: LockOwner = { pid: process.pid, machine: hostname(), startedAt: startOf(process.pid) };
    const text = JSON.stringify(own);
    while (!this.#create(text)) this.#removeStale();
  }

  /** Returns whether there was no lock. */
  #create(text: string): boolean {
    try {
      writeFileSync(this.#file, text, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Removes the lock of a process that no longer runs. Throws when it runs. */
  #removeStale(): void {
    const text = readIfThere(this.#file);
    if (text === null) {
      // A link to nothing cannot be read, and no lock can be created in its place.
      if (isLink(this.#file)) rmSync(this.#file);
      return;
    }
    const owner = ownerIn(text);
    // It may be about to be written.
    if (owner === null && text === '' && !this.#isAbandoned()) return;
    if (owner !== null && this.#runs(owner)) {
      const where = owner.machine === hostname() ? '' : ` of ${owner.machine}`;
      throw inUse(this.#folder, `the process with the pid ${owner.pid}${where}`, this.#file);
    }
    // Of several processes that see the same stale lock, one moves it away. Who moves a newer one puts it back.
    const moved = `${this.#file}.${process.pid}`;
    try {
      renameSync(this.#file, moved);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
    try {
      const found = readFileSync(moved, 'utf8');
      if (found !== text) this.#create(found);
    } finally {
      rmSync(moved, { force: true });
    }
  }

  #runs({ pid, machine, startedAt }: LockOwner): boolean {
    if (machine !== hostname()) return this.#isBeating();
    // A lock with our own process id is from an earlier process with the same id.
    return isOtherProcess(pid) && (startedAt === null || startedAt === startOf(pid));
  }

  /** Waits for a sign of life of a process on another machine. */
  #isBeating(): boolean {
    const first = beatOf(this.#file);
    for (let waited = 0; waited < SILENCE_MS; waited += PAUSE_MS) {
      pause();
      if (beatOf(this.#file) !== first) return true;
    }
    return false;
  }

  /** Whether an empty lock stays empty. */
  #isAbandoned(): boolean {
    pause();
    return readIfThere(this.#file) === '';
  }

  #beat(realTime: RealTime): void {
    this.#cancel = realTime.after(BEAT_MS, () => {
      const seconds = realTime.now() / 1_000;
      try {
        utimesSync(this.#file, seconds, seconds);
      } catch {
        // The next beat may succeed. Whoever removed the file wanted to.
      }
      this.#beat(realTime);
    });
  }
}

/** Blocks this process, which has nothing else to do before it has the folder. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function inUse(folder: string, owner: string, file?: string): StateFileError {
  const hint = file === undefined ? '' : `. If that process is not a card-sandbox, remove ${file}`;
  return new StateFileError(
    `--state ${folder}: is used by ${owner}; stop it first, or name another folder${hint}`,
  );
}

function ownerIn(text: string): LockOwner | null {
  try {
    return LockOwner().safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Cut short when its process was killed.
    return null;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function beatOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Whether another process with this id runs. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** When a process was started, so that a later one with the same id is not taken for it. Null where nothing says so. */
function startOf(pid: number): string | null {
  try {
    // The name of the program, in parentheses, can contain anything.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
