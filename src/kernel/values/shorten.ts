const LONGEST = 200;

/** What people sent, as a message repeats it: cut where it is longer than anyone reads. */
export function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
