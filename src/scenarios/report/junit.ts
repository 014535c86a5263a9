import { differenceText } from '../play/watcher.ts';
import type { Report, StepResult } from './report.ts';
import { ruleText } from './rules.ts';

/** Formats a report as JUnit XML: one test suite for the scenario, one test case per step. */
export function junitOf({ scenario, failed, skipped, steps, file }: Report): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(3);
  const time = seconds(steps.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const counts = `tests="${steps.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${time}"`;
  const cases = steps.map(step => {
    const name = `${String(step.number).padStart(2, '0')} ${step.heading}`;
    const open = `<testcase classname="${xml(scenario)}" name="${xml(name)}" file="${xml(file)}" time="${seconds(step.durationMs)}"`;
    const result = resultElement(step);
    return result === '' ? `    ${open}/>` : `    ${open}>\n${result}\n    </testcase>`;
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

function resultElement({ status, reason, differences, rule, at }: StepResult): string {
  if (status === 'skipped') return `      <skipped message="${xml(reason ?? '')}"/>`;
  if (status === 'passed') return '';
  const lines = differences.map(differenceText);
  const details = [...lines, ...(rule === null ? [] : [ruleText(rule)]), at];
  return `      <failure message="${xml(lines[0] ?? '')}">${xml(details.join('\n'))}</failure>`;
}

/** Escapes a text for XML and drops characters that XML does not allow. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot represent them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
