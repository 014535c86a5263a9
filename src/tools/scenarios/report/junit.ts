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

/** The test cases of a scenario, of the records that were played, or of an exam. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

export type UnplayedStep = Pick<StepResult, 'number' | 'heading'>;

/**
 * Returns the test suite of a scenario, with one test case per step. Steps that were not played are skipped. If the run was
 * stopped, or compared nothing, one more test case with an error says so.
 */
export function suiteOf(
  report: Report,
  isStopped = false,
  unplayed: readonly UnplayedStep[] = [],
): JunitSuite {
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
  if (error === null) return { name: scenario, cases };
  const last = { classname: scenario, name: error.name, file, ms: 0, result: errorOf(error.message) };
  return { name: scenario, cases: [...cases, last] };
}

/** Returns the error of a report that none of its steps has. */
function errorBeside({ left, compared, failed, steps }: Report, isStopped: boolean) {
  if (isStopped)
    return {
      name: 'Steps that were not played',
      message: `the run was stopped; ${left} steps were not played`,
    };
  if (compared > 0 || failed > 0) return null;
  const reason = steps.find(({ status }) => status === 'skipped')?.reason;
  const why = reason ? `; the first step was skipped: ${reason}` : '';
  return { name: 'Comparison', message: `nothing was compared${why}` };
}

/** Returns the test suite of an error that left nothing to report: one test case with an `<error>`. */
export function suiteOfError(scenario: string, message: string): JunitSuite {
  const result = errorOf(message);
  return { name: scenario, cases: [{ classname: scenario, name: 'run', file: scenario, ms: 0, result }] };
}

/** Formats test suites as JUnit XML. */
export function junitOf(suites: readonly JunitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${xml(name)}" ${countsOf(cases)}>`,
      ...cases.map(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(cases: readonly JunitCase[]): string {
  const count = (kind: string) => cases.filter(({ result }) => result?.kind === kind).length;
  const results = `failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  const ms = cases.reduce((sum, each) => sum + each.ms, 0);
  return `tests="${cases.length}" ${results} time="${seconds(ms)}"`;
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
