import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { Option } from 'commander';
import { isError } from '../../../core/values/is-error.ts';
import { sightingHooks } from '../../../server/in-process/sightings.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { sandboxUrl } from '../../connection/connection.ts';
import { Exit, FAILED, UsageError } from '../../errors.ts';
import { withChoices } from '../../flags.ts';
import type { Log } from '../../log.ts';
import { failure, progress } from '../../output/print.ts';
import { checkFlags, type LentSandbox, lendWorld, startOwnSandbox } from '../../sandbox/lent-sandbox.ts';
import { OPTIONS_OF_SANDBOX, type ServeFlags, sandboxFlags } from '../../sandbox/sandbox-flags.ts';
import { readActivity, WorldActivities } from './activity.ts';
import { saveState, writeArtifacts } from './artifacts.ts';
import { CommandCoverage, type CoverageFlags, percentage, reportCoverage } from './coverage.ts';
import {
  type CommandResult,
  NO_REQUEST,
  requestCount,
  summaryMarkdown,
  summaryText,
} from './failure-summary.ts';
import { childEnvironment, hasRun, runChild } from './run-child.ts';

/** What is kept of a run. */
interface TraceFlags {
  readonly artifacts?: string;
  readonly artifactsAlways?: true;
  readonly stateOnFailure?: string;
}

interface ExecFlags extends ServeFlags, TraceFlags, CoverageFlags {
  readonly logFormat?: 'pretty' | 'json';
  readonly json?: true;
  readonly on?: string | undefined;
  readonly from?: string | undefined;
}

const AFTER = `
The command receives the address and credentials of the sandbox in CARD_SANDBOX_URL, CARD_SANDBOX_WORLD,
SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_WEBHOOK_SECRET. A partner without a webhook secret gets one. A reset
removes it again, so include the secret when you configure webhooks. The host of the sandbox is added to NO_PROXY.

When the command fails, refused requests and undelivered webhooks are listed on standard error, and in the file
that GITHUB_STEP_SUMMARY names. --artifacts writes summary.md, sandbox.log and WORLD.history.json with what was asked
of each world, ended ones included. Secrets in them are masked. Sandboxes in the process of the command are not recorded.

The exit code is that of the command, also when a file cannot be written: 128 plus the signal number when a signal
ended it, 127 when the command is not found. SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGUSR2 are forwarded. Whatever
is still running 10 s after a signal other than SIGUSR2, or after the command has ended, is killed; on Linux also
what runs in a session of its own. A process that is to stay needs an environment without CARD_SANDBOX_RUN there.

With --coverage, the conditions of the interface that no world and no sandbox of the command has seen are listed on
standard error, the documented first. With --min-coverage the exit code is 1 when the command passed below it.

With --on the command gets a new world of a running sandbox, which ends with the command, and a minute after exec
and the last request to it when exec is killed (--world-ttl sets another time). Flags of fixtures, seed,
clock, rates and webhooks apply to the world; other flags are those of the running sandbox and are refused.
${examples(
  'exec -- npm test',
  'exec --artifacts sandbox-artifacts -- npm test',
  'exec --fixtures empty --freeze --state-on-failure failed.json -- npm test',
  'exec --coverage coverage.json -- npm test',
  'exec --on http://127.0.0.1:4242 --freeze -- npm test',
)}`;

