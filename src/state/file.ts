import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { StateDocument } from '../kernel/world/state-document.ts';

/** A state file that cannot be used, and what to do about it. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
}

/** What a save wrote. */
export interface Saved {
  readonly file: string;
  readonly bytes: number;
}

/**
 * The file in which a sandbox keeps its world. It holds the last state that was saved whole, whatever happens
 * while the next one is written: that goes to a file of its own in the same folder, which takes the place of
 * the old one once it is on the disk.
 */
export class StateFile {
  /** Its absolute path; of a link, that of what it leads to. */
  readonly path: string;
  readonly #folder: string;
  #saves = 0;

  /**
   * Sweeps up what saves that were cut short left behind. Throws a StateFileError when the folder is missing or
   * cannot be written to: at the start, not when there is a world to lose.
   */
  constructor(path: string) {
    this.path = existsSync(path) ? realpathSync(path) : resolve(path);
    this.#folder = dirname(this.path);
    const probe = this.#temporary();
    try {
      this.#sweep();
      closeSync(openSync(probe, 'wx'));
      rmSync(probe);
    } catch (error) {
      throw new StateFileError(`--state ${path}: ${explain(error, this.#folder)}`);
    }
  }

  /** What the file holds; null when there is none. Throws a StateFileError when it cannot be read or is no JSON. */
  read(): unknown {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw this.refused(explain(error, this.path));
    }
    try {
      return JSON.parse(text);
    } catch {
      throw this.refused('is cut short or damaged');
    }
  }

  /** The error for a file that cannot be used for this reason. The file is left as it is. */
  refused(reason: string): StateFileError {
    return new StateFileError(
      `--state ${this.path}: ${reason}. It was left as it is; move it away to start from the fixtures, or name another file`,
    );
  }

  /** Puts a state in the place of the one before, and resolves to nothing less: the bytes are on the disk. */
  save(state: StateDocument): Saved {
    const bytes = Buffer.from(textOf(state));
    const temporary = this.#temporary();
    try {
      writeDurably(temporary, bytes);
      renameSync(temporary, this.path);
      syncFolder(this.#folder);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new StateFileError(`${this.path}: cannot be saved, ${explain(error, this.#folder)}`);
    }
    return { file: this.path, bytes: bytes.length };
  }

  #temporary(): string {
    this.#saves += 1;
    return join(this.#folder, `.${basename(this.path)}.${process.pid}-${this.#saves}.tmp`);
  }

  /** Removes the temporary files of processes that are no more. */
  #sweep(): void {
    const prefix = `.${basename(this.path)}.`;
    for (const name of readdirSync(this.#folder)) {
      const [, pid] = name.startsWith(prefix)
        ? (/^(\d+)-\d+\.tmp$/.exec(name.slice(prefix.length)) ?? [])
        : [];
      if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(this.#folder, name), { force: true });
    }
  }
}

/** One row a line, so that two states can be compared by people and their tools. */
function textOf({ tables, ...head }: StateDocument): string {
  const lists = Object.entries(tables).map(([name, rows]) => {
    const lines = rows.map(row => `\n    ${JSON.stringify(row)}`).join(',');
    return `\n  ${JSON.stringify(name)}: [${lines}${rows.length === 0 ? '' : '\n  '}]`;
  });
  return `${JSON.stringify(head).slice(0, -1)},"tables":{${lists.join(',')}\n}}\n`;
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx');
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Has the folder remember the new name of a file. Windows does so by itself, and cannot be asked to. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Whether another process with this id is there. Our own id in a name is from a life before this one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function explain(error: unknown, path: string): string {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no folder ${path}; make it first`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} may not be read and written; change its permissions`;
  if (code === 'EROFS') return `${path} is on a read-only file system; name a file elsewhere`;
  if (code === 'EISDIR') return 'is a folder; name a file in it';
  if (code === 'ENOSPC') return `there is no space left for it in ${path}`;
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
