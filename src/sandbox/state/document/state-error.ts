import { redactText } from '../../../core/redaction/redact.ts';
import type { Steps } from '../../../core/time/turns.ts';
import { shorten } from '../../../core/values/text.ts';

const MAX_PROBLEMS = 20;

/** What is wrong with a state document. Each problem names the place and the rule; keys and card numbers are masked. */
export class StateError extends Error {
  override readonly name = 'StateError';

  constructor(problems: readonly string[]) {
    const more = problems.length > MAX_PROBLEMS ? ['… and more'] : [];
    super([...problems.slice(0, MAX_PROBLEMS), ...more].map(each => redactText(each)).join('; '));
  }
}

export function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new StateError(problems);
}

/**
 * Throws a StateError if there are problems: of each part of a document, or null if it has none. Stops the search once
 * there is one more than an error reports, and yields after each part without a problem, so that the caller can do
 * something else before the next one.
 */
export function* expectNoProblems(findings: Iterable<string | null>): Steps<void> {
  const problems: string[] = [];
  for (const problem of findings) {
    if (problem === null) yield;
    else if (problems.push(problem) > MAX_PROBLEMS) break;
  }
  throwProblems(problems);
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

export function quoted(text: string): string {
  return JSON.stringify(shorten(text));
}
