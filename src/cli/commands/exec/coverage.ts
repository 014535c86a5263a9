import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Client } from '../../../client/client.ts';
import type { Coverage as CoverageView } from '../../../client/generated/records.ts';
import { coverageOf, summaryOf } from '../../../control/world/coverage.ts';
import { Coverage, type Sighted } from '../../../core/journal/coverage.ts';
import { operations } from '../../../sandbox/operations.ts';
import { COVERAGE_VARIABLE, readSightings } from '../../../server/in-process/sightings.ts';
import { assumptions } from '../../../service/assumptions/register.ts';
import { progress } from '../../output/print.ts';

/** The conditions that a command shows, in whatever process, sandbox and world. */
export class CommandCoverage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'card-sandbox-coverage-'));
  readonly #file = join(this.#folder, 'sightings.jsonl');
  /** The variable by which every sandbox of the command finds the file to which it adds what it sees. */
  readonly variables = { [COVERAGE_VARIABLE]: this.#file };

  /** Returns what was seen. `lent` is a world of another process, which adds nothing to the file. */
  async read(lent: Client | null): Promise<CoverageView> {
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '';
    const own = coverageOfSightings(readSightings(text));
    if (lent === null) return own;
    // The sandbox checks its responses against its schemas, from which the type is generated.
    const { body } = await lent.control({ method: 'GET', path: '/coverage' });
    const added = new Map((body as CoverageView).conditions.map(each => [each.id, each]));
    const conditions = own.conditions.map(each => {
      const other = added.get(each.id);
      const firstAt = [each.firstAt, other?.firstAt ?? null].filter(at => at !== null).sort()[0] ?? null;
      return { ...each, count: each.count + (other?.count ?? 0), firstAt };
    });
    return { conditions, summary: summaryOf(conditions) };
  }

  /** Removes the file. */
  release(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the coverage of what several sandboxes have seen. */
function coverageOfSightings(sightings: Iterable<Sighted>): CoverageView {
  const coverage = new Coverage();
  for (const sighted of sightings) coverage.add(sighted);
  return coverageOf({ operations, assumptions, coverage });
}

/** What is asked of a coverage. */
export interface CoverageFlags {
  /** The file for the JSON; true for none. */
  readonly coverage?: string | true | undefined;
  /** In percent of the documented conditions. */
  readonly minCoverage?: number | undefined;
}

/** Prints what was not seen, the documented first, and writes the JSON. Returns whether enough was seen. */
export function reportCoverage(view: CoverageView, { coverage: file, minCoverage }: CoverageFlags): boolean {
  const unseen = view.conditions.filter(({ count }) => count === 0);
  const lines = (['documented', 'assumed'] as const).flatMap(fidelity =>
    unseen
      .filter(each => each.fidelity === fidelity)
      .map(({ id, section }) => `  ${id} (${fidelity}, ${section})`),
  );
  const { seen, of } = view.summary.documented;
  const percent = (100 * seen) / of;
  progress(`coverage: ${seen} of ${of} documented conditions (${percent.toFixed(1)} %)`);
  progress(lines.length === 0 ? 'every condition was seen' : ['not seen:', ...lines].join('\n'));
  if (typeof file === 'string') writeFileSync(file, `${JSON.stringify(view, null, 2)}\n`);
  if (minCoverage === undefined || percent >= minCoverage) return true;
  progress(`the coverage is below the --min-coverage of ${minCoverage} %`);
  return false;
}

/** Parses a share in percent. */
export function percentage(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 100) return number;
  throw new InvalidArgumentError('It must be a number from 0 to 100.');
}
