import { appendFileSync } from 'node:fs';
import type { Sighted } from '../../core/journal/coverage.ts';
import type { CoreHooks } from '../../sandbox/sandbox.ts';

/** The variable with the file to which every sandbox of a command adds the conditions that it sees. */
export const COVERAGE_VARIABLE = 'CARD_SANDBOX_COVERAGE';

/**
 * Returns the hooks of a sandbox that adds the conditions that it sees to the file that the environment names, if any. Each
 * line is written at once: the process may be killed.
 */
export function sightingHooks(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<CoreHooks, 'onSighting'> {
  const file = environment[COVERAGE_VARIABLE] ?? '';
  if (file === '') return {};
  return {
    onSighting: ({ operation, key, at }) =>
      appendFileSync(file, `${JSON.stringify([operation, key, at])}\n`, { mode: 0o600 }),
  };
}

/** Returns the conditions that a file of sightings holds. Its last line may be cut off. */
export function readSightings(text: string): Sighted[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => {
      // Only sandboxes write the file.
      const [operation, key, at] = JSON.parse(line) as [string, number | string, string];
      return { operation, key, at };
    });
}
