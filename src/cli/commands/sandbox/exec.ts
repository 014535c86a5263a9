import { createHash } from 'node:crypto';
import { Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { Exit, FAILED } from '../../exit.ts';
import { writeWhole } from '../../output/response.ts';
import { progress } from '../../output/print.ts';
import { runChild } from './run-child.ts';
import { variablesFor } from './variables.ts';
import { setWebhookSecret, webhookSecretOf } from '../../connection/webhook-secret.ts';
import { type Launched, launch, naming, type ServeFlags, serveFlags } from './start.ts';

interface ExecFlags extends ServeFlags {
  readonly logFormat?: 'pretty' | 'json';
  readonly json?: true;
  readonly stateOnFailure?: string;
}

/** How long what is in flight may take to finish once the command has ended. */
const GRACE_MS = 1_000;

const AFTER = `
The command finds the sandbox by CARD_SANDBOX_URL, SERVICE_BASE_URL, SERVICE_API_KEY and
SERVICE_WEBHOOK_SECRET. A partner without a webhook secret is given one; a reset takes it away again, so
send it along when you configure webhooks. The exit code is the command's own: 128 and the signal's
number when a signal ended it, 127 when there is no such command. SIGINT and SIGTERM are handed on; 10 s
after that, and when the command has ended, whatever it left running is ended too.
${examples('exec -- npm test', 'exec --fixtures empty --freeze --state-on-failure failed.json -- npx vitest run')}`;

/** Adds `exec`, which runs a command beside a sandbox that lives as long as the command. */
export const addExec: AddCommands = program => {
  const command = commandAt(program, ['exec'])
    .description('Start a sandbox on a free port, run a command that can call it, and stop.')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'the command and its arguments, behind --');
  serveFlags(command, 0)
    .option('--state-on-failure <file>', 'write the whole world to a file when the command fails')
    .addOption(
      new Option('--log-format <format>', 'log requests on standard error (default: no log)').choices([
        'pretty',
        'json',
      ]),
    )
    .option('--json', 'the same as --log-format json')
    .showHelpAfterError('(card-sandbox exec --help shows how it is used; the command stands behind --)')
    .addHelpText('after', AFTER)
    .action((words: readonly string[], flags: ExecFlags) => naming(command, exec(words, flags)));
};

async function exec(words: readonly string[], flags: ExecFlags): Promise<never> {
  const { logFormat, json, stateOnFailure, ...serving } = flags;
  const format = json ? 'json' : logFormat;
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  const launched = await launch(serving, format === undefined ? null : { isJson: format === 'json', write });
  const { sandbox, server, controlToken } = launched;
  let code = FAILED;
  try {
    const client = createClient({ url: server.origin, controlToken });
    const variables = await surroundings(launched, client);
    code = await runChild(words, { ...process.env, ...variables });
    if (code !== 0 && stateOnFailure !== undefined) await saveState(client, stateOnFailure);
  } finally {
    await server.close(GRACE_MS);
    sandbox.stop();
  }
  sandbox.saveState();
  throw new Exit(code);
}

async function surroundings({ sandbox, server, controlToken }: Launched, client: Client) {
  const [partner] = sandbox.partners();
  return variablesFor({
    url: client.url,
    baseUrl: client.baseUrl,
    apiKey: partner?.apiKey ?? '',
    webhookSecret: partner === undefined ? '' : await secretFor(client, partner.id, sandbox.options.seed),
    controlToken: server.needsToken ? controlToken : undefined,
  });
}

/** The secret of a partner, which is given one, the same for the same seed, where it has none. */
async function secretFor(client: Client, partnerId: string, seed: number): Promise<string> {
  const configured = await webhookSecretOf(client, partnerId);
  if (configured !== null) return configured;
  const secret = `whsec_test_${createHash('sha256').update(String(seed)).digest('hex').slice(0, 32)}`;
  await setWebhookSecret(client, partnerId, secret);
  return secret;
}

async function saveState(client: Client, file: string): Promise<void> {
  const { body } = await client.control({ method: 'GET', path: '/state' });
  writeWhole(file, `${JSON.stringify(body, null, 2)}\n`);
  progress(`the state of the sandbox is in ${file}`);
}
