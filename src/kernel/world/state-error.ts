import { redactText } from '../journal/redact.ts';
import { shorten } from '../values/shorten.ts';

/** Cap on the problems that one error reports. */
const MAX_PROBLEMS = 20;

/** What is wrong with a state document. Each problem names the place and the rule; keys and card numbers are masked. */
export class StateError extends Error {
  override readonly name = 'StateError';

  /** Reads no more than one problem beyond the cap, so that the search for problems can stop there. */
  constructor(problems: Iterable<string>) {
    const shown = firstProblems(problems);
    const more = shown.length > MAX_PROBLEMS ? ['… and more'] : [];
    super([...shown.slice(0, MAX_PROBLEMS), ...more].map(redactText).join('; '));
  }
}

/** Throws a StateError if there are problems. Stops the search after the first twenty. */
export function throwProblems(problems: Iterable<string>): void {
  const first = firstProblems(problems);
  if (first.length > 0) throw new StateError(first);
}

/** Returns the problems to report, and one more if there are others. */
function firstProblems(problems: Iterable<string>): string[] {
  const first: string[] = [];
  for (const problem of problems) {
    first.push(problem);
    if (first.length > MAX_PROBLEMS) break;
  }
  return first;
}

/** Formats a path into a document, such as `clock.timers[0].kind`. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return text.replace(/^\./, '');
}

/** Formats the place of a row, with its id if it has one, such as `tables.cards[3] (card_9x…)`. */
export function rowPlace(table: string, index: number, row: unknown): string {
  const id =
    typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id : null;
  return `tables.${table}[${index}]${id === null ? '' : ` (${shorten(id)})`}`;
}

/** Quotes a value of the document. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}
