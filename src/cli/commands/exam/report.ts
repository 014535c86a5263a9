import { relative } from 'node:path';
import { type Cause, findCauses } from '../../../tools/exam/causes.ts';
import { detailOf, type Findings, type JsonReport, type Result } from '../../../tools/exam/exam.ts';
import { findFailure } from '../../../tools/exam/failing-lines.ts';
import { endOf, isFinding } from '../../../tools/exam/judge.ts';
import type { Misbehaviour } from '../../../tools/exam/misbehaviour.ts';
import { type JunitCase, junitSuite } from '../../../tools/scenarios/report/junit.ts';
import { colour, lineWidth, printable } from '../../output/print.ts';
import { wrapText } from '../../output/show.ts';

const MARGIN = '  ';
const LIST_MARGIN = '    ';

/** What reports need besides the findings. */
export interface ReportContext {
  /** The command as it was typed. */
  readonly command: string;
  /** Returns the command line that tries a misbehaviour alone, or two as `ID+ID`. */
  readonly repeat: (name: string) => string;
  /** Whether what was not triggered is listed. */
  readonly isVerbose: boolean;
}

/** The message about an undisturbed run that failed. */
export function baselineFailure({ baseline }: Findings): string {
  const lines = findFailure(baseline.output).lines.map(line => `    ${line}`);
  return [`baseline failed: without a misbehaviour, ${endOf(baseline)}`, ...lines].join('\n');
}

/** Formats the findings for people. */
export function prettyReport(findings: Findings, { summary }: JsonReport, context: ReportContext): string {
  const { results, runs, durationMs } = findings;
  return [
    ...findCauses(results).flatMap(cause => causeLines(cause, context)),
    ...remarkLines(results),
    ...(context.isVerbose ? notExercisedLines(results) : []),
    `${summaryText(summary)}: ${runs} runs in ${seconds(durationMs)}`,
  ].join('\n');
}

/** A cause with its results, of which the first is shown in full. */
function causeLines({ title, results, advice }: Cause<Result>, { repeat }: ReportContext): string[] {
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
    `${MARGIN}Try it alone: ${printable(repeat(nameOf(shown)))}`,
    '',
  ];
}

/** What differed from the undisturbed run without being a finding. */
function remarkLines(results: readonly Result[]): string[] {
  return linesByText(
    'remarks',
    results.flatMap(result => result.remarks.map(text => ({ text, result }))),
  );
}

/** The misbehaviours that were not triggered, by their reasons. */
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

/** Returns the counts in words. */
export function summaryText(summary: JsonReport['summary']): string {
  const { survived, broke, appliedTwice, accepted, notExercised } = summary;
  return `${survived} survived, ${broke} broke, ${appliedTwice} applied twice, ${accepted} accepted, ${notExercised} not exercised`;
}

/** Formats the findings as Markdown, for the summary of a job. */
export function markdownReport(
  { results, baseline }: Findings,
  { summary }: JsonReport,
  { command, repeat }: ReportContext,
): string {
  const found = results.filter(isFinding);
  const isSound = baseline.code === 0 && found.length === 0;
  const title = baseline.code === 0 ? summaryText(summary) : 'baseline failed';
  const rows = findCauses(results).map(cause => {
    const ids = cause.results.map(each => `\`${each.misbehaviour.id}\``);
    const verdicts = [...new Set(cause.results.map(({ verdict }) => verdict))];
    const cells = [cause.title, cause.advice.join(' ')].map(cell);
    return `| ${[ids.join(', '), verdicts.join(', '), ...cells].join(' | ')} |`;
  });
  const [first] = found;
  return [
    `## ${isSound ? '✅' : '❌'} card-sandbox exam: ${title}`,
    '',
    `\`${command.replaceAll('`', "'")}\``,
    '',
    ...(rows.length === 0
      ? []
      : ['| Misbehaviours | Verdict | Cause | What is sound |', '| --- | --- | --- | --- |']),
    ...rows,
    '',
    ...(first === undefined ? [] : ['```sh', repeat(nameOf(first)), '```', '']),
  ].join('\n');
}

/**
 * Formats the findings as JUnit XML: one test case per misbehaviour, and one for the undisturbed run. If the exam was
 * stopped, that one has an error that says by what.
 */
export function junitReport(findings: Findings, { repeat }: ReportContext, stopped?: string): string {
  const { baseline, results } = findings;
  const first: JunitCase = {
    classname: 'exam',
    name: 'baseline',
    ms: baseline.durationMs,
    ...(stopped !== undefined && { result: { kind: 'error', message: `the exam was ${stopped}` } }),
    ...(stopped === undefined &&
      baseline.code !== 0 && {
        ...fileOf(findFailure(baseline.output)),
        result: { kind: 'error', message: 'baseline failed', text: baselineFailure(findings) },
      }),
  };
  return junitSuite('card-sandbox exam', [first, ...results.map(result => junitCase(result, repeat))]);
}

/** What `--only` calls a result. */
function nameOf({ misbehaviour, together }: Result): string {
  return together?.join('+') ?? misbehaviour.id;
}

function junitCase(result: Result, repeat: (id: string) => string): JunitCase {
  const { misbehaviour, verdict, reason, durationMs: ms } = result;
  const { id, kind, why, sound } = misbehaviour;
  const place = { classname: `exam.${kind}`, name: id, ms, ...fileOf(result) };
  if (verdict === 'survived') return place;
  if (verdict === 'not-exercised') return { ...place, result: { kind: 'skipped', message: reason } };
  const text = [...detailOf(result), why, sound, repeat(nameOf(result))].join('\n');
  return { ...place, result: { kind: 'failure', message: `${verdict}: ${reason}`, text } };
}

/** The file of the test that failed, as an attribute; relative to the current folder if it is in it. */
function fileOf({ file }: Pick<Result, 'file'>): Pick<JunitCase, 'file'> {
  if (file === null) return {};
  const nearer = relative('', file);
  return { file: nearer.startsWith('..') ? file : nearer };
}

/** Formats a duration in seconds. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*[\]<>|&~]/g, mark => `\\${mark}`);
}

/** Formats misbehaviours for people, or as JSON. */
export function catalogueText(
  misbehaviours: readonly Misbehaviour[],
  { asJson, isShort }: { readonly asJson: boolean; readonly isShort: boolean },
): string {
  if (asJson) {
    return JSON.stringify(misbehaviours.map(({ id, kind, why, sound }) => ({ id, kind, why, sound })));
  }
  if (isShort) {
    const width = Math.max(...misbehaviours.map(({ id }) => id.length));
    return [
      ...misbehaviours.map(({ id, kind }) => `${colour.bold(id.padEnd(width))}  ${kind}`),
      'card-sandbox exam --list --only ID says why one happens and what is sound.',
    ].join('\n');
  }
  const lines = (text: string) =>
    wrapText(text, lineWidth() - LIST_MARGIN.length).map(line => LIST_MARGIN + line);
  return misbehaviours
    .flatMap(({ id, kind, why, sound }) => [
      `${colour.bold(id)} (${kind})`,
      ...lines(why),
      ...lines(sound).map(line => colour.dim(line)),
    ])
    .join('\n');
}
