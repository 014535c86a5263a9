import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type * as z from 'zod';
import { VERSION } from '../../../core/operation/version.ts';
import { isObject } from '../../../core/request/input.ts';
import { decodeText, EncodingError } from '../../../core/values/decode-text.ts';
import { JsonError, parseJson } from '../../../core/values/parse-json.ts';
import { describeIssue } from '../../../core/values/schemas/validation-messages.ts';
import { printable, shorten } from '../../../core/values/text.ts';
import {
  Header,
  LINES,
  numberOf,
  type RecordEnd,
  type RecordEntry,
  type RecordHeader,
  type RecordLine,
} from './format.ts';
import { MAX_LINE_BYTES, MAX_RECORD_BYTES } from './limits.ts';

/**
 * A file that is not a record. The message names the file, the line and the member where there is one, and the release
 * that wrote the file if it is another one.
 */
export class RecordError extends Error {
  override readonly name = 'RecordError';

  constructor(file: string, line: number | null, problem: string, release?: unknown) {
    super(
      `${printable(file)}${line === null ? '' : `:${line}`}: ${printable(problem + releaseHint(release))}`,
    );
  }
}

/** Returns what to add to a message about a record that another release wrote, which may be the cause. */
export function releaseHint(release: unknown): string {
  if (typeof release !== 'string' || release === VERSION) return '';
  return `; card-sandbox ${shorten(release)} wrote the record, and this is ${VERSION}: use the release that wrote it`;
}

export interface WorldRecord {
  readonly file: string;
  readonly header: RecordHeader;
  /** The lines between the first and the last, with the number of each. */
  readonly lines: readonly { readonly number: number; readonly line: RecordLine }[];
  /** The last line; null when the file was cut short. */
  readonly end: RecordEnd | null;
}

const NEWLINE = 0x0a;
const BEGINNING = 'a record begins with a line {"record": 1, …}';

/**
 * Reads a record, which may be the file of a stranger: at most 256 MiB, in lines of at most 64 MiB. Rejects with a
 * RecordError for what no sandbox writes.
 */
export async function readRecord(file: string): Promise<WorldRecord> {
  let header: RecordHeader | null = null;
  let end: RecordEnd | null = null;
  const lines: { number: number; line: RecordLine }[] = [];
  const order = new LineOrder();
  let release: unknown;
  let number = 0;
  for await (const { text, isWhole } of linesOf(file)) {
    number += 1;
    const fail = (problem: string) => new RecordError(file, number, problem, release);
    if (end !== null) throw fail('stands after the line "end", which is the last');
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      // The last line of a process that was killed may be cut short, and an editor may have taken its end away.
      if (!isWhole && number > 1) break;
      if (!(error instanceof JsonError)) throw error;
      throw fail(header === null ? `${error.message}; ${BEGINNING}` : error.message);
    }
    if (header === null) {
      if (isObject(value) && typeof value.unwritten === 'string')
        throw new RecordError(file, null, `the record could not be written: ${value.unwritten}`);
      release = Object(value).cardSandbox;
      header = checked(Header, value, '', fail);
      continue;
    }
    const line = lineOf(value, fail);
    order.check(line, fail);
    if ('end' in line) end = line.end;
    else lines.push({ number, line });
  }
  if (header === null) throw new RecordError(file, null, `is empty; ${BEGINNING}`);
  return { file, header, lines, end };
}

/** Checks what lines say about those before them. */
class LineOrder {
  #entries = 0;
  #attempts = 0;
  #place = 0;
  /** The entries so far that were not undone, and the number of the first. */
  readonly #kept: Placed[] = [];
  #first: number | null = null;

