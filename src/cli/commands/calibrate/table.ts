import { type Calibration, NO_PROBE } from '../../../tools/calibrate/calibrate.ts';
import type { Result, Verdict } from '../../../tools/calibrate/verdict.ts';
import { colour, printable } from '../../output/print.ts';

const GAP = 2;
const ORDER: readonly Verdict[] = ['observed', 'unknown', 'contradicted'];
const PAINTS: Readonly<Record<Verdict, (text: string) => string>> = {
  observed: colour.green,
  contradicted: colour.red,
  unknown: colour.yellow,
};

/** Formats the verdicts for people, contradictions last, where they are seen first. Lists entries without a probe only once. */
export function verdictTable({ results, summary }: Calibration): string {
  const withoutProbe = results.filter(({ evidence }) => evidence.needs === NO_PROBE).map(({ id }) => id);
  const probed = results.filter(({ id }) => !withoutProbe.includes(id));
  const width = Math.max(...probed.map(({ id }) => id.length)) + GAP;
  const lines = ORDER.flatMap(verdict =>
    probed
      .filter(each => each.verdict === verdict)
      .map(result => {
        const word = PAINTS[verdict](verdict.padEnd('contradicted'.length + GAP));
        return `${result.id.padEnd(width)}${word}${printable(remarkOn(result))}`;
      }),
  );
  const counts = `${summary.observed} observed, ${summary.contradicted} contradicted, ${summary.unknown} unknown, ${summary.requests} requests`;
  return [
    ...lines,
    '',
    ...(withoutProbe.length > 0 ? [`without a probe: ${withoutProbe.join(', ')}`, ''] : []),
    counts,
  ].join('\n');
}

/** What was seen, or what it would take, with the setting that fits. */
export function remarkOn({ evidence: { seen, needs }, setting }: Result): string {
  const fit = setting === undefined ? '' : ` (--assume ${setting.name}=${setting.value})`;
  return (seen ?? `needs ${needs}`) + fit;
}
