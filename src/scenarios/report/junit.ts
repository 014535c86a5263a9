import { differenceText } from '../play/watcher.ts';
import type { Report, StepResult } from './report.ts';
import { ruleText } from './rules.ts';

/** The counts in a test suite. */
interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly ms: number;
}

/**
 * Formats a report as JUnit XML: one test suite for the scenario, one test case per step. Steps that were not played
 * because the run was stopped are one test case with an error.
 */
export function junitOf({ scenario, failed, skipped, left, steps, file }: Report, isStopped = false): string {
  const cases = steps.map(step => {
    const name = `${String(step.number).padStart(2, '0')} ${step.heading}`;
    return testCase({ scenario, name, file, ms: step.durationMs }, resultElement(step));
  });
  if (isStopped) {
    const result = errorElement(`the run was stopped; ${left} steps were not played`);
    cases.push(testCase({ scenario, name: 'Steps that were not played', file, ms: 0 }, result));
  }
  const ms = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return suite(
    scenario,
    { tests: cases.length, failures: failed, errors: isStopped ? 1 : 0, skipped, ms },
    cases,
  );
}

/** Formats an error that left nothing to report as JUnit XML: one test case with an `<error>`. */
export function junitOfError(scenario: string, message: string): string {
  const only = testCase({ scenario, name: 'run', file: scenario, ms: 0 }, errorElement(message));
  return suite(scenario, { tests: 1, failures: 0, errors: 1, skipped: 0, ms: 0 }, [only]);
}

function suite(
  name: string,
  { tests, failures, errors, skipped, ms }: Counts,
  cases: readonly string[],
): string {
  const counts = `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds(ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Where a test case belongs. */
interface CasePlace {
  readonly scenario: string;
  readonly name: string;
  readonly file: string;
  readonly ms: number;
}

function testCase({ scenario, name, file, ms }: CasePlace, result: string): string {
  const open = `<testcase classname="${xml(scenario)}" name="${xml(name)}" file="${xml(file)}" time="${seconds(ms)}"`;
  return result === '' ? `    ${open}/>` : `    ${open}>\n${result}\n    </testcase>`;
}

function resultElement({ status, reason, differences, rule, at }: StepResult): string {
  if (status === 'skipped') return `      <skipped message="${xml(reason ?? '')}"/>`;
  if (status === 'passed') return '';
  const lines = differences.map(differenceText);
  const details = [...lines, ...(rule === null ? [] : [ruleText(rule)]), at];
  return `      <failure message="${xml(lines[0] ?? '')}">${xml(details.join('\n'))}</failure>`;
}

function errorElement(message: string): string {
  return `      <error message="${xml(message.split('\n', 1)[0] ?? '')}">${xml(message)}</error>`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
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
