import { Argument, Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { wallTime } from '../../../core/values/builtins.ts';
import { onAbort } from '../../../core/values/on-abort.ts';
import type { CoreOptions } from '../../../sandbox/options.ts';
import { networkFetch } from '../../../sandbox/transport/fetch-api.ts';
import {
  readScenario,
  type Scenario,
  scenarioNames,
  scenariosOf,
} from '../../../tools/scenarios/file/read.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { connect, sandboxUrl, worldFlag } from '../../connection/connection.ts';
import { findPartner } from '../../connection/partner.ts';
import { Exit, FAILED } from '../../errors.ts';
import { controlTokenFlag } from '../../flags.ts';
import { progress } from '../../output/print.ts';
import { NOTHING_COMPARED, outputReports } from '../../play/output-reports.ts';
import {
  type PlayedScenario,
  type PlayReporter,
  playFlags,
  playWithReceiver,
  type ReportFlags,
  variablesOf,
} from '../../play/play.ts';
import { Presenter } from '../../play/reporters.ts';
import { launch, shutDown } from '../../sandbox/launch.ts';
import { configFile, optionFlag } from '../../sandbox/sandbox-flags.ts';
import { type EndRequest, withEndRequest } from '../../signals.ts';

interface DemoFlags extends ReportFlags {
  readonly url?: string;
  readonly world?: string;
  readonly controlToken?: string;
  readonly partnerId?: string;
  readonly pause?: true;
  readonly keepGoing?: true;
  readonly var?: Readonly<Record<string, string>>;
  readonly config?: string | false;
}

/** The frozen clock of a temporary sandbox, so that a demo prints the same each time. */
const CLOCK = '2026-03-15T10:00:00Z';
const STEPS_FAILED = 'a step of the scenario failed; differences of the result says what was expected';

const AFTER = `
Starts a temporary sandbox on a free port with a frozen clock, the published retry schedule and http:// webhooks
allowed, and with the names of the configuration file. With --url or --world, or their variables, which exec and env set,
it plays against a running sandbox instead, and leaves new records there. Stops at the first step that fails, with exit code 1. error-flows plays the three
scenarios of refusals one after the other; --json prints {ok, scenarios}, with the report of each.
${examples(
  'demo kyc-reimport --pause',
  'demo error-flows',
  'demo card-lifecycle --url http://127.0.0.1:4242',
  'demo card-lifecycle --world blue',
)}`;

const PROMPT = 'press any key to continue, q to quit';
/** `q`, and what a terminal in raw mode sends for Ctrl-C and Ctrl-D. */
const QUIT_KEYS = ['q', 'Q', '\u0003', '\u0004'];

export const add: AddCommand = program => {
  const command = commandAt(program, ['demo'])
    .description('Play a scenario step by step and show each request, response and webhook.')
    .addArgument(new Argument('<scenario>', `${scenarioNames().join(', ')}, or the path of a scenario file`))
    .addOption(
      new Option('--url <url>', 'address of a running sandbox (default: a temporary one)')
        .env('CARD_SANDBOX_URL')
        .argParser(sandboxUrl),
    )
    .addOption(worldFlag())
    .addOption(controlTokenFlag())
    .option('--partner-id <id>', 'partner whose API key is used (default: the first)')
    .option('--pause', 'wait for a key between steps')
    .option('--keep-going', 'continue after a step that fails')
    .addOption(optionFlag('config'))
    .option('--no-config', 'read no configuration file');
  playFlags(command)
    .addHelpText('after', AFTER)
    .action((name: string, flags: DemoFlags) => {
      const isRunning = flags.url !== undefined || command.getOptionValueSource('world') !== undefined;
      const client = isRunning ? connect(flags) : null;
      const scenarios = scenariosOf(name).map(readScenario);
      return withEndRequest(end => demo(scenarios, client, flags, end));
    });
};

async function demo(
  scenarios: readonly Scenario[],
  client: Client | null,
  flags: DemoFlags,
  end: EndRequest,
): Promise<void> {
  const played: PlayedScenario[] = [];
  const isOk = () => played.every(({ report }) => report.ok);
  for (const scenario of scenarios) {
    if (!end.signal.aborted && isOk()) played.push(await play(scenario, client, flags, end));
  }
  await outputReports({ records: null, scenarios: played }, scenarios.length, flags);
  if (isOk() || end.signal.aborted) return;
  const hasFailed = played.some(({ report }) => report.failed > 0);
  throw new Exit(FAILED, hasFailed ? STEPS_FAILED : NOTHING_COMPARED);
}

async function play(
  scenario: Scenario,
  client: Client | null,
  flags: DemoFlags,
  end: EndRequest,
): Promise<PlayedScenario> {
  const variables = variablesOf(scenario, flags.var);
  const target = client === null ? await startTemporary(scenario, flags) : useRunning(client);
  try {
    const { apiKey } = await findPartner(target.client, flags.partnerId);
    const { names } = (await target.client.info()).options;
    return await playWithReceiver(
      {
        scenario,
        api: target.client,
        apiKey,
        control: target.client,
        run: target.run,
        variables,
        keepGoing: flags.keepGoing ?? false,
        names,
        end,
      },
      flags.json ? null : reporterFor(flags, end),
    );
  } finally {
    await target.close();
  }
}

interface Target {
  readonly client: Client;
  readonly run: string;
  close(): Promise<void>;
}

async function startTemporary({ fixtures }: Scenario, { config, json }: DemoFlags): Promise<Target> {
  const file = configFile(config);
  // The other options could break the story, or send its webhooks to the app.
  const names =
    file === null
      ? undefined
      : (await import('../../../sandbox/config.ts')).withConfig<CoreOptions>({ config: file }).names;
  const { sandbox, server } = await launch(
    {
      names,
      fixtures,
      clock: CLOCK,
      freeze: true,
      retrySpeed: 1,
      allowHttpWebhooks: true,
      port: 0,
      host: '127.0.0.1',
    },
    null,
  );
  if (!json) progress(`started a temporary sandbox at ${server.origin}`);
  return {
    client: createClient({ url: server.origin, fetch: networkFetch }),
    run: '1',
    close: () => shutDown({ sandbox, server }),
  };
}

function useRunning(client: Client): Target {
  // Records of earlier demos may still exist, so unique values contain the time.
  return { client, run: wallTime().toString(36), close: async () => {} };
}

function reporterFor({ pause }: DemoFlags, { signal, abort }: EndRequest): PlayReporter {
  const presenter = new Presenter();
  if (!pause) return presenter;
  if (!process.stdin.isTTY) {
    progress('--pause needs a terminal; playing without pauses');
    return presenter;
  }
  let isFirst = true;
  return {
    title: title => presenter.title(title),
    async begins(opening) {
      const continues = isFirst || (await waitForKey(signal));
      isFirst = false;
      if (continues) presenter.begins(opening);
      else abort();
    },
    shows: scene => presenter.shows(scene),
    ends: result => presenter.ends(result),
    closes: report => presenter.closes(report),
  };
}

/** Waits for a key press. Resolves with whether to continue: not after `q`, nor when the signal is aborted. */
function waitForKey(signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process;
  return new Promise(resolve => {
    const finish = (continues: boolean) => {
      stdin.off('data', onData);
      cancel();
      stdin.setRawMode(false);
      stdin.pause();
      // Erase the prompt, so that it does not remain in the presentation.
      stderr.write('\r\u001b[2K');
      resolve(continues);
    };
    const onData = (data: Buffer) => finish(!QUIT_KEYS.includes(data.toString()));
    const cancel = onAbort([signal], () => finish(false));
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', onData);
    stderr.write(PROMPT.slice(0, Math.max(0, (stderr.columns || 80) - 1)));
  });
}
