import { Option } from 'commander';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { checkInstance, instanceFlag } from '../connection/instance.ts';
import { findPartner } from '../connection/partner.ts';
import { printFlag, withChoices } from '../flags.ts';
import { printResult } from '../output/print.ts';
import { printField } from '../output/response.ts';
import { FORMATS, type Format, formatVariables, variablesFor } from '../sandbox/variables.ts';

interface EnvFlags extends ConnectionFlags {
  readonly format: Format;
  readonly partnerId?: string;
  readonly instance?: string;
}

const AFTER = `
Prints CARD_SANDBOX_URL, CARD_SANDBOX_WORLD, SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_WEBHOOK_SECRET. For a
partner without a webhook secret that is the one with which forward signs. With --instance, CARD_SANDBOX_INSTANCE ties later commands to the same
process. The format dotenv writes a file that a shell, dotenv and Docker's --env-file read alike, and fails for a
value that they would read differently.
${examples(
  'env > .env.sandbox; . ./.env.sandbox',
  'env --format github >> "$GITHUB_ENV"',
  'env --format dotenv --partner-id partner_globex',
  'env --world blue --json',
)}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['env'])
    .description('Print environment variables for programs that call the running sandbox.')
    .addOption(withChoices(new Option('--format <format>', 'output format'), FORMATS).default('sh'))
    .option('--partner-id <id>', 'partner whose API key is printed (default: the first)');
  connectionFlags(instanceFlag(printFlag(command)))
    .addHelpText('after', AFTER)
    .action(async (flags: EnvFlags) => {
      const client = connect(flags);
      await checkInstance(client, flags.instance);
      const variables = await variablesFor(client, await findPartner(client, flags.partnerId), flags);
      if (flags.print !== undefined) return printField(variables, flags.print);
      return printResult(formatVariables(variables, flags.json ? 'json' : flags.format));
    });
};
