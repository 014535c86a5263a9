import type { Calibration } from '../../../calibrate/calibrate.ts';
import type { Result, Verdict } from '../../../calibrate/verdict.ts';
import { colour, printable } from '../../output/print.ts';

const PAINTS: Readonly<Record<Verdict, (text: string) => string>> = {
  observed: colour.green,
  contradicted: colour.red,
  unknown: colour.yellow,
};

/** Formats the verdicts for people: those that differ first in detail, then the counts. */
export function verdictTable({ results, summary, leftovers }: Calibration): string {
  const width = Math.max(...results.map(({ id }) => id.length)) + 2;
  const lines = results.map(result => {
    const verdict = PAINTS[result.verdict](result.verdict.padEnd('contradicted'.length + 2));
    return `${result.id.padEnd(width)}${verdict}${printable(remarkOn(result))}`;
  });
  const counts = `${summary.observed} observed, ${summary.contradicted} contradicted, ${summary.unknown} unknown, ${summary.requests} requests`;
  return [...lines, '', counts, ...leftovers.map(each => `not tidied up: ${printable(each)}`)].join('\n');
}

/** What was seen, or what it would take, with the setting that fits. */
export function remarkOn({ evidence: { seen, needs }, setting }: Result): string {
  const fit = setting === undefined ? '' : ` (--assume ${setting.name}=${setting.value})`;
  return (seen ?? `needs ${needs}`) + fit;
}
