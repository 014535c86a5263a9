import type { Examination, Finding } from './doctor-findings.ts';
import { colour, lineWidth, printable } from './output.ts';

const EXPECTED = { accept: 'accepted', refuse: 'refused' } as const;
const MARKS = {
  passed: colour.green('ok  '),
  doubtful: colour.yellow('hm  '),
  failed: colour.red('FAIL'),
} as const;

/** An examination for programs. */
export function reportForPrograms(url: string, { grade, findings, diagnoses }: Examination) {
  const probes = findings.map(({ probe, verdict, status, cause, durationMs }) => ({
    ...{ id: probe.id, title: probe.title, expected: EXPECTED[probe.expected], needed: probe.isNeeded },
    ...{ verdict, status, cause, durationMs, why: probe.why },
  }));
  return { url, grade, passed: !hasFailed(findings), diagnoses, probes };
}

/** The same for people: a line for each probe with why it matters below it, then the grade. */
export function reportForPeople(url: string, { grade, findings, diagnoses }: Examination): string {
  const title = Math.max(...findings.map(({ probe }) => probe.title.length));
  const isWide = lineWidth() >= title + 60;
  const rows = findings.flatMap(({ probe, verdict, got, durationMs }) => {
    const expected = `to be ${EXPECTED[probe.expected]}`;
    const took = `${printable(got)}, ${Math.round(durationMs)} ms`;
    const head = isWide
      ? [`${MARKS[verdict]}  ${probe.title.padEnd(title)}  ${colour.dim(expected.padEnd(14))}  ${took}`]
      : [`${MARKS[verdict]}  ${probe.title}`, `      ${expected}`, `      ${took}`];
    return [...head, colour.dim(`      ${probe.why}`)];
  });
  const paint = grade === 'A' ? colour.green : grade === 'B' || grade === 'C' ? colour.yellow : colour.red;
  return [
    colour.bold(printable(url)),
    '',
    ...rows,
    '',
    ...diagnoses.map(each => printable(each)),
    `Grade ${paint(grade)}: ${inWords(findings)}`,
  ].join('\n');
}

function inWords(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']) => findings.filter(each => each.verdict === verdict).length;
  const parts = [
    `${count('passed')} of ${findings.length} as they should be`,
    ...(count('doubtful') > 0 ? [`${count('doubtful')} doubtful`] : []),
    ...(count('failed') > 0 ? [`${count('failed')} wrong`] : []),
  ];
  return parts.join(', ');
}

/** Whether a receiver did what it must not do. */
export function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict }) => verdict === 'failed');
}
