import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sighted } from '../../core/journal/coverage.ts';
import type { CoreHooks } from '../../sandbox/sandbox.ts';

/** The variable with the file to which every sandbox of a command adds the conditions that it sees. */
export const COVERAGE_VARIABLE = 'CARD_SANDBOX_COVERAGE';
/** The variable with the folder to which every sandbox of a command writes a log of each of its worlds. */
export const LOGS_VARIABLE = 'CARD_SANDBOX_LOGS';

/** Where the sandboxes of a command note what happens in them; undefined for nowhere. */
export interface NotePlaces {
  readonly coverage?: string | undefined;
  readonly logs?: string | undefined;
}

/** Returns the places that the environment of a process names. */
export function notePlacesIn(environment: Readonly<Record<string, string | undefined>>): NotePlaces {
  return {
    coverage: environment[COVERAGE_VARIABLE] || undefined,
    logs: environment[LOGS_VARIABLE] || undefined,
  };
}

/** Returns the environment that names these places. */
export function noteVariables({ coverage, logs }: NotePlaces): Record<string, string> {
  return {
    ...(coverage !== undefined && { [COVERAGE_VARIABLE]: coverage }),
    ...(logs !== undefined && { [LOGS_VARIABLE]: logs }),
  };
}

/** Returns the hooks of a sandbox that notes what happens in it. Each line is written at once: the process may be killed. */
export function noteHooks({ coverage, logs }: NotePlaces): Pick<CoreHooks, 'onSighting' | 'openLog'> {
  const append = (file: string, line: unknown) =>
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  return {
    ...(coverage !== undefined && {
      onSighting: ({ operation, key, at }) => append(coverage, [operation, key, at]),
    }),
    ...(logs !== undefined && {
      openLog() {
        const file = join(logs, `${randomUUID()}.jsonl`);
        return line => append(file, line);
      },
    }),
  };
}

/** Returns the conditions that a file of sightings holds. */
export function readSightings(text: string): Sighted[] {
  return readLines(text).map(line => {
    // Only sandboxes write the file.
    const [operation, key, at] = line as [string, number | string, string];
    return { operation, key, at };
  });
}

/** Returns the lines of notes. The last one may be cut off. */
export function readLines(text: string): unknown[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
}
