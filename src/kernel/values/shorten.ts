const MAX_LENGTH = 200;

/** Cuts input at 200 characters, for messages that repeat it. */
export function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
