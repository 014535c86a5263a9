import { readdirSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { performance } from '../../../core/values/builtins.ts';
import { suggestion } from '../../../core/values/nearest.ts';
import { once } from '../../../core/values/once.ts';
import { catalogue } from '../../../tools/exam/catalogue/catalogue.ts';
import { type ExamPlan, type Findings, jsonReport, runExam } from '../../../tools/exam/exam.ts';
import { isFinding } from '../../../tools/exam/judge.ts';
import type { Misbehaviour } from '../../../tools/exam/misbehaviour.ts';
import { junitOf, suiteOfError } from '../../../tools/scenarios/report/junit.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, errorCode, FAILED, UsageError } from '../../errors.ts';
import { numberBetween, path, wholeNumberBetween } from '../../flags.ts';
import { failure, printResult, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { OPTIONS_OF_SANDBOX, type ServeFlags, sandboxFlags } from '../../sandbox/sandbox-flags.ts';
import { abortOnSignals, signalExitCode } from '../../signals.ts';
import { removeArtifacts, saveRecords } from '../exec/artifacts.ts';
import { NO_REQUEST_RECORDED, NOTHING_RECORDED } from '../exec/failure-summary.ts';
import { checkCommand } from '../exec/run-child.ts';
import { runInSandbox } from './examined-run.ts';
import { baselineFailure, catalogueText, junitReport, prettyReport, seconds } from './report.ts';

/** What to do when the command fails undisturbed, and why an exam failed. */
const BASELINE_HINT = 'make the command pass with card-sandbox exec -- CMD first';
const FOUND =
  'the command broke or applied a write twice, or its receiver accepted a forged delivery; the results say which';
const EMPTY_HINT = 'make the command call the sandbox; card-sandbox exec -- CMD shows what reaches it';
const STOPPED_HINT = 'the results are those until then; run the exam again for the others';
const NOTHING_STRUCK =
  'nothing that was asked for could be judged, so the exam says nothing about it; the results say why';

interface ExamFlags extends ServeFlags {
  readonly list?: true;
  readonly only?: readonly string[];
  readonly each?: true;
  readonly parallel: number;
  readonly timeLimit: number;
  readonly artifacts?: string;
  readonly junit?: string;
  readonly verbose?: true;
  readonly json?: true;
}

const AFTER = `
Runs the command once undisturbed. It must pass; otherwise the exam ends with "baseline failed" and exit code 1. Then
runs it under the misbehaviours of network and service that can be triggered, each time in a fresh sandbox with the
environment of exec and --allow-http-webhooks. Misbehaviours that do not hinder each other strike in one run; what fails
is divided until the misbehaviour is known, or the two that break the command only together.

  survived       the command passed
  broke          the command failed, or its receiver answered a forged webhook with neither 2xx nor 4xx
  applied-twice  a cardholder or a card exists twice, because a write was sent again, whether or not the command passed
  accepted       the receiver answered a forged webhook with 2xx
  not-exercised  the misbehaviour was not triggered

The exit code is 0 when something was triggered, and nothing broke, was applied twice or accepted. Worlds and sandboxes
that the command creates are examined like its own. With --parallel, the command must not use a fixed port. Results go to
standard output, progress to standard error.
${examples(
  'exam -- npm test',
  'exam --parallel 4 --junit exam.xml -- npm test',
  'exam --only webhooks-twice signature-missing -- npm test',
  'exam --only connection-lost-after.cards.issue+webhooks-late --artifacts records -- npm test',
  'exam --list',
  'exam --list --only webhooks-twice --json',
)}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['exam'])
    .passThroughOptions()
    .description('Run a command under misbehaviours of network and service, and report what it survives.')
    .usage('[options] -- <command...>')
    .argument('[command...]', 'the command and its arguments, after --');
  command
    .option(
      '--list',
      'list the misbehaviours, and run nothing; with --json, with why they happen and what is sound',
    )
    .option(
      '--only <id...>',
      'try these misbehaviours alone, or in one run as ID+ID; a name without its operation means all of them',
    )
    .option('--each', 'try each misbehaviour alone: slower, and finds no pairs')
    .option('--parallel <number>', 'how many runs there may be at once', wholeNumberBetween(1, 64), 1)
    .option(
      '--time-limit <factor>',
      'how many times as long as undisturbed a run may take, besides the time for retries',
      numberBetween(1, 100),
      5,
    )
    .option('--artifacts <dir>', 'keep the records of each run that found something, in DIR/ID', path)
    .option('--junit <file>', 'write a report as JUnit XML', path)
    .option('--verbose', 'list the misbehaviours that were not triggered')
    .option('--json', 'print the report as JSON')
    .showHelpAfterError('(card-sandbox exam --help shows its usage; the command goes after --)')
    .addHelpText('after', AFTER)
    .action((words: readonly string[], flags: ExamFlags) =>
      flags.list ? list(flags) : exam(words, flags, command),
    )
    .optionsGroup(OPTIONS_OF_SANDBOX);
  sandboxFlags(command, 0);
};

function list({ only = [], json }: ExamFlags): Promise<void> {
  const misbehaviours = only.length === 0 ? catalogue : inOrder(only.map(selectMisbehaviours));
  return printResult(catalogueText(misbehaviours, json === true));
}

async function exam(words: readonly string[], flags: ExamFlags, command: Command): Promise<void> {
  const {
    list: _list,
    only,
    each,
    parallel,
    timeLimit,
    artifacts,
    junit,
    verbose: _verbose,
    json: _json,
    ...serving
  } = flags;
  if (words.length === 0) command.error("error: missing required argument 'command'");
  checkCommand(words, 'exam');
  if (serving.state !== undefined) {
    throw new UsageError(
      '--state cannot be used with exam, whose runs share nothing; pass the file to --fixtures',
    );
  }
  if (serving.port !== 0 && parallel > 1) {
    throw new UsageError(
      `--port ${serving.port} cannot be used with --parallel ${parallel}, because each run has a server of its own; leave one of them out`,
    );
  }
  const selected = only?.flatMap(word =>
    word.includes('+') ? [selectMisbehaviours(word)] : singles(selectMisbehaviours(word)),
  );
  const groups = selected ?? (each ? singles(catalogue) : null);
  // A file that cannot be written is an error now, not after minutes; and no earlier report stands for an exam that is killed.
  if (junit !== undefined)
    await writeAtomically(junit, junitOf([suiteOfError('exam', 'the exam has not ended')]));
  const earlier = artifacts === undefined ? [] : findingsIn(artifacts);
  const removeEarlier = once(() => removeFindings(earlier));
  const signals = abortOnSignals();
  // One after the other: both members of a pair have the same folder.
  let saving: Promise<unknown> = Promise.resolve();
  const releases: (() => void)[] = [];
  let findings: Findings;
  let received: NodeJS.Signals | null;
  try {
    findings = await runExam({
      misbehaviours: groups === null ? catalogue : inOrder(groups),
      groups: groups?.map(group => group.map(({ id }) => id)) ?? null,
      parallel,
      signal: signals.signal,
      timeLimit,
      now: () => performance.now(),
      run: async (plan, limitMs) => {
        const limits = { limitMs, signal: signals.signal, beforeCommand: removeEarlier };
        const run = await runInSandbox(words, serving, plan, limits);
        if (artifacts === undefined) run.release();
        else releases.push(run.release);
        return run;
      },
      onFinding: (name, { records }) => {
        if (artifacts !== undefined) saving = saving.then(() => saveRecords(join(artifacts, name), records));
      },
      ...progressLines(flags),
    });
    received = signals.received();
    await saving;
    await report(findings, flags, received);
  } finally {
    await saving;
    for (const release of releases) release();
    signals.release();
  }
  if (received !== null) throw new Exit(signalExitCode(received));
  if (findings.results.some(isFinding)) throw new Exit(FAILED, FOUND);
  if (findings.baseline.code !== 0 || saysNothing(findings) !== null) throw new Exit(FAILED);
}

/** Returns why an exam whose undisturbed run passed says nothing about the command; null if it says something. */
function saysNothing({ baseline, results }: Findings): string | null {
  const { isUsed, isEmpty } = baseline.record;
  if (!isUsed) return isEmpty ? NOTHING_RECORDED : NO_REQUEST_RECORDED;
  return results.every(({ verdict }) => verdict === 'not-exercised') ? NOTHING_STRUCK : null;
}

/** The folders in which an earlier exam has kept records. */
function findingsIn(folder: string): string[] {
  const isName = (name: string) => name.split('+').every(each => catalogue.some(({ id }) => id === each));
  return namesIn(folder)
    .filter(isName)
    .map(name => join(folder, name));
}

/** Removes the records in these folders, and the folders where nothing else is in them. */
async function removeFindings(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await removeArtifacts(folder);
    await rmdir(folder).catch(() => undefined);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return [];
    throw new Error(`the folder ${folder} of --artifacts cannot be read (${code}); pass another folder`);
  }
}

async function report(
  findings: Findings,
  { junit, json, verbose }: Pick<ExamFlags, 'junit' | 'json' | 'verbose'>,
  stoppedBy: NodeJS.Signals | null,
): Promise<void> {
  const result = jsonReport(findings);
  const stopped = stoppedBy === null ? null : `the exam was stopped by ${stoppedBy}`;
  const hasFailed = result.baseline === 'failed';
  const nothing = hasFailed ? null : saysNothing(findings);
  if (junit !== undefined) await writeAtomically(junit, junitReport(findings, stopped ?? nothing));
  if (stopped !== null) failure(stopped, STOPPED_HINT);
  else if (hasFailed) failure(baselineFailure(findings), BASELINE_HINT);
  else if (nothing !== null) failure(nothing, EMPTY_HINT);
  if (json) await printResult(JSON.stringify(result));
  else if (findings.results.length > 0) await printResult(prettyReport(findings, result, verbose === true));
}

function progressLines({ parallel }: ExamFlags): Pick<ExamPlan, 'onBaseline' | 'onRun'> {
  let done = 0;
  return {
    onBaseline({ durationMs }, misbehaviours, runs) {
      const time = seconds((durationMs * runs) / parallel);
      progress(
        `baseline passed in ${seconds(durationMs)}; ${misbehaviours} ${misbehaviours === 1 ? 'misbehaviour' : 'misbehaviours'} to try, in ${runs} ${runs === 1 ? 'run' : 'runs'} or more: about ${time}`,
      );
    },
    onRun({ code, durationMs }, ids) {
      done += 1;
      const end = code === 0 ? 'passed' : 'failed';
      progress(`run ${done} ${end} in ${seconds(durationMs)}: ${ids.join(' ') || 'undisturbed'}`);
    },
  };
}

/** Returns the misbehaviours that a word of `--only` means. Throws a UsageError for an unknown id. */
function selectMisbehaviours(word: string): readonly Misbehaviour[] {
  return word.split('+').flatMap(name => {
    const found = catalogue.filter(({ id }) => id === name || id.startsWith(`${name}.`));
    if (found.length > 0) return found;
    const names = new Set(catalogue.flatMap(({ id }) => [id.split('.', 1)[0] ?? id, id]));
    const hint = suggestion(name, [...names]) || '; card-sandbox exam --list shows all';
    throw new UsageError(`--only ${word}: unknown misbehaviour${hint}`);
  });
}

function inOrder(groups: readonly (readonly Misbehaviour[])[]): readonly Misbehaviour[] {
  return catalogue.filter(each => groups.some(group => group.includes(each)));
}

function singles(misbehaviours: readonly Misbehaviour[]): (readonly Misbehaviour[])[] {
  return misbehaviours.map(each => [each]);
}
