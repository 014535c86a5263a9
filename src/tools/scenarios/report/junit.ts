import { printable } from '../../../core/values/text.ts';
import { differenceText } from '../play/matching.ts';
import type { Report, StepResult } from './report.ts';
import { ruleText } from './report.ts';

export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly file?: string;
  readonly ms: number;
  /** Missing for one that passed. `text` is missing for one that was skipped. */
  readonly result?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly message: string;
    readonly text?: string;
  };
}

export type UnplayedStep = Pick<StepResult, 'number' | 'heading'>;

/**
 * Formats a report as JUnit XML: one test suite for the scenario, one test case per step. Steps that were not played are
 * skipped. If the run was stopped, or compared nothing, one more test case with an error says so.
 */
export function junitOf(report: Report, isStopped = false, unplayed: readonly UnplayedStep[] = []): string {
  const { scenario, steps, file } = report;
  const caseOf = ({ number, heading }: UnplayedStep) => ({
    classname: scenario,
    name: `${String(number).padStart(2, '0')} ${heading}`,
    file,
    ms: 0,
  });
  const played = steps.map(step => ({ ...caseOf(step), ms: step.durationMs, ...resultOf(step) }));
  const reason = isStopped ? 'the run was stopped' : 'a step before it failed';
  const skipped = { kind: 'skipped', message: `not played: ${reason}` } as const;
  const cases: JunitCase[] = [...played, ...unplayed.map(step => ({ ...caseOf(step), result: skipped }))];
  const error = errorBeside(report, isStopped);
  if (error === null) return junitSuite(scenario, cases);
  const { name, message } = error;
  return junitSuite(scenario, [
    ...cases,
    { classname: scenario, name, file, ms: 0, result: errorOf(message) },
  ]);
}

/** Returns the error of a report that none of its steps has. */
function errorBeside({ left, passed, failed, steps }: Report, isStopped: boolean) {
  if (isStopped)
    return {
      name: 'Steps that were not played',
      message: `the run was stopped; ${left} steps were not played`,
    };
  if (passed > 0 || failed > 0) return null;
  const reason = steps.find(({ status }) => status === 'skipped')?.reason;
  const why = reason ? `; the first step was skipped: ${reason}` : '';
  return { name: 'Comparison', message: `nothing was compared${why}` };
}

/** Formats an error that left nothing to report as JUnit XML: one test case with an `<error>`. */
export function junitOfError(scenario: string, message: string): string {
  const result = errorOf(message);
  return junitSuite(scenario, [{ classname: scenario, name: 'run', file: scenario, ms: 0, result }]);
}

export function junitSuite(name: string, cases: readonly JunitCase[]): string {
  const count = (kind: string) => cases.filter(({ result }) => result?.kind === kind).length;
  const results = `failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  const ms = cases.reduce((sum, each) => sum + each.ms, 0);
  const counts = `tests="${cases.length}" ${results} time="${seconds(ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...cases.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ classname, name, file, ms, result }: JunitCase): string {
  const place = file === undefined ? '' : ` file="${xml(file)}"`;
  const open = `<testcase classname="${xml(classname)}" name="${xml(name)}"${place} time="${seconds(ms)}"`;
  if (result === undefined) return `    ${open}/>`;
  const { kind, message, text } = result;
  const begin = `<${kind} message="${xml(message)}"`;
  const element = text === undefined ? `${begin}/>` : `${begin}>${xml(text)}</${kind}>`;
  return `    ${open}>\n      ${element}\n    </testcase>`;
}

function resultOf({ status, reason, differences, rule, at }: StepResult): Pick<JunitCase, 'result'> {
  if (status === 'skipped') return { result: { kind: 'skipped', message: reason ?? '' } };
  if (status === 'passed') return {};
  const lines = differences.map(differenceText);
  const details = [...lines, ...(rule === null ? [] : [ruleText(rule)]), at];
  return { result: { kind: 'failure', message: lines[0] ?? '', text: details.join('\n') } };
}

function errorOf(message: string) {
  return { kind: 'error', message: message.split('\n', 1)[0] ?? '', text: message } as const;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** Escapes a text for XML, drops what XML does not allow, and shows what would reorder or hide text on a terminal. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot represent them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '')
      .replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, printable)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
