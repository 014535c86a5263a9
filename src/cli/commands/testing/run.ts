import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { readScenario, type Scenario, scenarioNames } from '../../../scenarios/file/read.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { Exit, FAILED, UsageError } from '../../exit.ts';
import { portNumber, visibleText } from '../../flags.ts';
import { isUnread, progress } from '../../output/print.ts';
import { Comparison } from '../../play/comparison.ts';
import { play, type ReportFlags } from '../../play/play-with-receiver.ts';
import { endedBySignals, playFlags, variablesOf } from '../../play/play-flags.ts';
import { Presenter } from '../../play/presenter.ts';

interface RunFlags extends ReportFlags {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly controlUrl?: string;
  readonly controlToken?: string;
  readonly webhookUrl?: string;
  readonly webhookPort?: number;
  readonly verbose?: true;
  readonly keepGoing: boolean;
  readonly var?: Readonly<Record<string, string>>;
}

const LIVE_KEY = 'is a key of production, where a scenario would issue real cards';

const AFTER = `
It creates records on the server, so it takes no key of the production environment. Steps that need what the
server does not have, such as a control plane, are skipped, and so are those that build on them; --var gives
what they would have given, such as the share tokens of a hosted sandbox. The exit code is 1 when something
differs, or nothing could be compared.
${examples('run kyc-reimport --base-url https://sandbox.example.com/v1 --api-key "$KEY" --junit report.xml', 'run ./mine.yaml --base-url http://127.0.0.1:4242/v1 --control-url http://127.0.0.1:4242', 'exec --allow-http-webhooks -- card-sandbox run card-lifecycle')}`;

/** Adds `run`, which plays a scenario against any server and tells in what it differs. */
export const addRun: AddCommands = program => {
  const command = commandAt(program, ['run'])
    .description('Play a scenario against any server, and report each difference.')
    .addArgument(new Argument('<file>', `a scenario file, or ${scenarioNames().join(', ')}`))
    .addOption(
      new Option('--base-url <url>', 'base URL of the API, which ends in /v1')
        .env('SERVICE_BASE_URL')
        .argParser(baseUrl)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--api-key <key>', "the partner's key, which begins with sk_test_")
        .env('SERVICE_API_KEY')
        .argParser(testKey),
    );
  controlFlags(command)
    .option('--verbose', 'show every request and answer, as demo does')
    .option('--keep-going', 'play on after a difference (this is the default)', true)
    .option('--no-keep-going', 'stop at the first step that differs');
  playFlags(command)
    .addHelpText('after', AFTER)
    .action((name: string, flags: RunFlags) => run(readScenario(name), flags));
};

function controlFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--control-url <url>', 'address of its control plane, if it is a card-sandbox').argParser(
        controlUrl,
      ),
    )
    .addOption(
      new Option('--control-token <token>', 'its control token, which is needed beyond loopback')
        .env('CARD_SANDBOX_CONTROL_TOKEN')
        .argParser(visibleText),
    )
    .addOption(
      new Option('--webhook-url <url>', 'address under which the server reaches the receiver').argParser(
        webUrl,
      ),
    )
    .option('--webhook-port <number>', 'port of the receiver; 0 picks a free one (default: 0)', portNumber);
}

async function run(scenario: Scenario, flags: RunFlags): Promise<void> {
  const apiKey = flags.apiKey ?? scenario.apiKey;
  if (apiKey === undefined) {
    throw new UsageError('there is no API key; pass --api-key, or set SERVICE_API_KEY');
  }
  if (isLive(apiKey)) throw new UsageError(`the apiKey of ${scenario.file} ${LIVE_KEY}`);
  const variables = variablesOf(scenario, flags.var);
  const end = endedBySignals();
  try {
    const report = await play(
      {
        scenario,
        api: createClient({ url: flags.baseUrl.slice(0, -'/v1'.length) }),
        apiKey,
        control: await controlOf(flags),
        run: Date.now().toString(36),
        variables,
        keepGoing: flags.keepGoing,
        webhookUrl: flags.webhookUrl,
        webhookPort: flags.webhookPort,
        ...end,
      },
      flags.json ? null : flags.verbose ? new Presenter() : new Comparison(),
      flags,
    );
    if (end.signal.aborted && !isUnread()) progress(`ended early, with ${report.left} steps not played`);
    if (!report.ok || report.left > 0) throw new Exit(FAILED);
  } finally {
    end.ignore();
  }
}

/** The control plane, once it has answered; null where none is named. */
async function controlOf({ controlUrl: url, controlToken }: RunFlags): Promise<Client | null> {
  if (url === undefined) return null;
  const client = createClient({ url, controlToken });
  await client.info();
  return client;
}

function webUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be an absolute http:// or https:// URL.');
}

function baseUrl(text: string): string {
  const url = webUrl(text).replace(/\/+$/, '');
  if (/\/v1$/.test(url)) return url;
  throw new InvalidArgumentError(
    'It must end in the version segment /v1, such as https://sandbox.example.com/v1.',
  );
}

/** An address of a control plane, with or without its prefix. */
function controlUrl(text: string): string {
  return webUrl(text)
    .replace(/\/+$/, '')
    .replace(/\/_sandbox$/, '');
}

/** A key by which nothing real can happen. */
function testKey(text: string): string {
  if (isLive(visibleText(text))) throw new InvalidArgumentError(`It ${LIVE_KEY}.`);
  return text;
}

function isLive(key: string): boolean {
  return key.startsWith('sk_live_');
}
