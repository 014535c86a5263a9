import { appendFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { performance } from '../../../core/values/builtins.ts';
import { suggestion } from '../../../core/values/nearest.ts';
import { shellWord } from '../../../core/values/text.ts';
import { catalogue } from '../../../tools/exam/catalogue/catalogue.ts';
import {
  type ExamPlan,
  type Findings,
  jsonReport,
  type Result,
  runExam,
  timeLimit,
} from '../../../tools/exam/exam.ts';
import { type FinishedRun, isFinding } from '../../../tools/exam/judge.ts';
import type { Misbehaviour } from '../../../tools/exam/misbehaviour.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { Exit, FAILED, UsageError } from '../../errors.ts';
import { failure, printResult, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { OPTIONS_OF_SANDBOX, type ServeFlags, sandboxFlags } from '../../sandbox/sandbox-flags.ts';
import { abortOnSignals, signalExitCode } from '../../signals.ts';
import { NO_REQUEST_RECORDED, NOTHING_RECORDED } from '../exec/failure-summary.ts';
import { checkCommand } from '../exec/run-child.ts';
import { runInSandbox } from './examined-run.ts';
import {
  baselineFailure,
  catalogueText,
  junitReport,
  markdownReport,
  prettyReport,
  type ReportContext,
  readKnownFindings,
  seconds,
} from './report.ts';

/** For `--json`: what to do when the command fails undisturbed, and why an exam failed. */
const BASELINE_HINT = 'make the command pass with card-sandbox exec -- CMD first';
const FOUND =
  'the command broke or applied a write twice, or its receiver accepted a forged delivery; results that are new say which';
const EMPTY_HINT = 'make the command call the sandbox; card-sandbox exec -- CMD shows what reaches it';
const NOTHING_STRUCK =
  'nothing that was asked for reached the command, so the exam says nothing about it; the results say why';

interface ExamFlags extends ServeFlags {
  readonly list?: true;
  readonly only?: readonly string[];
  readonly parallel: number;
  readonly timeLimit: number;
  readonly failFast?: true;
  readonly baseline?: string;
  readonly junit?: string;
  readonly json?: true;
}

/** The flags that the command line for one misbehaviour does not repeat. */
const NOT_REPEATED = ['list', 'only', 'parallel', 'failFast', 'baseline', 'junit', 'json', 'controlToken'];
const MAX_PARALLEL = 64;
/** How many times as long as the undisturbed run a run may take by default, and the maximum. */
const TIME_LIMIT = { initial: 5, max: 100 };
/** An exam of this duration is slow: its user learns what would make it faster. */
const SLOW_MS = 60_000;
/** No run outlives this process. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const AFTER = `
Runs the command once undisturbed. It must pass; otherwise the exam ends with "baseline failed" and exit code 1. Then
runs it once for each misbehaviour of network and service that can be triggered, each in a fresh sandbox with the
environment of exec and --allow-http-webhooks.

  survived       the command passed
  broke          the command failed, or its receiver answered a forged webhook with neither 2xx nor 4xx
  applied-twice  a cardholder or a card exists twice, because a write was sent again, whether or not the command passed
  accepted       the receiver answered a forged webhook with 2xx
  not-exercised  the misbehaviour was not triggered

The exit code is 0 when something was triggered, and nothing broke, was applied twice or accepted, besides what
--baseline names. Worlds and sandboxes that the command creates are examined like its own. With --parallel, the command must not use a fixed port. Results go to standard output, progress to standard
error. A summary is added to the file that GITHUB_STEP_SUMMARY names.
${examples(
  'exam -- npm test',
  'exam --parallel 4 --junit exam.xml -- npm test',
  'exam --only webhooks-twice signature-missing -- npm test',
  'exam --json -- npm test > known.json; card-sandbox exam --baseline known.json -- npm test',
  'exam --list',
  'exam --list --only webhooks-twice',
)}`;

/** Adds `exam`, which finds out what an integration survives. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['exam'])
    .description('Run a command once per misbehaviour of network and service, and report what it survives.')
    .usage('[options] -- <command...>')
    .argument('[command...]', 'the command and its arguments, after --');
  command
    .option(
      '--list',
      'list the misbehaviours, and run nothing; with --only, with why they happen and what is sound',
    )
    .option('--only <id...>', 'try these misbehaviours only; a name without its operation means all of them')
    .option('--parallel <number>', 'how many runs there may be at once', parallelNumber, 1)
    .option(
      '--time-limit <factor>',
      'how many times as long as undisturbed a run may take, besides the time for retries',
      timeLimitFactor,
      TIME_LIMIT.initial,
    )
    .option('--fail-fast', 'stop at the first finding')
    .option('--baseline <file>', 'accept the findings of an earlier exam --json')
    .option('--junit <file>', 'write a report as JUnit XML')
    .option('--json', 'print the report as JSON')
    .showHelpAfterError('(card-sandbox exam --help shows its usage; the command goes after --)')
    .addHelpText('after', AFTER)
    .action((words: readonly string[], flags: ExamFlags) =>
      flags.list ? list(flags) : exam(words, flags, command),
    )
    .optionsGroup(OPTIONS_OF_SANDBOX);
  sandboxFlags(command, 0);
};

/** Prints the misbehaviours. */
function list({ only, json }: ExamFlags): Promise<void> {
  return printResult(
    catalogueText(selectMisbehaviours(only), { asJson: json === true, isShort: only === undefined }),
  );
}

async function exam(words: readonly string[], flags: ExamFlags, command: Command): Promise<void> {
  const {
    list: _list,
    only,
    parallel,
    timeLimit: factor,
    failFast,
    baseline,
    junit: _junit,
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
  const misbehaviours = selectMisbehaviours(only);
  const isKnownFinding = baseline === undefined ? () => false : readKnownFindings(baseline);
  const isKnown = ({ misbehaviour, verdict }: Result) => isKnownFinding(misbehaviour.id, verdict);
  const isNew = (result: Result) => isFinding(result) && !isKnown(result);
  const signals = abortOnSignals(SIGNALS);
  const flagWords = readTypedFlags(command, words);
  const context: ReportContext = {
    command: words.map(shellWord).join(' '),
    repeat: id =>
      ['card-sandbox', 'exam', ...flagWords, '--only', id, '--', ...words].map(shellWord).join(' '),
    isKnown,
  };
  let findings: Findings;
  try {
    findings = await runExam({
      misbehaviours,
      parallel,
      stopsAfter: result => failFast === true && isNew(result),
      isStopped: () => signals.received() !== null,
      run: (id, disturbance, limitMs) =>
        runInSandbox(words, serving, id, disturbance, { limitMs, signal: signals.signal }),
      limitOf: run => timeLimit(run, factor),
      now: () => performance.now(),
      ...progressLines(flags),
    });
    const received = signals.received();
    if (received !== null) {
      if (flags.junit !== undefined) {
        await writeAtomically(flags.junit, junitReport(findings, context, `stopped by ${received}`));
      }
      throw new Exit(signalExitCode(received));
    }
  } finally {
    signals.release();
  }
  await report(findings, context, flags);
  if (findings.baseline.code !== 0 || !findings.baseline.record.isUsed) throw new Exit(FAILED);
  if (findings.results.some(isNew)) throw new Exit(FAILED, FOUND);
  if (findings.results.every(({ verdict }) => verdict === 'not-exercised'))
    throw new Exit(FAILED, NOTHING_STRUCK);
}

/** Writes what the flags ask for, and prints the report. */
async function report(
  findings: Findings,
  context: ReportContext,
  { junit, json }: Pick<ExamFlags, 'junit' | 'json'>,
): Promise<void> {
  const result = jsonReport(findings);
  const hasFailed = result.baseline === 'failed';
  if (junit !== undefined) await writeAtomically(junit, junitReport(findings, context));
  const summary = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (summary !== '') appendFileSync(summary, `${markdownReport(findings, result, context)}\n`);
  const { isUsed, isEmpty } = findings.baseline.record;
  if (hasFailed) failure(baselineFailure(findings), BASELINE_HINT);
  else if (!isUsed) failure(isEmpty ? NOTHING_RECORDED : NO_REQUEST_RECORDED, EMPTY_HINT);
  if (json) await printResult(JSON.stringify(result));
  else if (!hasFailed && isUsed) await printResult(prettyReport(findings, result, context));
}

/** Reports the progress on standard error, with an estimate of the time that is left. */
function progressLines(flags: ExamFlags): Pick<ExamPlan, 'onBaseline' | 'onResult'> {
  const { parallel } = flags;
  let total = 0;
  let done = 0;
  let spentMs = 0;
  return {
    onBaseline(baseline, runs) {
      total = runs;
      const { durationMs } = baseline;
      const leftMs = (durationMs * runs) / parallel;
      progress(
        `baseline passed in ${seconds(durationMs)}; ${runs} misbehaviours to try, about ${seconds(leftMs)}`,
      );
      if (leftMs > SLOW_MS) progress(`faster: ${fasterFlags(baseline, flags).join('; ')}`);
    },
    onResult({ misbehaviour: { id }, verdict, durationMs }) {
      done += 1;
      spentMs += durationMs;
      const left =
        done === total ? '' : `, about ${seconds(((spentMs / done) * (total - done)) / parallel)} left`;
      const place = `${String(done).padStart(String(total).length)}/${total}`;
      progress(`${place}  ${verdict.padEnd('not-exercised'.length)}  ${id}, ${seconds(durationMs)}${left}`);
    },
  };
}

/** The flags that make an exam faster, each with what it does. */
function fasterFlags({ record }: FinishedRun, { parallel, kycDelay }: ExamFlags): string[] {
  const { called, clocks } = record.history;
  const waitsForKyc = clocks.includes('running') && called.some(({ id }) => id === 'cardholders.initiateKyc');
  return [
    ...(waitsForKyc && kycDelay === undefined ? ['--kyc-delay 200ms decides KYC sooner than after 2 s'] : []),
    ...(parallel === 1 ? ['--parallel 4 makes four runs at once'] : []),
    '--only tries some misbehaviours',
  ];
}

/** Returns the misbehaviours with these ids, or all. Throws a UsageError for an unknown id. */
function selectMisbehaviours(only: readonly string[] | undefined): readonly Misbehaviour[] {
  if (only === undefined) return catalogue;
  const isMeant = (word: string, { id }: Misbehaviour) => id === word || id.startsWith(`${word}.`);
  const unknown = only.find(word => !catalogue.some(each => isMeant(word, each)));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: unknown misbehaviour${nearMiss(unknown)}`);
  }
  return catalogue.filter(each => only.some(word => isMeant(word, each)));
}

/** Returns the misbehaviours that an unknown word may mean, as the end of a message. */
function nearMiss(word: string): string {
  const ids = catalogue.map(({ id }) => id);
  const names = [...new Set(ids.map(id => id.split('.', 1)[0] ?? id))];
  const oneOf = (found: readonly string[]) =>
    found.length === 0 ? '' : `; did you mean ${found.map(name => JSON.stringify(name)).join(' or ')}?`;
  const [group = ''] = word.split('-', 1);
  return (
    oneOf(names.filter(name => name.includes(word) && word !== '')) ||
    suggestion(word, [...names, ...ids]) ||
    oneOf(names.filter(name => name.startsWith(`${group}-`))) ||
    '; card-sandbox exam --list shows all'
  );
}

function parallelNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= MAX_PARALLEL) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_PARALLEL}.`);
}

function timeLimitFactor(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 1 && number <= TIME_LIMIT.max) return number;
  throw new InvalidArgumentError(`It must be a number from 1 to ${TIME_LIMIT.max}.`);
}

/** Returns the flags as they were typed before the words of the command that is run, without those not to be repeated. */
function readTypedFlags(command: Command, words: readonly string[]): string[] {
  // Commander keeps the command line on the program, which its types lack.
  const { rawArgs = [] } = (command.parent ?? command) as Command & { rawArgs?: readonly string[] };
  const typed = rawArgs.slice(rawArgs.indexOf(command.name()) + 1, rawArgs.length - words.length);
  const kept: string[] = [];
  let option: Option | undefined;
  for (const word of typed) {
    if (word === '--') break;
    // A word that is not a flag is a value of the flag before it.
    if (word.startsWith('-')) {
      const name = word.split('=', 1)[0];
      option = command.options.find(({ long, short }) => long === name || short === name);
    }
    if (option === undefined || !NOT_REPEATED.includes(option.attributeName())) kept.push(word);
  }
  return kept;
}
