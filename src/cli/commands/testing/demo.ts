import { Argument, Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { readScenario, type Scenario, scenarioNames } from '../../../scenarios/file/read.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { Exit, FAILED } from '../../exit.ts';
import { visibleText } from '../../flags.ts';
import { progress } from '../../output/print.ts';
import { hasKeys, keyPressed } from '../../play/keys.ts';
import { type PlayReporter, play, type ReportFlags } from '../../play/play-with-receiver.ts';
import { endedBySignals, playFlags, variablesOf } from '../../play/play-flags.ts';
import { Presenter } from '../../play/presenter.ts';
import { sandboxUrl } from '../../connection/connection.ts';
import { partnerOf } from '../../connection/partner.ts';
import { launch } from '../sandbox/start.ts';

interface DemoFlags extends ReportFlags {
  readonly url?: string;
  readonly controlToken?: string;
  readonly partnerId?: string;
  readonly pause?: true;
  readonly keepGoing?: true;
  readonly var?: Readonly<Record<string, string>>;
}

/** Where the clock of a sandbox of its own stands, so that a demo is the same each time. */
const CLOCK = '2026-03-15T10:00:00Z';
const GRACE_MS = 1_000;

const AFTER = `
Each demo starts a sandbox of its own on a free port, with a frozen clock, the retries of the interface as they
are published, and webhooks over http; with --url it plays on one that runs already, where it leaves new records
behind. It stops at the first step that goes otherwise than expected, with exit code 1.
${examples('demo kyc-reimport --pause', 'demo error-flows', 'demo card-lifecycle --url http://127.0.0.1:4242')}`;

/** Adds `demo`, which plays a scenario for people who watch. */
export const addDemo: AddCommands = program => {
  const command = commandAt(program, ['demo'])
    .description('Play a scenario step by step, with each request, answer and webhook shown.')
    .addArgument(new Argument('<scenario>', `${scenarioNames().join(', ')}, or a file of your own`))
    .addOption(
      new Option('--url <url>', 'play on a sandbox that runs already (default: one of its own)').argParser(
        sandboxUrl,
      ),
    )
    .addOption(
      new Option('--control-token <token>', 'its control token, which is needed beyond loopback')
        .env('CARD_SANDBOX_CONTROL_TOKEN')
        .argParser(visibleText),
    )
    .option('--partner-id <id>', 'partner who plays (default: the first)')
    .option('--pause', 'wait for a key between the steps')
    .option('--keep-going', 'play on after a step that went otherwise than expected');
  playFlags(command)
    .addHelpText('after', AFTER)
    .action((name: string, flags: DemoFlags) => demo(readScenario(name), flags));
};

async function demo(scenario: Scenario, flags: DemoFlags): Promise<void> {
  const variables = variablesOf(scenario, flags.var);
  const end = endedBySignals();
  const place = flags.url === undefined ? await ownSandbox(scenario) : running(flags.url, flags.controlToken);
  try {
    const { client, run } = place;
    const { apiKey } = await partnerOf(client, flags.partnerId ?? scenario.partner);
    const teller = flags.json ? null : tellerFor(flags, end);
    const report = await play(
      {
        scenario,
        api: client,
        apiKey,
        control: client,
        run,
        variables,
        keepGoing: flags.keepGoing ?? false,
        ...end,
      },
      teller,
      flags,
    );
    if (!report.ok && !end.signal.aborted) throw new Exit(FAILED);
  } finally {
    end.ignore();
    await place.close();
  }
}

interface Place {
  readonly client: Client;
  readonly run: string;
  close(): Promise<void>;
}

async function ownSandbox({ fixtures }: Scenario): Promise<Place> {
  const { sandbox, server } = await launch(
    {
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
  progress(`a sandbox of its own at ${server.origin}, for as long as this takes`);
  return {
    client: createClient({ url: server.origin }),
    run: '1',
    async close() {
      await server.close(GRACE_MS);
      sandbox.stop();
    },
  };
}

function running(url: string, controlToken: string | undefined): Place {
  // Records of earlier demos may be there still, so what must be unique carries the time.
  const run = Date.now().toString(36);
  return { client: createClient({ url, controlToken }), run, close: async () => {} };
}

function tellerFor({ pause }: DemoFlags, end: ReturnType<typeof endedBySignals>): PlayReporter {
  const presenter = new Presenter();
  if (!pause) return presenter;
  if (!hasKeys()) {
    progress('--pause needs a terminal for its keys; playing on without pauses');
    return presenter;
  }
  return {
    title: scenario => presenter.title(scenario),
    async begins(opening) {
      if (opening.number === 1 || (await keyPressed(end.signal))) presenter.begins(opening);
      else end.abort();
    },
    shows: scene => presenter.shows(scene),
    ends: result => presenter.ends(result),
    closes: report => presenter.closes(report),
  };
}
