import type { Assessment, Finding } from '../../../tools/doctor/doctor.ts';
import { colour, lineWidth, printable } from '../../output/print.ts';
import { wrapText } from '../../output/wrap.ts';

const EXPECTED = { accept: 'accepted', refuse: 'refused' } as const;
const MARKS = {
  passed: colour.green('ok  '),
  doubtful: colour.yellow('hm  '),
  failed: colour.red('FAIL'),
} as const;

const MARGIN = 6;

export function jsonReport(url: string, { grade, findings, diagnoses }: Assessment) {
  const probes = findings.map(({ probe, verdict, status, cause, durationMs }) => ({
    id: probe.id,
    title: probe.title,
    expected: EXPECTED[probe.expected],
    needed: probe.isRequired,
    verdict,
    status,
    cause,
    durationMs,
    why: probe.why,
  }));
  return { url, grade, passed: !hasFailed(findings), diagnoses, probes };
}

/**
 * Formats the report for people: one line per probe, with the expected outcome and the reason below those that did not
 * pass, then the diagnoses and the grade.
 */
export function prettyReport(url: string, { grade, findings, diagnoses }: Assessment): string {
  const width = lineWidth();
  const title = Math.max(...findings.map(({ probe }) => probe.title.length));
  const longest = Math.max(...findings.map(finding => MARGIN + title + 2 + outcomeText(finding).length));
  const isWide = longest <= width;
  const below = (text: string) => wrapText(text, width - MARGIN).map(line => ' '.repeat(MARGIN) + line);
  const rows = findings.flatMap(finding => {
    const { probe, verdict } = finding;
    const head = isWide ? `${probe.title.padEnd(title)}  ${outcomeText(finding)}` : probe.title;
    const why = `Must be ${EXPECTED[probe.expected]}. ${probe.why}`;
    return [
      `${MARKS[verdict]}  ${head}`,
      ...(isWide ? [] : below(outcomeText(finding))),
      ...(verdict === 'passed' ? [] : below(why).map(line => colour.dim(line))),
    ];
  });
  const paint = grade === 'A' ? colour.green : grade === 'B' || grade === 'C' ? colour.yellow : colour.red;
  return [
    colour.bold(printable(url)),
    '',
    ...rows,
    '',
    ...diagnoses.flatMap(each => wrapText(printable(each), width)),
    ...(diagnoses.length === 0 ? [] : ['']),
    `Grade ${paint(grade)}: ${summary(findings)}`,
  ].join('\n');
}

function outcomeText({ outcome, durationMs }: Finding): string {
  return `${printable(outcome)}, ${Math.round(durationMs)} ms`;
}

function summary(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter(each => each.verdict === verdict).length;
  const parts = [
    `${count('passed')} of ${findings.length} passed`,
    ...(count('doubtful') > 0 ? [`${count('doubtful')} doubtful`] : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
  ];
  return parts.join(', ');
}

export function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict }) => verdict === 'failed');
}
