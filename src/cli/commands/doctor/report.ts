import { colour, lineWidth, printable } from '../../output/print.ts';
import { wrapped } from '../../output/wrap.ts';
import type { Examination, Finding } from './findings.ts';

const EXPECTED = { accept: 'accepted', refuse: 'refused' } as const;
const MARKS = {
  passed: colour.green('ok  '),
  doubtful: colour.yellow('hm  '),
  failed: colour.red('FAIL'),
} as const;

/** Where the text begins, behind the marks. */
const MARGIN = 6;

/** An examination for programs. */
export function reportForPrograms(url: string, { grade, findings, diagnoses }: Examination) {
  const probes = findings.map(({ probe, verdict, status, cause, durationMs }) => ({
    ...{ id: probe.id, title: probe.title, expected: EXPECTED[probe.expected], needed: probe.isNeeded },
    ...{ verdict, status, cause, durationMs, why: probe.why },
  }));
  return { url, grade, passed: !hasFailed(findings), diagnoses, probes };
}

/**
 * The same for people: a line for each probe; below what is not as it should be, what it should be and why. Then what
 * is wrong with the receiver, and the grade.
 */
export function reportForPeople(url: string, { grade, findings, diagnoses }: Examination): string {
  const width = lineWidth();
  const title = Math.max(...findings.map(({ probe }) => probe.title.length));
  const longest = Math.max(...findings.map(finding => MARGIN + title + 2 + outcome(finding).length));
  const isWide = longest <= width;
  const below = (text: string) => wrapped(text, width - MARGIN).map(line => ' '.repeat(MARGIN) + line);
  const rows = findings.flatMap(finding => {
    const { probe, verdict } = finding;
    const head = isWide ? `${probe.title.padEnd(title)}  ${outcome(finding)}` : probe.title;
    const why = `It is to be ${EXPECTED[probe.expected]}. ${probe.why}`;
    return [
      `${MARKS[verdict]}  ${head}`,
      ...(isWide ? [] : below(outcome(finding))),
      ...(verdict === 'passed' ? [] : below(why).map(line => colour.dim(line))),
    ];
  });
  const paint = grade === 'A' ? colour.green : grade === 'B' || grade === 'C' ? colour.yellow : colour.red;
  return [
    colour.bold(printable(url)),
    '',
    ...rows,
    '',
    ...diagnoses.flatMap(each => wrapped(printable(each), width)),
    ...(diagnoses.length === 0 ? [] : ['']),
    `Grade ${paint(grade)}: ${inWords(findings)}`,
  ].join('\n');
}

function outcome({ got, durationMs }: Finding): string {
  return `${printable(got)}, ${Math.round(durationMs)} ms`;
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
