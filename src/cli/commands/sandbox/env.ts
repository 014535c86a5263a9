import { Option } from 'commander';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { printResult, progress } from '../../output/print.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';
import { partnerOf } from '../../connection/partner.ts';
import { FORMATS, type Format, variablesFor, written } from './variables.ts';
import { webhookSecretOf } from '../../connection/webhook-secret.ts';

interface EnvFlags extends ConnectionFlags {
  readonly format: Format;
  readonly partnerId?: string;
}

const AFTER = `
It prints CARD_SANDBOX_URL, SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_WEBHOOK_SECRET; the last is empty
when the partner has no webhook secret.
${examples(
  'env > .env.sandbox; . ./.env.sandbox',
  'env --format github >> "$GITHUB_ENV"',
  'env --format dotenv --partner-id partner_globex',
)}`;

/** Adds `env`, which prints what a program needs to call a running sandbox. */
export const addEnv: AddCommands = program => {
  const command = commandAt(program, ['env'])
    .description('Print variables that tell a program how to call the running sandbox.')
    .addOption(new Option('--format <format>', 'form of the lines').choices(FORMATS).default('sh'))
    .option('--partner-id <id>', 'partner whose key is printed (default: the first)');
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action(async (flags: EnvFlags) => {
      const client = connect(flags);
      const { id, apiKey } = await partnerOf(client, flags.partnerId);
      const secret = await webhookSecretOf(client, id);
      if (secret === null)
        progress(`${id} has no webhook secret; PATCH /v1/partner/webhooks/config sets one`);
      const variables = variablesFor({
        url: client.url,
        baseUrl: client.baseUrl,
        apiKey,
        webhookSecret: secret ?? '',
        controlToken: flags.controlToken,
      });
      await printResult(written(variables, flags.json ? 'json' : flags.format));
    });
};
