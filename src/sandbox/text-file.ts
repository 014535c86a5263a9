import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { decodeText, EncodingError } from '../core/values/decode-text.ts';
import { errorCode } from '../core/values/is-error.ts';

const MIB = 1024 * 1024;
/** Cap on the size of a file where the caller sets none. */
const MAX_BYTES = 64 * MIB;

const FOLDER = 'is a folder; name a file in it';
const NOT_REGULAR = 'is not a regular file; copy its content into one';
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: FOLDER,
  EACCES: 'permission denied; change its permissions',
  EPERM: 'permission denied; change its permissions',
  ENXIO: NOT_REGULAR,
};

/** A file that cannot be read as text. The message is the reason without the name of the file. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';
  /** The code of the system error, such as `ENOENT`; empty for any other reason. */
  readonly code: string;

  constructor(reason: string, code = '') {
    super(reason);
    this.code = code;
  }
}

/**
 * Reads a file that a person has named, or that was found in a folder. Returns its text without a byte order mark. Throws
 * a TextFileError for a file that is missing, larger than `maxBytes` or not UTF-8, and for what is not a regular file:
 * reading a pipe or a device could take forever.
 */
export function readTextFile(path: string, maxBytes = MAX_BYTES): string {
  const bytes = readBytes(path, maxBytes);
  try {
    return decodeText(bytes);
  } catch (error) {
    throw error instanceof EncodingError ? new TextFileError(error.message) : error;
  }
}

function readBytes(path: string, maxBytes: number): Buffer {
  let descriptor: number | undefined;
  try {
    // Opening a pipe without O_NONBLOCK, which Windows lacks, waits for its writer.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new TextFileError(stats.isDirectory() ? FOLDER : NOT_REGULAR);
    if (stats.size > maxBytes)
      throw new TextFileError(`is larger than ${maxBytes / MIB} MiB, which is the limit`);
    return readFileSync(descriptor);
  } catch (error) {
    if (error instanceof TextFileError) throw error;
    const code = errorCode(error);
    throw new TextFileError(REASONS[code] ?? `cannot be read (${code || error})`, code);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The rule that the record of a world breaks where a state or another JSON document is needed. */
export const RECORD_RULE = 'is the record of a world; card-sandbox open shows it, and run plays it';

export function isRecordText(text: string): boolean {
  return /^\s*\{\s*"record"\s*:/.test(text);
}
