import { maskCutNumber } from '../redaction/card-numbers.ts';

const MAX_LENGTH = 200;

/** Cuts input at 200 characters, for messages that repeat it. Masks a number at the cut. */
export function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${maskCutNumber(beginningOf(text, MAX_LENGTH))}…`;
}

/** Returns at most `length` code units of a text, without half of a character at the end. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Makes untrusted text safe to print. Control characters, and invisible characters that reorder or hide text, become
 * JSON escapes, so that JSON keeps its meaning.
 */
export function printable(text: string): string {
  // The fast path for most lines of a log.
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, character =>
    character.split('').map(escapeUnit).join(''),
  );
}

/** Makes untrusted text of several lines safe to print, like `printable`, and keeps its line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns a text as one word for a POSIX shell, in single quotes. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns a text as one word for a POSIX shell, in single quotes only if it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
