import { maskCutNumber } from '../redaction/card-numbers.ts';

const MAX_LENGTH = 200;

/** Cuts input at 200 characters, for messages that repeat it. Masks a number at the cut. */
export function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${maskCutNumber(text.slice(0, MAX_LENGTH))}…`;
}
