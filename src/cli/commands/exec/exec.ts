import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Option } from 'commander';
import { type Activity, isRefused, isUndelivered } from '../../../control/history/record/activity.ts';
import { MAX_RECORDS } from '../../../sandbox/records/record-folder.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { sandboxUrl } from '../../connection/connection.ts';
import { attempt, Exit, errorCode, FAILED, UsageError } from '../../errors.ts';
import { numberBetween, path, withChoices } from '../../flags.ts';
import { printToPaste, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { OPTIONS_OF_SANDBOX, type ServeFlags, sandboxFlags } from '../../sandbox/sandbox-flags.ts';
import { checkFlags, createTemporarySandbox, startOwnSandbox } from '../../sandbox/temporary-sandbox.ts';
import { removeArtifacts, saveRecords, saveSummary } from './artifacts.ts';
import { type CoverageFlags, coverageOfRecords, reportCoverage, reportUnended } from './coverage.ts';
import {
  type CommandResult,
  nextCommands,
  nothingRecorded,
  summaryMarkdown,
  summaryText,
} from './failure-summary.ts';
import { checkCommand, childEnvironment, hasRun, runChild } from './run-child.ts';
import { historyOf, type RunRecord, RunRecords } from './run-records.ts';

interface TraceFlags {
  readonly artifacts?: string;
  readonly artifactsAlways?: true;
}

interface ExecFlags extends ServeFlags, TraceFlags, CoverageFlags {
  readonly logFormat?: 'pretty' | 'json';
  readonly json?: true;
  readonly on?: string | undefined;
}

const AFTER = `
The command receives the address and credentials of the sandbox in CARD_SANDBOX_URL, CARD_SANDBOX_WORLD,
SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_WEBHOOK_SECRET. A partner without a webhook secret gets one. A reset
removes it again, so include the secret when you configure webhooks. The host of the sandbox is added to NO_PROXY.

Where no request of the command was recorded, standard error says so. When the command fails, refused requests,
undelivered webhooks and faults that never struck are listed there, and in the file that GITHUB_STEP_SUMMARY names.
--artifacts writes summary.md, sandbox.log and a record of each world and each sandbox in the process of the command, ended
ones included: run plays them, open shows them. They hold the secrets of a sandbox.

The exit code is the command's, also when a file cannot be written: 128 plus the signal number when a signal
ended it, 127 when the command is not found. SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGUSR2 are forwarded. Whatever
is still running 10 s after a signal other than SIGUSR2, or after the command has ended, is killed; on Linux also
what runs in a session of its own. A process that is to stay needs an environment without CARD_SANDBOX_RUN there.

With --coverage, the conditions of the interface that no world and no sandbox of the command has seen are listed on
standard error, the documented first. With --min-coverage the exit code is 1 when the command passed below it.

With --on the command gets a new world of a running sandbox, which ends with the command, and a minute after exec
and the last request to it when exec is killed (--world-ttl sets another time). Flags of fixtures, seed,
clock, rates and webhooks apply to the world; other flags belong to the running sandbox and are refused.
${examples(
  'exec -- npm test',
  'exec --artifacts sandbox-artifacts -- npm test',
  'exec --fixtures empty --freeze -- npm test',
  'exec --coverage=coverage.json -- npm test',
  'exec --on http://127.0.0.1:4242 --freeze -- npm test',
)}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['exec'])
    .passThroughOptions()
    .description('Start a sandbox on a free port, run a command that can call it, and stop.')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'the command and its arguments, after --');
  command
    .addOption(
      new Option('--on <url>', 'use a new world of the sandbox at this address').argParser(sandboxUrl),
    )
    .option(
      '--artifacts <dir>',
      'write what happened in the sandbox to this folder when the command fails',
      path,
    )
    .option('--artifacts-always', 'write the artifacts when the command succeeds, too')
    .addOption(
      new Option(
        '--coverage [file]',
        'list the conditions of the interface that were not seen; write all as JSON',
      ).argParser(text => text === '' || path(text)),
    )
    .option(
      '--min-coverage <percent>',
      'fail below this share of the documented conditions',
      numberBetween(0, 100),
    )
    .addOption(
      withChoices(new Option('--log-format <format>', 'log requests on standard error (default: no log)'), [
        'pretty',
        'json',
      ]),
    )
    .option('--json', 'short for --log-format json')
    .optionsGroup(OPTIONS_OF_SANDBOX);
  sandboxFlags(command, 0)
    .showHelpAfterError('(card-sandbox exec --help shows its usage; the command goes after --)')
    .addHelpText('after', AFTER)
    .action((words: readonly string[], flags: ExecFlags) => {
      checkFlags(command, flags.on);
      checkCommand(words, 'exec');
      return exec(words, flags);
    });
};

async function exec(words: readonly string[], flags: ExecFlags): Promise<never> {
  const { logFormat, json, artifacts, artifactsAlways, on, ...rest } = flags;
  const { coverage, minCoverage, ...serving } = rest;
  if (artifactsAlways && artifacts === undefined) {
    throw new UsageError('--artifacts-always needs a folder; pass --artifacts DIR');
  }
  const format = json ? 'json' : logFormat;
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  const log = createKeptLog(format === 'json', format === undefined ? () => undefined : write);
  const written = new RunRecords();
  let code = FAILED;
  try {
    const sandbox =
      on === undefined
        ? await startOwnSandbox(serving, format === undefined && artifacts === undefined ? null : log, {
            records: written.folder,
          })
        : await createTemporarySandbox({ ...serving, on });
    try {
      // What this process does before the command runs is no part of the records.
      written.begin();
      if (artifacts !== undefined) await removeArtifacts(artifacts);
      const [last] = on === undefined ? [] : await historyOf(sandbox.client, 1);
      code = await runChild(
        words,
        childEnvironment(process.env, { ...sandbox.variables, ...written.variables }),
      );
      // A coverage that cannot be told is not enough.
      let isEnough = minCoverage === undefined;
      await attempt(async () => {
        if (on !== undefined) await written.add(sandbox.client, last);
        const records = await written.read();
        await leaveTraces({ name: words[0] ?? '', code }, records, written, log.entries, flags);
        if (coverage === undefined && minCoverage === undefined) return;
        reportUnended(records);
        const view = coverageOfRecords(records);
        isEnough = reportCoverage(view, minCoverage);
        if (typeof coverage === 'string')
          await writeAtomically(coverage, `${JSON.stringify(view, null, 2)}\n`);
      });
      if (!isEnough && code === 0) code = FAILED;
    } finally {
      await attempt(() => sandbox.release());
    }
  } finally {
    written.release();
  }
  throw new Exit(code);
}

async function leaveTraces(
  command: Pick<CommandResult, 'name' | 'code'>,
  records: readonly RunRecord[],
  { problems, unreadable }: Pick<RunRecords, 'problems' | 'unreadable'>,
  log: readonly string[],
  { artifacts, artifactsAlways }: TraceFlags,
): Promise<void> {
  const hasFailed = command.code !== 0;
  const missing = nothingRecorded(records.map(({ activity }) => activity));
  if (problems.length === 0 && missing !== null && hasRun(command.code)) progress(missing);
  if (!hasFailed && !artifactsAlways) return;
  // Those in which something went wrong first. The others follow by name.
  const sorted = records.toSorted((a, b) => trouble(b.activity) - trouble(a.activity));
  const kept = sorted.slice(0, MAX_RECORDS);
  const files = [...kept.map(({ file }) => file), ...unreadable];
  const count = artifacts === undefined ? null : await saveRecords(artifacts, files);
  const result: CommandResult = {
    ...command,
    worlds: sorted.map(({ activity }) => activity),
    omitted: sorted.length - kept.length,
    problems,
    // Without records there is nothing to play or to open.
    folder: artifacts !== undefined && count !== null && count > 0 ? artifacts : null,
  };
  if (hasFailed && hasRun(command.code)) await attempt(async () => summarize(result));
  if (artifacts !== undefined && count !== null)
    await saveSummary(artifacts, result, [...log, ''].join('\n'), count);
  const commands = nextCommands(result);
  if (hasFailed && commands.length > 0) printToPaste(commands.join('\n'));
}

/** 1 for a world in which a call was refused or a webhook was not delivered, and 0 for any other. */
function trouble({ calls, deliveries }: Activity): 0 | 1 {
  return calls.some(isRefused) || deliveries.some(isUndelivered) ? 1 : 0;
}

function summarize(run: CommandResult): void {
  const text = summaryText(run);
  if (text !== null) progress(text);
  const file = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (file === '') return;
  try {
    appendFileSync(file, `${summaryMarkdown(run)}\n`);
  } catch (error) {
    throw new Error(
      `the summary cannot be written to ${file}, which GITHUB_STEP_SUMMARY names (${errorCode(error)}); name another file there, or unset it`,
    );
  }
}

/** Cap on the entries of the log, so that a long run does not fill the memory. The oldest are dropped. */
const MAX_ENTRIES = 20_000;

/** Returns a log that keeps its entries, without colours, besides writing them with `forward`. */
function createKeptLog(isJson: boolean, forward: (line: string) => void) {
  const entries: string[] = [];
  const write = (line: string) => {
    forward(line);
    entries.push(stripVTControlCharacters(line));
    // Removed in batches: each removal moves all entries.
    if (entries.length >= 2 * MAX_ENTRIES) entries.splice(0, MAX_ENTRIES, '(earlier entries were dropped)');
  };
  return { isJson, write, entries };
}
