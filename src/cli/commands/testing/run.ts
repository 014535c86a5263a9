import { URL } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { createControlCall } from '../../../client/operation-calls.ts';
import { RecordError } from '../../../control/history/record/read.ts';
import { wallTime } from '../../../core/values/builtins.ts';
import { parseUrl } from '../../../core/values/parse-url.ts';
import { networkFetch } from '../../../sandbox/transport/fetch-api.ts';
import { readScenario, type Scenario, scenarioNames } from '../../../tools/scenarios/file/read.ts';
import { junitOf, suiteOfError } from '../../../tools/scenarios/report/junit.ts';
import type { Report } from '../../../tools/scenarios/report/report.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { connect, sandboxUrl, worldFlag } from '../../connection/connection.ts';
import { Exit, errorMessage, FAILED, UsageError } from '../../errors.ts';
import { controlTokenFlag, portNumber, visibleText } from '../../flags.ts';
import { failure, isUnread, progress } from '../../output/print.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { NOTHING_COMPARED, outputReports, type Results, suitesOf } from '../../play/output-reports.ts';
import {
  type PlayedScenario,
  playFlags,
  playWithReceiver,
  type ReportFlags,
  variablesOf,
} from '../../play/play.ts';
import {
  isRecordPath,
  type PlayedRecords,
  printReport,
  type RecordReport,
  recordsAt,
  reportRecord,
  type UnreadableRecord,
} from '../../play/play-records.ts';
import { Comparison, Presenter } from '../../play/reporters.ts';
import { abortOnSignals, type EndRequest, unlessAborted } from '../../signals.ts';

interface RunFlags extends ReportFlags {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly controlUrl?: string | undefined;
  readonly world?: string;
  readonly controlToken?: string;
  readonly webhookUrl?: string;
  readonly webhookPort?: number;
  readonly verbose?: true;
  readonly keepGoing: boolean;
  readonly var?: Readonly<Record<string, string>>;
}

