import { differenceInWords } from '../play/watcher.ts';
import type { Report, StepResult } from './report.ts';
import { ruleInWords } from './rules.ts';

/** A report as JUnit XML, which CI systems show: a suite for the scenario, a case for each step. */
export function junitOf({ scenario, failed, skipped, steps, file }: Report): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(3);
  const time = seconds(steps.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const counts = `tests="${steps.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${time}"`;
  const cases = steps.map(step => {
    const name = `${String(step.number).padStart(2, '0')} ${step.heading}`;
    const open = `<testcase classname="${xml(scenario)}" name="${xml(name)}" file="${xml(file)}" time="${seconds(step.durationMs)}"`;
    const inside = insideOf(step);
    return inside === '' ? `    ${open}/>` : `    ${open}>\n${inside}\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(scenario)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function insideOf({ status, reason, differences, rule, at }: StepResult): string {
  if (status === 'skipped') return `      <skipped message="${xml(reason ?? '')}"/>`;
  if (status === 'passed') return '';
  const lines = differences.map(differenceInWords);
  const told = [...lines, ...(rule === null ? [] : [ruleInWords(rule)]), at];
  return `      <failure message="${xml(lines[0] ?? '')}">${xml(told.join('\n'))}</failure>`;
}

/** Text as XML has it; characters that XML does not know are left out. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
