import { type Cause, findCauses } from '../../../tools/exam/causes.ts';
import { detailOf, type Findings, type JsonReport, type Result } from '../../../tools/exam/exam.ts';
import { findFailure } from '../../../tools/exam/failing-lines.ts';
import { endOf } from '../../../tools/exam/judge.ts';
import type { Misbehaviour } from '../../../tools/exam/misbehaviour.ts';
import { type JunitCase, junitOf } from '../../../tools/scenarios/report/junit.ts';
import { colour, lineWidth, printable } from '../../output/print.ts';
import { wrapText } from '../../output/wrap.ts';

const MARGIN = '  ';

export function baselineFailure({ baseline, runs }: Findings): string {
  const lines = findFailure(baseline.output).map(line => `    ${line}`);
  const again =
    runs === 0
      ? ''
      : ' when it was run again; start every run from the same state, for example with an empty database';
  return [`baseline failed: without a misbehaviour, ${endOf(baseline)}${again}`, ...lines].join('\n');
}

/** Formats the findings for people. `isVerbose` lists what was not triggered. */
export function prettyReport(findings: Findings, { summary }: JsonReport, isVerbose: boolean): string {
  const { results, runs, durationMs } = findings;
  const hint = isVerbose || summary.notExercised === 0 ? '' : ' (--verbose says why)';
  return [
    ...findCauses(results).flatMap(causeLines),
    ...remarkLines(results),
    ...(isVerbose ? notExercisedLines(results) : []),
    `${summaryText(summary)}${hint}: ${runs} ${runs === 1 ? 'run' : 'runs'} in ${seconds(durationMs)}`,
  ].join('\n');
}

/** A cause with its results, of which the first is shown in full. */
function causeLines({ title, results, advice }: Cause<Result>): string[] {
  const [shown] = results;
  if (shown === undefined) return [];
  const { id, why } = shown.misbehaviour;
  const width = lineWidth() - MARGIN.length;
  const sentence = (text: string) => wrapText(text, width).map(line => MARGIN + colour.dim(line));
  const [reason = '', ...details] = detailOf(shown);
  return [
    ...wrapText(title, lineWidth()).map(line => colour.bold(line)),
    ...results.map(each => {
      // The other failures are like the one that is shown; what exists twice is not.
      const double = each.verdict === 'applied-twice' && each !== shown ? `: ${printable(each.reason)}` : '';
      return `${MARGIN}${colour.red(each.verdict)} ${each.misbehaviour.id}${double}`;
    }),
    ...[results.length === 1 ? reason : `${id}: ${reason}`, ...details].map(line => MARGIN + printable(line)),
    ...sentence(`Why it happens: ${why}`),
    ...(advice.length === 1
      ? sentence(`What is sound: ${advice[0]}`)
      : ['What is sound:', ...advice.map(each => `- ${each}`)].flatMap(sentence)),
    `${MARGIN}Try it alone: --only ${nameOf(shown)}`,
    '',
  ];
}

function remarkLines(results: readonly Result[]): string[] {
  return linesByText(
    'remarks',
    results.flatMap(result => result.remarks.map(text => ({ text, result }))),
  );
}

function notExercisedLines(results: readonly Result[]): string[] {
  const left = results.filter(({ verdict }) => verdict === 'not-exercised');
  return linesByText(
    'not exercised',
    left.map(result => ({ text: result.reason, result })),
  );
}

/** Returns a section with a line for each text and the misbehaviours that it is about. */
function linesByText(
  title: string,
  items: readonly { readonly text: string; readonly result: Result }[],
): string[] {
  const lines = [...new Set(items.map(({ text }) => text))].flatMap(text => {
    const ids = items.filter(each => each.text === text).map(({ result }) => result.misbehaviour.id);
    return wrapText(`${text}: ${ids.join(', ')}`, lineWidth() - MARGIN.length);
  });
  return lines.length === 0 ? [] : [title, ...lines.map(line => MARGIN + printable(line)), ''];
}

function summaryText(summary: JsonReport['summary']): string {
  const { survived, broke, appliedTwice, accepted, notExercised } = summary;
  return `${survived} survived, ${broke} broke, ${appliedTwice} applied twice, ${accepted} accepted, ${notExercised} not exercised`;
}

/**
 * Formats the findings as JUnit XML: one test case per misbehaviour, and one for the undisturbed run, which has the error
 * of an exam that was stopped or says nothing.
 */
export function junitReport(findings: Findings, error: string | null): string {
  const { baseline, results } = findings;
  const first: JunitCase = {
    classname: 'exam',
    name: 'baseline',
    ms: baseline.durationMs,
    ...(error !== null && { result: { kind: 'error', message: error } }),
    ...(error === null &&
      baseline.code !== 0 && {
        result: { kind: 'error', message: 'baseline failed', text: baselineFailure(findings) },
      }),
  };
  return junitOf([{ name: 'card-sandbox exam', cases: [first, ...results.map(junitCase)] }]);
}

function nameOf({ misbehaviour, together }: Result): string {
  return together?.join('+') ?? misbehaviour.id;
}

function junitCase(result: Result): JunitCase {
  const { misbehaviour, verdict, reason, durationMs: ms } = result;
  const { id, kind, why, sound } = misbehaviour;
  const place = { classname: `exam.${kind}`, name: id, ms };
  if (verdict === 'survived') return place;
  if (verdict === 'not-exercised') return { ...place, result: { kind: 'skipped', message: reason } };
  const text = [...detailOf(result), why, sound, `--only ${nameOf(result)}`].join('\n');
  return { ...place, result: { kind: 'failure', message: `${verdict}: ${reason}`, text } };
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

export function catalogueText(misbehaviours: readonly Misbehaviour[], asJson: boolean): string {
  if (asJson)
    return JSON.stringify(misbehaviours.map(({ id, kind, why, sound }) => ({ id, kind, why, sound })));
  const width = Math.max(...misbehaviours.map(({ id }) => id.length));
  return misbehaviours.map(({ id, kind }) => `${colour.bold(id.padEnd(width))}  ${kind}`).join('\n');
}
