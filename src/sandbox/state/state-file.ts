import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { RealTime } from '../../core/time/realtime.ts';
import { errorCode } from '../../core/values/is-error.ts';
import { duplicateKey, duplicateRule, JsonError, parseJson } from '../../core/values/parse-json.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
import { STATE_FORMAT } from '../../core/world/state-document.ts';
import { isRecordText, RECORD_RULE, readTextFile } from '../text-file.ts';
import { removeTemporary, replaceFile } from './atomic-file.ts';
import { StateError } from './document/state-error.ts';
import { FileLock } from './file-lock.ts';
import { explainFolderError, StateFileError } from './state-file-error.ts';

/** Cap on the size of a state file, which is parsed as a whole. */
const MAX_MIB = 400;
const MAX_BYTES = MAX_MIB * 1024 * 1024;

export interface Loaded {
  /** The parsed document, which may be anything. */
  readonly document: unknown;
  readonly savedAt: Date;
  toError(reason: string): Error;
}

/** Always holds the last state that was saved completely. One process at a time can have it. */
export class StateFile {
  /** The absolute path; for a symbolic link, the path of its target. */
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  /**
   * Opens the file of `--state FILE`. Removes what interrupted saves have left behind. Throws a StateFileError for a file
   * that cannot be replaced, so that this is found at start and not when there is a world to lose, and for one that another
   * process uses.
   */
  static open(path: string, realTime: RealTime): StateFile {
    const real = realPathOf(path);
    if (isMountPoint(real)) {
      throw new StateFileError(
        `--state ${path}: is a mount point itself, so that no save can replace it; mount its folder instead, such as -v "$PWD/state:${dirname(real)}"`,
      );
    }
    try {
      const lock = FileLock.take(real, realTime);
      removeTemporary(real);
      return new StateFile(real, lock);
    } catch (error) {
      if (error instanceof StateFileError) throw error;
      throw new StateFileError(`--state ${path}: ${explainFolderError(error, dirname(real))}`);
    }
  }

  /** Returns the content, or null if there is none yet. Throws a StateFileError. */
  read(): Loaded | null {
    try {
      const { size, mtime } = statSync(this.path);
      if (size === 0) return null;
      const toError = (reason: string) => this.#unusable(reason);
      return { document: readDocument(this.path), savedAt: mtime, toError };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw this.#unusable(messageOf(error));
    }
  }

  #unusable(reason: string): StateFileError {
    return new StateFileError(
      `--state ${this.path}: ${reason}. The file was not changed; move it away to start from the fixtures, or name another file`,
    );
  }

  /** Durable once this resolves with the size in bytes. Rejects with a StateFileError. */
  async save(pieces: Iterable<Uint8Array>): Promise<number> {
    let bytes = 0;
    function* counted() {
      for (const piece of pieces) {
        bytes += piece.length;
        if (bytes > MAX_BYTES) throw new StateError([TOO_LARGE]);
        yield piece;
      }
    }
    try {
      this.#lock.check();
      await replaceFile(this.path, counted());
      return bytes;
    } catch (error) {
      throw new StateFileError(
        `${this.path}: cannot be saved, ${explainFolderError(error, dirname(this.path))}`,
      );
    }
  }

  close(): void {
    this.#lock.release();
  }
}

const TOO_LARGE = `is larger than ${MAX_MIB} MiB, which is the limit`;

/** Throws a TextFileError for a file that is too large or not text, and a StateError for one that is not JSON. */
export function readDocument(path: string): unknown {
  const text = readTextFile(path, MAX_BYTES);
  try {
    const value = parseJson(text);
    const duplicate = duplicateKey(text);
    if (duplicate === null) return value;
    throw new StateError([duplicateRule(duplicate.key)]);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new StateError([isRecordText(text) ? RECORD_RULE : 'is cut short or damaged']);
  }
}

/** Returns the absolute path; for a link, the path of its target. Throws a StateFileError unless a state can be kept there. */
function realPathOf(path: string): string {
  const link = find(lstatSync, path);
  if (link === undefined) return join(realFolderOf(path), basename(path));
  const target = find(statSync, path);
  if (target === undefined) {
    throw new StateFileError(
      `--state ${path}: is a symbolic link to a file that does not exist; remove the link, or name the file itself`,
    );
  }
  if (target.isDirectory()) {
    throw new StateFileError(`--state ${path}: is a folder; name a file in it, which keeps main`);
  }
  // Reading or replacing a pipe, a socket or a device would hang or destroy it.
  if (!target.isFile()) {
    throw new StateFileError(`--state ${path}: is not a regular file; name another file`);
  }
  return realpathSync(path);
}

/** A missing folder is reported when the file is locked. */
function realFolderOf(path: string): string {
  const folder = dirname(resolve(path));
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Returns undefined where nothing can be seen: the reason is found when the file is locked. */
function find(stat: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

/** Whether something is mounted at a path, as containers do with single files. False where the system does not say. */
function isMountPoint(path: string): boolean {
  try {
    return mountPoints(readFileSync('/proc/self/mountinfo', 'utf8')).includes(path);
  } catch {
    // Only Linux has this file.
    return false;
  }
}

/** Returns the paths in a list of mounts, in which spaces and other separators are written in octal. */
function mountPoints(mounts: string): string[] {
  return mounts.split('\n').map(line => {
    const [, , , , path = ''] = line.split(' ');
    return path.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  });
}

/** Whether a file claims to be a state document, valid or not. False if it cannot be read. */
export function isStateFile(path: string): boolean {
  return stateTextIn(path) !== null;
}

/** Whether a file claims to be a state document whose clock was frozen, in the order in which a sandbox writes it. */
export function isFrozenStateFile(path: string): boolean {
  return FROZEN_CLOCK.test(stateTextIn(path) ?? '');
}

function stateTextIn(path: string): string | null {
  try {
    const text = readTextFile(path, MAX_BYTES);
    return /^\s*\{/.test(text) && FORMAT.test(text) ? text : null;
  } catch {
    // Reading it as a fixture reports what is wrong with it.
    return null;
  }
}

const FORMAT = new RegExp(`"format"\\s*:\\s*"${STATE_FORMAT}"`);
/** The pending timers, which are objects, follow the mode. */
const FROZEN_CLOCK = /"clock"\s*:\s*\{[^{}]*"mode"\s*:\s*"frozen"/;
