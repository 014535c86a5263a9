import { Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { sandboxUrl } from '../../connection/connection.ts';
import { ensureWebhookSecret } from '../../connection/webhook-secret.ts';
import { Exit, FAILED } from '../../exit.ts';
import { withOptionErrors } from '../../option-errors.ts';
import { progress } from '../../output/print.ts';
import { reportSave } from '../../output/saved.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { type Launched, launch } from './launch.ts';
import { checkFlags, lendWorld, type WorldFlags } from './lent-world.ts';
import { runChild } from './run-child.ts';
import { type ServeFlags, sandboxFlags } from './sandbox-flags.ts';
import { sandboxVariables } from './variables.ts';

interface ExecFlags extends ServeFlags {
  readonly logFormat?: 'pretty' | 'json';
  readonly json?: true;
  readonly stateOnFailure?: string;
  readonly on?: string | undefined;
  readonly from?: string | undefined;
}

/** How long requests in flight may take to finish once the command has ended. */
const GRACE_MS = 1_000;

const AFTER = `
The command receives the address and credentials of the sandbox in CARD_SANDBOX_URL, CARD_SANDBOX_WORLD,
SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_WEBHOOK_SECRET. A partner without a webhook secret gets one. A reset
removes it again, so include the secret when you configure webhooks.

The exit code is that of the command: 128 plus the signal number when a signal ended it, 127 when the command is not
found. SIGINT and SIGTERM are forwarded. Whatever is still running 10 s after a signal, or after the command has
ended, is killed.

With --on the command gets a new world of a running sandbox, which ends with the command. Flags of fixtures, seed,
clock, rates and webhooks apply to the world; other flags are those of the running sandbox and are refused.
${examples('exec -- npm test', 'exec --fixtures empty --freeze --state-on-failure failed.json -- npx vitest run', 'exec --on http://127.0.0.1:4242 --freeze -- npm test')}`;

/** Adds `exec`, which runs a command against a sandbox that lives as long as the command. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['exec'])
    .description('Start a sandbox on a free port, run a command that can call it, and stop.')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'the command and its arguments, after --');
  sandboxFlags(command, 0)
    .addOption(
      new Option('--on <url>', 'use a new world of the sandbox at this address').argParser(sandboxUrl),
    )
    .option('--from <id>', 'with --on: the world to copy as it is now')
    .option('--state-on-failure <file>', 'save the state of the sandbox here when the command fails')
    .addOption(
      new Option('--log-format <format>', 'log requests on standard error (default: no log)').choices([
        'pretty',
        'json',
      ]),
    )
    .option('--json', 'short for --log-format json')
    .showHelpAfterError('(card-sandbox exec --help shows its usage; the command goes after --)')
    .addHelpText('after', AFTER)
    .action((words: readonly string[], { on, from, ...flags }: ExecFlags) => {
      checkFlags(command, on);
      const running = on === undefined ? exec(words, flags) : execOn(words, { on, from, ...flags });
      return withOptionErrors(command, running);
    });
};

/** Runs a command in a new world of a running sandbox. */
async function execOn(words: readonly string[], flags: WorldFlags & ExecFlags): Promise<never> {
  const { client, variables, release } = await lendWorld(flags);
  let code = FAILED;
  try {
    code = await runChild(words, { ...process.env, ...variables });
    if (code !== 0 && flags.stateOnFailure !== undefined) await saveState(client, flags.stateOnFailure);
  } finally {
    await release();
  }
  throw new Exit(code);
}

async function exec(words: readonly string[], flags: ExecFlags): Promise<never> {
  const { logFormat, json, stateOnFailure, ...serving } = flags;
  const format = json ? 'json' : logFormat;
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  const launched = await launch(serving, format === undefined ? null : { isJson: format === 'json', write });
  const { sandbox, server, controlToken } = launched;
  let code = FAILED;
  try {
    const client = createClient({ url: server.origin, controlToken });
    const variables = await variablesFor(launched, client, flags.seed);
    code = await runChild(words, { ...process.env, ...variables });
    if (code !== 0 && stateOnFailure !== undefined) await saveState(client, stateOnFailure);
  } finally {
    await server.close(GRACE_MS);
    sandbox.stop();
  }
  reportSave(sandbox.saveState());
  throw new Exit(code);
}

async function variablesFor(
  { sandbox, server, controlToken }: Launched,
  client: Client,
  seed: number | undefined,
) {
  const [partner] = sandbox.partners();
  return sandboxVariables({
    url: client.url,
    world: client.world,
    baseUrl: client.baseUrl,
    apiKey: partner?.apiKey ?? '',
    webhookSecret: partner === undefined ? '' : await ensureWebhookSecret(client, partner.id, seed),
    controlToken: server.needsToken ? controlToken : undefined,
  });
}

async function saveState(client: Client, file: string): Promise<void> {
  const { body } = await client.control({ method: 'GET', path: '/state' });
  writeAtomically(file, `${JSON.stringify(body, null, 2)}\n`);
  progress(`saved the state of the sandbox to ${file}`);
}
