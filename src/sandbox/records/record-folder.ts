import { appendFileSync, closeSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RECORD_SUFFIX } from '../../control/history/record/limits.ts';
import { RecordWriter } from '../../control/history/record/write.ts';
import type { HistoryNews, HistoryStart } from '../../core/journal/history.ts';
import { errorCode } from '../../core/values/is-error.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
import type { World } from '../../core/world/world.ts';
import { createFolder } from './create-folder.ts';

/** The most records in a folder that a user named, and in artifacts. */
export const MAX_RECORDS = 200;

export type RecordFolder = Folder;

/** A record that is being written. */
export interface OpenRecord {
  /** Appends the last line and closes the file. Later calls do nothing. */
  end(): void;
}

/**
 * Returns what writes the records of worlds to a folder while they run, so that a process that is killed leaves all but
 * their ends. `nameOf` returns the name of the file of a world, without its suffix. `report` is called once, with why
 * something is not written. `open` has the records that are being written.
 */
export function createRecordFolder(
  path: string,
  nameOf: (world: World) => string,
  report: (problem: string) => void,
  max = Number.POSITIVE_INFINITY,
  open = new Set<OpenRecord>(),
): RecordFolder {
  return new Folder(resolve(path), nameOf, report, max, open);
}

class Folder {
  readonly #path: string;
  readonly #nameOf: (world: World) => string;
  readonly #max: number;
  readonly #report: (problem: string) => void;
  readonly #open: Set<OpenRecord>;
  #isPaused = false;
  #hasReported = false;

  constructor(
    path: string,
    nameOf: (world: World) => string,
    report: (problem: string) => void,
    max: number,
    open: Set<OpenRecord>,
  ) {
    this.#path = path;
    this.#nameOf = nameOf;
    this.#report = report;
    this.#max = max;
    this.#open = open;
  }

  /** Writes the record of a world from its first entry on, until it ends. */
  follow(world: World): void {
    let file: RecordFile | null = null;
    let hasFailed = false;
    const unsubscribe = world.history.subscribe(news => {
      if (hasFailed || this.#isPaused) return;
      try {
        if (news.kind === 'entry') file ??= this.#create(world, news);
        if (file !== null) file.write(news);
        else hasFailed = news.kind === 'entry';
      } catch (error) {
        hasFailed = true;
        this.#leaveNote(world, messageOf(error));
        file?.cutShort();
        this.#fail(`the record of world ${world.id} cannot be written to ${this.#path}: ${messageOf(error)}`);
      }
    });
    world.ended.addEventListener('abort', () => {
      unsubscribe();
      if (file === null) return;
      this.#open.delete(file);
      file.end();
    });
  }

  /** Leaves out what happens until `resume`, such as what a command does before it lends its sandbox. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Records begin with what happens from here on. */
  resume(): void {
    this.#isPaused = false;
  }

  /** Ends all records: what happens from here on is not written. */
  finish(): void {
    for (const file of this.#open) file.end();
  }

  /** Creates the file of a world. Returns null when the folder has enough. */
  #create(world: World, news: Extract<HistoryNews, { kind: 'entry' }>): RecordFile | null {
    createFolder(this.#path);
    if (this.#max < Number.POSITIVE_INFINITY && recordsIn(this.#path).length >= this.#max) {
      this.#fail(`${this.#path} has ${this.#max} records, which is the most; later ones are left out`);
      return null;
    }
    const fail = (error: unknown) =>
      this.#fail(`a record in ${this.#path} cannot be ended: ${messageOf(error)}`);
    const file = new RecordFile(this.#path, this.#nameOf(world), world, news.start, fail);
    this.#open.add(file);
    for (const attempt of news.firstAttempts) file.write({ kind: 'attempt', attempt });
    return file;
  }

  /** Leaves a file that says what is missing, so that whoever reads the folder does not take the record for the whole. */
  #leaveNote(world: World, problem: string): void {
    try {
      const { descriptor } = createFile(this.#path, this.#nameOf(world));
      writeSync(descriptor, `${JSON.stringify({ unwritten: problem })}\n`);
      closeSync(descriptor);
    } catch {
      // Nothing can be written there, which is reported.
    }
  }

  #fail(problem: string): void {
    if (!this.#hasReported) this.#report(problem);
    this.#hasReported = true;
  }
}

class RecordFile implements OpenRecord {
  readonly #writer: RecordWriter;
  readonly #fail: (error: unknown) => void;
  #descriptor: number | null;

  /** Creates the file with the first line. A name that is taken gets a number. `fail` gets why it cannot be ended. */
  constructor(
    folder: string,
    name: string,
    world: World,
    start: HistoryStart,
    fail: (error: unknown) => void,
  ) {
    this.#writer = new RecordWriter(world);
    this.#fail = fail;
    // Loads what the last line needs: when it is written, the process may be ending, in which Jest loads nothing.
    this.#writer.end();
    // Before the file is created: a state that is too large leaves none.
    const header = [...this.#writer.header(start)].join('');
    this.#descriptor = createFile(folder, name).descriptor;
    try {
      this.#append(header);
    } catch (error) {
      this.cutShort();
      throw error;
    }
  }

  write(news: HistoryNews): void {
    if (news.kind === 'entry') this.#append([...this.#writer.entry(news.entry)].join(''));
    else if (news.kind === 'attempt') this.#append(this.#writer.attempt(news.attempt));
    else this.#append(this.#writer.rewind(news.to, news));
  }

  end(): void {
    if (this.#descriptor === null) return;
    try {
      this.#append(this.#writer.end());
      closeSync(this.#descriptor);
      this.#descriptor = null;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Closes the file without its last line, which would follow on half a line. */
  cutShort(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #append(text: string): void {
    // Unlike writeSync, it writes all or throws.
    if (this.#descriptor !== null) appendFileSync(this.#descriptor, text);
  }
}

/** Writes a record to a new file. A name that is taken gets a number. Returns the path. */
export function writeRecord(folder: string, name: string, content: string): string {
  const { file, descriptor } = createFile(folder, name);
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
  return file;
}

/** Creates a file for a record, readable for nobody else: it holds secrets of a sandbox. A name that is taken gets a number. */
function createFile(folder: string, name: string): { readonly file: string; readonly descriptor: number } {
  for (let count = 1; ; count++) {
    const file = join(folder, `${name}${count === 1 ? '' : `.${count}`}${RECORD_SUFFIX}`);
    try {
      return { file, descriptor: openSync(file, 'wx', 0o600) };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Returns the paths of the records in a folder, in the order of their names. A link leads to a file of somebody else. */
export function recordsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(each => each.isFile() && each.name.endsWith(RECORD_SUFFIX))
    .map(({ name }) => join(folder, name))
    .sort();
}