  check(line: RecordLine, fail: (problem: string) => Error): void {
    const last = this.#kept.at(-1);
    const next = last === undefined ? this.#first : numberOf(last.entry.id) + 1;
    if ('attempt' in line) this.#attempts += 1;
    else if ('entry' in line) {
      this.#entries += 1;
      const number = numberOf(line.entry.id);
      if (next !== null && number !== next) throw fail(`entry.id: must be ent_${next}, the next one`);
      this.#first ??= number;
      this.#kept.push({ entry: line.entry, place: this.#place });
    } else if ('rewind' in line) {
      const { to } = line.rewind;
      if (this.#first === null || (!undo(this.#kept, to) && numberOf(to) !== next))
        throw fail(`rewind.to: there is no entry ${to} before it`);
    } else {
      const { entries, attempts } = line.end;
      if (entries !== this.#entries)
        throw fail(`end.entries: must be ${this.#entries}, the number of entries`);
      if (attempts !== this.#attempts)
        throw fail(`end.attempts: must be ${this.#attempts}, the number of attempts`);
    }
    this.#place += 1;
  }
}

/** An entry with its place among the lines after the header. */
interface Placed {
  readonly entry: RecordEntry;
  readonly place: number;
}

/**
 * Removes the entries that a rewind to one of them undid: those from the first on that began no earlier, which may have
 * been handled while it waited. Returns whether it is there. The entries are numbered without a gap.
 */
function undo(entries: Placed[], to: string): boolean {
  const index = numberOf(to) - numberOf(entries[0]?.entry.id ?? to);
  const target = entries[index];
  if (target === undefined) return false;
  const { order = 0, meanwhile = 0 } = target.entry;
  let first = Math.max(0, index - meanwhile);
  while (first < index) {
    const { place, entry } = entries[first] ?? target;
    if (place >= target.place - meanwhile && (entry.order ?? order) >= order) break;
    first += 1;
  }
  entries.splice(first);
  return true;
}

/** The entries of a record that were not undone by a rewind in it, oldest first, each with the number of its line. */
export function entriesOf({
  lines,
}: WorldRecord): { readonly number: number; readonly entry: RecordEntry }[] {
  const entries: (Placed & { readonly number: number })[] = [];
  for (const [place, { number, line }] of lines.entries()) {
    if ('entry' in line) entries.push({ number, entry: line.entry, place });
    else if ('rewind' in line) undo(entries, line.rewind.to);
  }
  return entries;
}

function lineOf(value: unknown, fail: (problem: string) => Error): RecordLine {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const [name = ''] = names;
  if (names.length !== 1 || !Object.hasOwn(LINES, name)) {
    throw fail(`must be an object with one of the members ${Object.keys(LINES).join(', ')}`);
  }
  // The name is one of the schemas' and selects the type.
  const key = name as keyof typeof LINES;
  const member = (value as Record<string, unknown>)[key];
  return { [key]: checked<unknown>(LINES[key], member, key, fail) } as unknown as RecordLine;
}

function checked<T>(schema: z.ZodType<T>, value: unknown, name: string, fail: (problem: string) => Error): T {
  const { data, error } = schema.safeParse(value, { error: describeIssue });
  if (error === undefined) return data;
  const [issue] = error.issues;
  const path = [name, ...(issue?.path ?? []).map(String)].filter(part => part !== '').join('.');
  throw fail(`${shorten(path || 'line')}: ${issue?.message ?? 'cannot be used'}`);
}

/** Reads the lines of a file. The last one is not whole when it has no end. Rejects with a RecordError. */
async function* linesOf(file: string): AsyncGenerator<{ readonly text: string; readonly isWhole: boolean }> {
  const stats = await lstat(file).catch(error => {
    throw new RecordError(
      file,
      null,
      error.code === 'ENOENT' ? 'there is no such file' : `cannot be read (${error.code})`,
    );
  });
  if (!stats.isFile()) throw new RecordError(file, null, 'is not a regular file');
  if (stats.size > MAX_RECORD_BYTES) {
    throw new RecordError(file, null, `is larger than ${MAX_RECORD_BYTES} bytes, the largest record`);
  }
  let number = 1;
  let chunks: Buffer[] = [];
  let length = 0;
  const take = (isWhole = true): string => {
    const bytes = Buffer.concat(chunks);
    chunks = [];
    length = 0;
    try {
      return decodeText(bytes, number);
    } catch (error) {
      // It may end within a character.
      if (!isWhole && number > 1) return '';
      throw error instanceof EncodingError ? new RecordError(file, number, error.message) : error;
    }
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    // A file that is read as bytes gives buffers.
    let rest = chunk as Buffer;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      chunks.push(rest.subarray(0, at));
      length += at;
      if (length >= MAX_LINE_BYTES) throw tooLong(file, number);
      yield { text: take(), isWhole: true };
      number += 1;
      rest = rest.subarray(at + 1);
    }
    chunks.push(rest);
    length += rest.length;
    if (length >= MAX_LINE_BYTES) throw tooLong(file, number);
  }
  if (length > 0) yield { text: take(false), isWhole: false };
}

function tooLong(file: string, number: number): RecordError {
  return new RecordError(file, number, `is longer than ${MAX_LINE_BYTES} bytes`);
}
