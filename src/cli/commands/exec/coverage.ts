import type { Coverage as CoverageView } from '../../../client/generated/records.ts';
import { conditionsOf, summaryOf } from '../../../control/world/coverage.ts';
import { describeRule } from '../../../control/world/requests.ts';
import { operations } from '../../../sandbox/operations.ts';
import { assumptions } from '../../../service/assumptions/register.ts';
import { progress } from '../../output/print.ts';
import type { RunRecord } from './run-records.ts';

export function coverageOfRecords(records: readonly RunRecord[]): CoverageView {
  const counts = new Map<string, number>();
  const times = new Map<string, string>();
  for (const { end } of records) {
    for (const [id, count] of Object.entries(end?.coverage ?? {})) {
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
    for (const [id, at] of Object.entries(end?.firstAt ?? {})) {
      if (at < (times.get(id) ?? '~')) times.set(id, at);
    }
  }
  const conditions = conditionsOf(operations).map(({ id, kind, rule }) => {
    const { fidelity, section } = describeRule({ assumptions }, rule);
    return { id, kind, section, fidelity, count: counts.get(id) ?? 0, firstAt: times.get(id) ?? null };
  });
  return { conditions, summary: summaryOf(conditions) };
}

/** Says which records were cut short, so that what they saw is not counted. */
export function reportUnended(records: readonly RunRecord[]): void {
  const names = records.filter(({ end }) => end === null).map(({ activity }) => activity.name);
  if (names.length === 0) return;
  progress(`not counted, because their records were cut short: ${listOf(names)}`);
}

const MAX_NAMES = 5;

export function listOf(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

export interface CoverageFlags {
  /** The file for the JSON; true for none. */
  readonly coverage?: string | true | undefined;
  readonly minCoverage?: number | undefined;
}

type Condition = CoverageView['conditions'][number];

/**
 * A line for each operation, one for events and one for all others: the documented conditions, and then the assumed ones.
 * Lines with a documented one are first.
 */
function tableOf(conditions: readonly Condition[]): string[] {
  const operationOf = ({ id, kind }: Condition) => (kind === 'other' ? kind : id.replace(/ .*/, ''));
  const rows = [...new Set(conditions.map(operationOf))].map(operation => {
    const shown = (fidelity: Condition['fidelity']) =>
      conditions
        .filter(each => operationOf(each) === operation && each.fidelity === fidelity)
        .map(({ id, section }) => `${id.replace(`${operation} `, '')} (${section})`)
        .join(', ');
    const [documented, assumed] = [shown('documented'), shown('assumed')];
    const parts = [documented, assumed && `assumed: ${assumed}`].filter(Boolean);
    return { isDocumented: documented !== '', text: `  ${operation}: ${parts.join('; ')}` };
  });
  return [true, false].flatMap(first =>
    rows.filter(({ isDocumented }) => isDocumented === first).map(({ text }) => text),
  );
}

/** Prints what was not seen of each operation, the documented first. Returns whether enough was seen. */
export function reportCoverage({ conditions, summary }: CoverageView, minCoverage = 0): boolean {
  const unseen = conditions.filter(({ count }) => count === 0);
  const lines = tableOf(unseen);
  const { seen, of } = summary.documented;
  const percent = (100 * seen) / of;
  progress(`coverage: ${seen} of ${of} documented conditions (${percent.toFixed(1)} %)`);
  progress(lines.length === 0 ? 'every condition was seen' : ['not seen:', ...lines].join('\n'));
  if (percent < minCoverage) progress(`the coverage is below the --min-coverage of ${minCoverage} %`);
  return percent >= minCoverage;
}
