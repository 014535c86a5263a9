import { createHash, randomBytes } from 'node:crypto';
import { Option } from 'commander';
import { type Client, createClient } from '../../../client/client.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { setWebhookSecret, webhookSecretOf } from '../../connection/webhook-secret.ts';
import { Exit, FAILED } from '../../exit.ts';
import { withOptionErrors } from '../../option-errors.ts';
import { progress } from '../../output/print.ts';
import { reportSave } from '../../output/saved.ts';
import { writeAtomically } from '../../output/write-file.ts';
import { type Launched, launch } from './launch.ts';
import { runChild } from './run-child.ts';
import { type ServeFlags, sandboxFlags } from './sandbox-flags.ts';
import { sandboxVariables } from './variables.ts';

interface ExecFlags extends ServeFlags {
  readonly logFormat?: 'pretty' | 'json';
  readonly json?: true;
  readonly stateOnFailure?: string;
}

/** How long requests in flight may take to finish once the command has ended. */
const GRACE_MS = 1_000;

const AFTER = `
The command receives the address and credentials of the sandbox in CARD_SANDBOX_URL, SERVICE_BASE_URL,
SERVICE_API_KEY and SERVICE_WEBHOOK_SECRET. A partner without a webhook secret gets one. A reset removes it again,
so include the secret when you configure webhooks.

The exit code is that of the command: 128 plus the signal number when a signal ended it, 127 when the command is not
found. SIGINT and SIGTERM are forwarded. Whatever is still running 10 s after a signal, or after the command has
ended, is killed.
${examples('exec -- npm test', 'exec --fixtures empty --freeze --state-on-failure failed.json -- npx vitest run')}`;

/** Adds `exec`, which runs a command against a sandbox that lives as long as the command. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['exec'])
    .description('Start a sandbox on a free port, run a command that can call it, and stop.')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'the command and its arguments, after --');
  sandboxFlags(command, 0)
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
    .action((words: readonly string[], flags: ExecFlags) => withOptionErrors(command, exec(words, flags)));
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
    webhookSecret: partner === undefined ? '' : await ensureSecret(client, partner.id, seed),
    controlToken: server.needsToken ? controlToken : undefined,
  });
}

/** Returns the webhook secret of a partner. Configures one when there is none: the same for the same `--seed`, else random. */
async function ensureSecret(client: Client, partnerId: string, seed: number | undefined): Promise<string> {
  const configured = await webhookSecretOf(client, partnerId);
  if (configured !== null) return configured;
  const hash = seed === undefined ? randomBytes(32) : createHash('sha256').update(String(seed)).digest();
  const secret = `whsec_test_${hash.toString('hex').slice(0, 32)}`;
  await setWebhookSecret(client, partnerId, secret);
  return secret;
}

async function saveState(client: Client, file: string): Promise<void> {
  const { body } = await client.control({ method: 'GET', path: '/state' });
  writeAtomically(file, `${JSON.stringify(body, null, 2)}\n`);
  progress(`saved the state of the sandbox to ${file}`);
}
