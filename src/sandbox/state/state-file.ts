import { closeSync, lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { STATE_FORMAT } from '../../core/world/state-document.ts';
import { AtomicFile, type FileStamp, removeStale } from './atomic-file.ts';
import { errorCode, explainFileError, StateFileError } from './state-file-error.ts';

/** What a save wrote. */
export interface Saved {
  readonly file: string;
  readonly bytes: number;
  /** The number of rows in all tables. */
  readonly records: number;
  readonly stamp: FileStamp;
}

/** A state to be saved. */
export interface SavableState {
  /** The document. */
  readonly pieces: Iterable<Uint8Array>;
  /** The number of rows in all tables. */
  readonly records: number;
  /** Whether nothing is to be saved any more. Default: never. */
  readonly isObsolete?: (() => boolean) | undefined;
}

/** The content of a state file. */
export interface Loaded {
  /** The document. Throws a StateFileError if it cannot be read to its end. */
  readonly pieces: Iterable<Uint8Array>;
  /** When the file was written. */
  readonly savedAt: Date;
  readonly stamp: FileStamp;
}

/** What is wrong with a file in a folder that is none. */
export const NOT_REGULAR = 'is a link, a folder or a device, which is not followed; put a file in its place';

/** The file in which a sandbox keeps a world. It always holds the last state that was saved completely. */
export class StateFile {
  /** The absolute path; for a symbolic link, that of its target. */
  readonly path: string;
  readonly #folder: string;
  readonly #file: AtomicFile;

  /** `path` must be absolute and lead through no link. */
  constructor(path: string) {
    this.path = path;
    this.#folder = dirname(path);
    this.#file = new AtomicFile(path);
  }

  /**
   * Opens the file of `--state FILE`. Removes what interrupted saves have left behind. Throws a StateFileError if the
   * folder is missing or not writable, or if the path is not that of a regular file, so that this is found at start and
   * not when there is a world to lose.
   */
  static open(path: string): StateFile {
    const file = new StateFile(realPathOf(path));
    try {
      removeStale(file.#folder, name => name === basename(file.path));
      file.#file.checkWritable();
    } catch (error) {
      throw new StateFileError(`--state ${path}: ${explainFileError(error, file.#folder)}`);
    }
    return file;
  }

  /**
   * Returns the content, which is read when it is used, or null if there is no file. Throws a StateFileError, also for a
   * link in a folder.
   */
  read(isInFolder = false): Loaded | null {
    try {
      const stats = lstatSync(this.path);
      if (isInFolder && !stats.isFile()) throw this.unusable(NOT_REGULAR);
      const { mtime, mtimeMs, size } = stats;
      return { savedAt: mtime, stamp: { mtimeMs, size }, pieces: this.#pieces() };
    } catch (error) {
      if (error instanceof StateFileError) throw error;
      if (errorCode(error) === 'ENOENT') return null;
      throw this.unusable(explainFileError(error, this.path));
    }
  }

  *#pieces(): Generator<Uint8Array> {
    try {
      yield* readPieces(this.path);
    } catch (error) {
      throw errorCode(error) === '' ? error : this.unusable(explainFileError(error, this.path));
    }
  }

  /** Returns the error for a file that cannot be used for this reason. */
  unusable(reason: string): StateFileError {
    return new StateFileError(
      `--state ${this.path}: ${reason}. The file was not changed; move it away to start from the fixtures, or name another file`,
    );
  }

  /** Replaces the saved state, which is durable once this resolves. Rejects with a StateFileError if it cannot be saved. */
  async save({ pieces, records, isObsolete }: SavableState): Promise<Saved> {
    try {
      const stamp = await this.#file.write(pieces, isObsolete);
      return { file: this.path, bytes: stamp.size, records, stamp };
    } catch (error) {
      throw new StateFileError(`${this.path}: cannot be saved, ${explainFileError(error, this.#folder)}`);
    }
  }
}

/** Returns the absolute path, that of the target for a link. Throws a StateFileError unless a state can be kept there. */
function realPathOf(path: string): string {
  const link = find(lstatSync, path);
  if (link === undefined) return resolve(path);
  const target = find(statSync, path);
  if (target === undefined) {
    throw new StateFileError(
      `--state ${path}: is a symbolic link to a file that does not exist; remove the link, or name the file itself`,
    );
  }
  // A folder is refused when it is read. Reading or replacing a pipe, a socket or a device would hang or destroy it.
  if (!target.isFile() && !target.isDirectory()) {
    throw new StateFileError(`--state ${path}: is not a regular file; name another file`);
  }
  return realpathSync(path);
}

/** Returns undefined where nothing can be seen: the reason is found when the folder is checked. */
function find(stat: typeof statSync | typeof lstatSync, path: string): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}

const PIECE_BYTES = 64 * 1024;

/** Reads a file in pieces. Throws the error of the file system when it is used. */
export function* readPieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const size = readSync(file, piece);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
}

/** Whether a file claims to be a state document, valid or not. False if it cannot be read, or only once, as a pipe. */
export function isStateFile(path: string): boolean {
  let before = '';
  try {
    if (!statSync(path).isFile()) return false;
    for (const piece of readPieces(path)) {
      const text = before + Buffer.from(piece).toString('latin1');
      if (before === '' && !/^\s*\{/.test(text)) return false;
      if (FORMAT.test(text)) return true;
      before = text.slice(-MAX_FORMAT_LENGTH);
    }
  } catch {
    // Reading it as a fixture reports what is wrong with it.
  }
  return false;
}

const FORMAT = new RegExp(`"format"\\s*:\\s*"${STATE_FORMAT}"`);
/** More characters than the format takes, with some space between. */
const MAX_FORMAT_LENGTH = 256;
