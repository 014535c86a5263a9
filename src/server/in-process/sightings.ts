import { appendFileSync } from 'node:fs';
import type { Sighted } from '../../core/journal/coverage.ts';

/** The variable with the file to which every sandbox of a command adds the conditions that it sees. */
export const COVERAGE_VARIABLE = 'CARD_SANDBOX_COVERAGE';

/** Returns what adds each condition to a file, one line each; undefined without a file. */
export function sightingsIn(file: string | undefined): ((sighted: Sighted) => void) | undefined {
  if (file === undefined || file === '') return undefined;
  return ({ operation, key, at }) => appendFileSync(file, `${JSON.stringify([operation, key, at])}\n`);
}

/** Returns the conditions of such a file. The last line may be cut off. */
export function readSightings(text: string): Sighted[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map(line => {
    // Only sandboxes write the file.
    const [operation, key, at] = JSON.parse(line) as [string, number | string, string];
    return { operation, key, at };
  });
}
