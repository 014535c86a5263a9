import { junitOf } from '../../tools/scenarios/report/junit.ts';
import { printable, printResult } from '../output/print.ts';
import { writeAtomically } from '../output/write-file.ts';
import type { PlayedScenario, ReportFlags } from './play.ts';
import { type PlayedRecords, suiteOfRecords } from './play-records.ts';

/** Why a scenario fails in which no step was compared. */
export const NOTHING_COMPARED =
  'nothing was compared; a step is compared when it has a request, a control call or a webhook';

/** What came of everything that was to be played. */
export interface Results {
  /** Null when there were no records. */
  records: PlayedRecords | null;
  readonly scenarios: PlayedScenario[];
}

export function suitesOf({ records, scenarios }: Results) {
  return [...(records === null ? [] : [suiteOfRecords(records)]), ...scenarios.map(({ suite }) => suite)];
}

/** Writes and prints the reports that the flags ask for. `wanted` is the number of scenarios that were to be played. */
export async function outputReports(
  results: Results,
  wanted: number,
  { junit, json }: ReportFlags,
): Promise<void> {
  if (junit !== undefined) await writeAtomically(junit, junitOf(suitesOf(results)));
  if (json) await printResult(printable(JSON.stringify(documentOf(results, wanted))));
}

function documentOf({ records, scenarios }: Results, wanted: number): unknown {
  if (wanted === 0) return records;
  const reports = scenarios.map(({ report }) => report);
  if (wanted === 1 && records === null) return reports[0];
  const ok = records?.ok !== false && reports.length === wanted && reports.every(each => each.ok);
  return { ...records, ok, scenarios: reports };
}