const AFTER = `
A record is played in a sandbox of its own: each request again at its moment, and each response is compared. Nothing is
sent. The exit code is 1 when a response differs, when a webhook of the record is not sent again, when a record has no
entry, and when a folder has no record.

A scenario creates records on the server, so production keys are refused. Steps that need something the server does not have,
such as a control plane, are skipped, and so are the steps that depend on them. --var supplies values that skipped
steps would have captured, such as the share tokens of a hosted sandbox. The exit code is 1 when a step fails or
nothing could be compared. Inside exec, and in a shell that has read
env, the control plane of that sandbox is used without --control-url. --junit writes a report in any case, with an
<error> when the server does not respond, the scenario is invalid, the run is stopped or nothing could be compared.

Records among the paths are played before scenarios. --json prints {ok, records, unreadable} of records, the report of one
scenario, and {ok, scenarios} of several, with the members of records where there are some.
${examples('run sandbox-artifacts', 'run main.record.jsonl --junit report.xml', 'run kyc-reimport --base-url http://127.0.0.1:4242/v1 --api-key "$SERVICE_API_KEY" --control-url http://127.0.0.1:4242 --junit report.xml', 'run ./mine.yaml --base-url http://127.0.0.1:4242/v1 --api-key "$SERVICE_API_KEY" --control-url http://127.0.0.1:4242', 'exec --allow-http-webhooks -- card-sandbox run card-lifecycle')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['run'])
    .description('Play records, or scenarios against any server, and report each difference.')
    .argument(
      '<path...>',
      `records, folders that hold records, and scenarios: their files, or ${scenarioNames().join(', ')}`,
    )
    .addOption(
      new Option('--base-url <url>', 'base URL of the API of a scenario, which ends in /v1').env(
        'SERVICE_BASE_URL',
      ),
    )
    .addOption(
      new Option('--api-key <key>', 'API key of the partner, which begins with sk_test_').env(
        'SERVICE_API_KEY',
      ),
    );
  serverFlags(command)
    .option('--verbose', 'show every request and response, as demo does')
    .option('--no-keep-going', 'stop at the first step that fails');
  playFlags(command)
    .addHelpText('after', AFTER)
    .action((paths: readonly string[], flags: RunFlags) =>
      reportingErrors(paths.join(' '), flags, results => playAll(command, paths, flags, results)),
    );
};

/**
 * Plays the records among the paths, and then the scenarios. All of them are found and read before any is played. What has
 * been played is added to the results.
 */
async function playAll(
  command: Command,
  paths: readonly string[],
  flags: RunFlags,
  results: Results,
): Promise<void> {
  const scenarios = paths.filter(path => !isRecordPath(path)).map(readScenario);
  const files = paths.filter(isRecordPath).flatMap(recordsAt);
  const playFiles = async () => {
    results.records = await playRecords(files, flags);
    return results.records.ok ? null : NOT_REPRODUCED;
  };
  if (scenarios.length === 0) {
    refuseScenarioFlags(command);
    const problem = await playFiles();
    await outputReports(results, 0, flags);
    if (problem !== null) throw new Exit(FAILED, problem);
    return;
  }
  const serverFlags = flagsForServer(command, flags);
  const end = abortOnSignals();
  const plays = [
    ...(files.length > 0 ? [playFiles] : []),
    ...scenarios.map(scenario => async () => {
      const played = await run(scenario, serverFlags, end);
      results.scenarios.push(played);
      return problemOf(played.report, end);
    }),
  ];
  const problems: string[] = [];
  try {
    // The others are played whatever comes of one.
    for (const play of plays) {
      const problem = end.signal.aborted ? STOPPED_EARLY : await play();
      if (problem !== null) problems.push(problem);
      if (problem === STOPPED_EARLY) break;
    }
    await outputReports(results, scenarios.length, flags);
  } finally {
    end.release();
  }
  const [first] = problems;
  // What was not played has not passed, unless nobody reads on.
  if (problems.at(-1) === STOPPED_EARLY && isUnread()) return;
  if (problems.at(-1) === STOPPED_EARLY) throw new Exit(FAILED, STOPPED_EARLY);
  if (first !== undefined) throw new Exit(FAILED, plays.length === 1 ? first : SOME_FAILED);
}

/** Returns why a scenario that was played fails the run; null if it does not. */
function problemOf({ ok, left, compared }: Report, { signal }: EndRequest): string | null {
  if (isUnread()) return null;
  if (signal.aborted) progress(`stopped early; ${left} steps not played`);
  if (ok && left === 0) return null;
  if (compared === 0) return NOTHING_COMPARED;
  return 'not every step passed; differences and reason of its steps say why';
}

const NOT_REPRODUCED = 'not every record was reproduced; the report of each says why';
const SOME_FAILED = 'not everything passed; the report of each says why';
const STOPPED_EARLY = 'the run was stopped before everything was played';

/** The flags of a scenario, with what they leave to the environment. */
function flagsForServer(command: Command, flags: RunFlags): RunFlags & { readonly baseUrl: string } {
  const baseUrl = parseOption(command, 'baseUrl', versionedUrl);
  const apiKey = parseOption(command, 'apiKey', testKey);
  if (baseUrl === undefined) {
    throw new UsageError('the base URL is missing; pass --base-url or set SERVICE_BASE_URL');
  }
  const controlUrl = flags.controlUrl ?? controlUrlInEnvironment(baseUrl);
  if (isFlag(command, 'world') && controlUrl === undefined) {
    throw new UsageError('--world needs the control plane of its sandbox; pass --control-url as well');
  }
  // The key in the variable may belong to another world.
  const isKeyOfWorld = isFlag(command, 'apiKey') || !isFlag(command, 'world');
  const { apiKey: _apiKey, ...others } = flags;
  return { ...others, ...(isKeyOfWorld && apiKey && { apiKey }), baseUrl, controlUrl };
}

/**
 * Parses an option of scenarios. Commander would parse its variable for records, too, which are played whatever server an
 * app has there. The message does not repeat the value, which may be a secret.
 */
function parseOption(command: Command, name: string, parse: (text: string) => string): string | undefined {
  const option = command.options.find(each => each.attributeName() === name);
  const text: string | undefined = command.getOptionValue(name);
  if (text === undefined || option === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    const place = isFlag(command, name) ? option.long : option.envVar;
    throw error instanceof InvalidArgumentError ? new UsageError(`${place}: ${error.message}`) : error;
  }
}

/** Plays records one after the other, each in a sandbox of its own. */
async function playRecords(files: readonly string[], { json }: RunFlags): Promise<PlayedRecords> {
  const reports: RecordReport[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const file of files) {
    try {
      const report = await reportRecord(file);
      reports.push(report);
      if (!json) printReport(report);
    } catch (error) {
      // The others are played all the same.
      if (!(error instanceof RecordError) || files.length === 1) throw error;
      unreadable.push({ file, message: error.message });
      if (!json) failure(error.message);
    }
  }
  const ok = unreadable.length === 0 && reports.every(report => report.ok);
  return { ok, records: reports, unreadable };
}

function refuseScenarioFlags(command: Command): void {
  const flag = command.options.find(option => {
    const name = option.attributeName();
    return !['json', 'junit'].includes(name) && isFlag(command, name);
  });
  if (flag === undefined) return;
  throw new UsageError(`${flag.long} is for scenarios; a record is played in a sandbox of its own`);
}

function isFlag(command: Command, name: string): boolean {
  return command.getOptionValueSource(name) === 'cli';
}

function serverFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--control-url <url>', 'address of the sandbox, if the server is one').argParser(sandboxUrl),
    )
    .addOption(worldFlag())
    .addOption(controlTokenFlag())
    .addOption(
      new Option('--webhook-url <url>', 'URL at which the server reaches the webhook receiver').argParser(
        webUrl,
      ),
    )
    .option(
      '--webhook-port <number>',
      'port of the webhook receiver; 0 picks a free one (default: 0)',
      portNumber,
    );
}

async function run(
  scenario: Scenario,
  flags: RunFlags & { readonly baseUrl: string },
  end: EndRequest,
): Promise<PlayedScenario> {
  const { baseUrl, keepGoing, webhookUrl, webhookPort } = flags;
  const server = await unlessAborted(
    end.signal,
    readServer(flags),
    'the run was stopped; no step was played',
  );
  return playWithReceiver(
    {
      ...server,
      scenario,
      api: createClient({ url: baseUrl.slice(0, -'/v1'.length), fetch: networkFetch }),
      run: wallTime().toString(36),
      variables: variablesOf(scenario, flags.var),
      keepGoing,
      webhookUrl,
      webhookPort,
      end,
    },
    flags.json ? null : flags.verbose ? new Presenter() : new Comparison(),
  );
}

/** Runs an action. If it rejects before there is a report, adds the error to what was played in the file of `--junit`. */
async function reportingErrors(
  name: string,
  { junit }: RunFlags,
  action: (results: Results) => Promise<void>,
): Promise<void> {
  const results: Results = { records: null, scenarios: [] };
  try {
    await action(results);
  } catch (error) {
    // A run that ends with an exit code has written its report.
    if (junit !== undefined && !(error instanceof Exit)) {
      const suites = [...suitesOf(results), suiteOfError(name, errorMessage(error))];
      await writeAtomically(junit, junitOf(suites)).catch(problem => failure(errorMessage(problem)));
    }
    throw error;
  }
}

/**
 * Resolves with the API key, by default the key of the first partner in the world `--world`; with the control plane, if one
 * is configured; and with the names of that server, which its webhooks have.
 */
async function readServer({ controlUrl: url, controlToken, world, apiKey }: RunFlags) {
  const control = url === undefined ? null : connect({ url, controlToken, world });
  const info = await control?.info();
  const key = apiKey ?? (world ? info?.partners[0]?.apiKey : undefined);
  if (key === undefined) {
    throw new UsageError('the API key is missing; pass --api-key or set SERVICE_API_KEY');
  }
  const isOfWorld = info?.partners.some(partner => partner.apiKey === key);
  if (control !== null && !isOfWorld) await checkWorlds(control, key);
  return { apiKey: key, control, names: info?.options.names };
}

/**
 * Rejects with a UsageError for a key of another world: the responses of one world would be compared with the journal and
 * the deliveries of another one.
 */
async function checkWorlds(control: Client, apiKey: string): Promise<void> {
  const worlds = await createControlCall(control)('worlds.list');
  const owner = worlds.find(({ partners }) => partners.some(partner => partner.apiKey === apiKey));
  if (owner === undefined) return;
  throw new UsageError(
    `the API key belongs to the world ${owner.id}, and the control plane to ${control.world}; pass --world ${owner.id}, or a key of ${control.world}`,
  );
}

function webUrl(text: string): string {
  if (/^https?:$/.test(parseUrl(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('It must be an absolute http:// or https:// URL.');
}

function versionedUrl(text: string): string {
  const url = webUrl(text).replace(/\/+$/, '');
  if (/\/v1$/.test(url)) return url;
  throw new InvalidArgumentError(
    'It must end in the version segment /v1, such as https://sandbox.example.com/v1.',
  );
}

/** Returns the sandbox of the environment if it is the server at a base URL. Another server has no part in it. */
function controlUrlInEnvironment(baseUrl: string): string | undefined {
  const { CARD_SANDBOX_URL: url = '' } = process.env;
  return parseUrl(url)?.origin === new URL(baseUrl).origin ? url : undefined;
}

function testKey(text: string): string {
  if (visibleText(text).startsWith('sk_live_')) {
    throw new InvalidArgumentError('It is a production key; a scenario would issue real cards with it.');
  }
  return text;
}
