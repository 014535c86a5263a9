import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { STATE_FORMAT } from '../../core/world/state-document.ts';

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