/** Adds `exec`, which runs a command against a sandbox that lives as long as the command. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['exec'])
    .description('Start a sandbox on a free port, run a command that can call it, and stop.')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'the command and its arguments, after --');
  command
    .addOption(
      new Option('--on <url>', 'use a new world of the sandbox at this address').argParser(sandboxUrl),
    )
    .option('--from <id>', 'with --on: the world to copy as it is now')
    .option('--artifacts <dir>', 'write what happened in the sandbox to this folder when the command fails')
    .option('--artifacts-always', 'write the artifacts when the command succeeds, too')
    .option('--state-on-failure <file>', 'save the state of the sandbox here when the command fails')
    .option('--coverage [file]', 'list the conditions of the interface that were not seen; write all as JSON')
    .option('--min-coverage <percent>', 'fail below this share of the documented conditions', percentage)
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
      return exec(words, flags);
    });
};

async function exec(words: readonly string[], flags: ExecFlags): Promise<never> {
  const { logFormat, json, artifacts, artifactsAlways, stateOnFailure, on, from, ...rest } = flags;
  const { coverage, minCoverage, ...serving } = rest;
  const isCovered = coverage !== undefined || minCoverage !== undefined;
  const covered = isCovered ? new CommandCoverage() : null;
  if (artifactsAlways && artifacts === undefined) {
    throw new UsageError('--artifacts-always needs a folder; pass --artifacts DIR');
  }
  const format = json ? 'json' : logFormat;
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  const log = new KeptLog(format === 'json', format === undefined ? () => undefined : write);
  const activities = new WorldActivities();
  const sandbox =
    on === undefined
      ? await startOwnSandbox(
          serving,
          format === undefined && artifacts === undefined ? null : log,
          undefined,
          {
            ...sightingHooks(covered?.variables ?? {}),
            onWorldEnd: activities.onWorldEnd,
          },
        )
      : await lendWorld({ ...serving, on, from });
  let code = FAILED;
  try {
    code = await runChild(
      words,
      childEnvironment(process.env, { ...sandbox.variables, ...covered?.variables }),
    );
    const command = { name: words[0] ?? '', code };
    await reportFailure(() => leaveTraces(sandbox, command, activities, log, flags));
    await reportFailure(async () => {
      if (covered === null) return;
      const view = await covered.read(on === undefined ? null : sandbox.client);
      if (!reportCoverage(view, { coverage, minCoverage }) && code === 0) code = FAILED;
    });
  } finally {
    covered?.release();
    await reportFailure(() => sandbox.release());
  }
  throw new Exit(code);
}

/** Writes the files that are asked for, and the summary of a failure. */
async function leaveTraces(
  { client, core }: LentSandbox,
  command: Pick<CommandResult, 'name' | 'code'>,
  activities: WorldActivities,
  log: KeptLog,
  { artifacts, artifactsAlways, stateOnFailure }: TraceFlags,
): Promise<void> {
  const hasFailed = command.code !== 0;
  if (!hasFailed && !artifactsAlways) return;
  const worlds = core === null ? [await readActivity(client)] : activities.all(core);
  const result = { ...command, worlds, omitted: activities.omitted };
  if (hasFailed && hasRun(command.code)) await reportFailure(() => summarize(result));
  if (!hasFailed && requestCount(worlds) === 0) progress(NO_REQUEST);
  if (hasFailed && stateOnFailure !== undefined) await reportFailure(() => saveState(client, stateOnFailure));
  if (artifacts !== undefined) await writeArtifacts(artifacts, { ...result, log: log.text() });
}

/** Prints a summary on standard error, and adds it to the summary of a job on GitHub. */
function summarize(run: CommandResult): void {
  const text = summaryText(run.worlds);
  if (text !== null) progress(text);
  const file = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (file !== '') appendFileSync(file, `${summaryMarkdown(run)}\n`);
}

/** Runs an action whose failure must not change the exit code, and reports its failure on standard error. */
async function reportFailure(action: () => Promise<void> | void): Promise<void> {
  try {
    await action();
  } catch (error) {
    failure(isError(error) ? error.message : String(error));
  }
}

/** Entries of the log that are kept. Older ones are dropped, so that a long run does not fill the memory. */
const MAX_ENTRIES = 20_000;

/** A log that is kept, besides being written somewhere. */
class KeptLog implements Log {
  readonly isJson: boolean;
  readonly #forward: (line: string) => void;
  readonly #entries: string[] = [];
  #dropped = 0;

  constructor(isJson: boolean, forward: (line: string) => void) {
    this.isJson = isJson;
    this.#forward = forward;
  }

  readonly write = (line: string): void => {
    this.#forward(line);
    this.#entries.push(line);
    // Removed in batches: each removal moves all entries.
    if (this.#entries.length < 2 * MAX_ENTRIES) return;
    this.#entries.splice(0, MAX_ENTRIES);
    this.#dropped += MAX_ENTRIES;
  };

  /** Returns the entries without colours, one per line. */
  text(): string {
    const dropped = this.#dropped === 0 ? [] : [`(${this.#dropped} earlier entries were dropped)`];
    return [...dropped, ...this.#entries.map(stripVTControlCharacters), ''].join('\n');
  }
}
