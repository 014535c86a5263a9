import { Buffer, isUtf8 } from 'node:buffer';

/** Bytes that are not UTF-8. The message says what they are, or where. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** Drops a byte order mark. Throws an EncodingError that names the first byte that is not UTF-8. */
export function decodeText(bytes: Buffer, firstLine = 1): string {
  const isUtf16 = /^(?:fffe|feff|00|..00)/.test(bytes.toString('hex', 0, 2));
  if (isUtf16) throw new EncodingError('is encoded as UTF-16; save it as UTF-8');
  if (!isUtf8(bytes))
    throw new EncodingError(`is not UTF-8 ${invalidPlace(bytes, firstLine)}; save it as UTF-8`);
  const text = bytes.toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Returns the place of the first byte that is not UTF-8. No character of several bytes contains a line break. */
function invalidPlace(bytes: Buffer, firstLine: number): string {
  let line = firstLine;
  let start = 0;
  for (let end = bytes.indexOf('\n'); end !== -1 && isUtf8(bytes.subarray(start, end)); line++) {
    start = end + 1;
    end = bytes.indexOf('\n', start);
  }
  let at = start;
  let column = 1;
  for (const character of bytes.subarray(start).toString()) {
    const encoded = Buffer.from(character);
    if (!bytes.subarray(at, at + encoded.length).equals(encoded)) break;
    at += encoded.length;
    column += 1;
  }
  return `at line ${line}, column ${column} (byte 0x${bytes.toString('hex', at, at + 1)})`;
}
