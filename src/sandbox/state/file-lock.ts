import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import type { RealTime } from '../../core/time/realtime.ts';
import { errorCode } from '../../core/values/is-error.ts';
import { once } from '../../core/values/once.ts';
import { readTextFile, TextFileError } from '../text-file.ts';
import { StateFileError } from './state-file-error.ts';

const BEAT_MS = 5_000;
/** Process ids of another machine mean nothing here: without a sign of life for this time, its process has ended. */
const SILENCE_MS = 2 * BEAT_MS;
const PAUSE_MS = 100;

const LockOwner = once(() =>
  z.object({
    pid: z.int(),
    machine: z.string(),
    /** Where the process id is valid: a container has process ids of its own, and may have the name of another one. */
    namespace: z.string().nullable(),
    startedAt: z.string().nullable(),
  }),
);

type LockOwner = z.output<ReturnType<typeof LockOwner>>;

const ownFiles = new Set<string>();

/** The right to write a file, which one process has at a time. It ends with the process, however that ends. */
export class FileLock {
  readonly #path: string;
  readonly #file: string;
  readonly #text: string;
  #isReleased = false;
  #cancel: () => void = () => undefined;

  private constructor(path: string) {
    this.#path = path;
    this.#file = `${path}.lock`;
    const own: LockOwner = { ...thisPlace(), pid: process.pid, startedAt: startOf(process.pid) };
    this.#text = JSON.stringify(own);
  }

  /** The path must be the real one. Throws a StateFileError that names the process that has the file. */
  static take(path: string, realTime: RealTime): FileLock {
    if (ownFiles.has(path)) throw inUse(path, `this process (pid ${process.pid})`);
    const lock = new FileLock(path);
    while (!lock.#create()) lock.#removeStale();
    ownFiles.add(path);
    lock.#beat(realTime);
    return lock;
  }

  /** Throws when another process has taken the file over, as it may when this one was stopped for a while. */
  check(): void {
    if (this.#isOwn()) return;
    // Somebody has removed it.
    if (this.#create()) return;
    throw new Error('because another process has taken the file over');
  }

  /** Lets others have the file. A second call does nothing. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#cancel();
    ownFiles.delete(this.#path);
    if (this.#isOwn()) rmSync(this.#file, { force: true });
  }

  #isOwn(): boolean {
    try {
      return readIfThere(this.#file) === this.#text;
    } catch {
      return false;
    }
  }

  /** Returns whether there was no lock. */
  #create(text = this.#text): boolean {
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
      throw inUse(this.#path, `the process with the pid ${owner.pid}${where}`, this.#file);
    }
    // Of several processes that see the same stale lock, one moves it away. Who moves a newer one puts it back.
    const moved = `${this.#file}.${randomUUID()}`;
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

  #runs({ pid, machine, namespace, startedAt }: LockOwner): boolean {
    const here = thisPlace();
    if (machine !== here.machine || namespace !== here.namespace) return this.#isBeating();
    // Where nothing says when a process was started, a lock with our own process id is from an earlier process.
    if (startedAt === null) return pid !== process.pid && isRunning(pid);
    return isRunning(pid) && startedAt === startOf(pid);
  }

  /** Waits for a sign of life of a process that cannot be seen from here. */
  #isBeating(): boolean {
    const first = beatOf(this.#file);
    for (let waited = 0; waited < SILENCE_MS; waited += PAUSE_MS) {
      pause();
      const last = beatOf(this.#file);
      if (last !== first) return last !== null;
    }
    return false;
  }

  #isAbandoned(): boolean {
    pause();
    return readIfThere(this.#file) === '';
  }

  #beat(realTime: RealTime): void {
    this.#cancel = realTime.after(BEAT_MS, () => {
      const seconds = realTime.now() / 1_000;
      try {
        // A sign of life of this process must not make another one that has ended look alive.
        if (this.#isOwn()) utimesSync(this.#file, seconds, seconds);
      } catch {
        // The next beat may succeed.
      }
      this.#beat(realTime);
    });
  }
}

/** Blocks this process, which has nothing else to do before it has the file. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function inUse(path: string, owner: string, lock?: string): StateFileError {
  const hint = lock === undefined ? '' : `. If that process is not a card-sandbox, remove ${lock}`;
  return new StateFileError(
    `--state ${path}: is used by ${owner}; stop it first, or name another file${hint}`,
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
    return readTextFile(file);
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    if (error.code === 'ENOENT') return null;
    throw new StateFileError(
      `the lock ${file} cannot be read: ${error.message}; remove it if no sandbox uses it`,
    );
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function beatOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function thisPlace(): Pick<LockOwner, 'machine' | 'namespace'> {
  return { machine: hostname(), namespace: pidNamespace() };
}

/** The namespace of process ids on Linux, such as `pid:[4026531836]`. Null where there are none. */
function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/**
 * When a process was started, so that a later one with the same id is not taken for it. Null where nothing says so, and for
 * one that has ended and whose parent has not taken note.
 */
function startOf(pid: number): string | null {
  try {
    // The name of the program, in parentheses, can contain anything.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
