import { InvalidArgumentError } from 'commander';
import { createControlCall } from '../../client/operation-calls.ts';
import {
  forwardProblem,
  MAPPING_RULE,
  parseMapping,
  splitMapping,
} from '../../sandbox/transport/destination.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { webhookSecretsOf } from '../connection/forwarding.ts';
import { collect, printFlag } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputBody } from '../output/response.ts';

interface ForwardFlags extends ConnectionFlags {
  readonly map?: readonly string[];
  readonly allowHttpWebhooks?: true;
}

const AFTER = `
The setting applies from the next attempt on, and across resets, until it is changed. Flags that are left out are as
the sandbox was started, and so is everything after off. Prints the forwarding in force and the webhook secrets, by
partner, to verify signatures with.
${examples('forward http://127.0.0.1:3000/webhooks', 'forward off', 'forward http://127.0.0.1:3000/webhooks --world blue --json')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['forward'])
    .description('Send every webhook of the running sandbox to a URL, without a restart.')
    .argument('[url]', 'the URL, or off to forward as at the start again (default: only show it)', target)
    .option(
      '--map <from=to>',
      'send webhooks for URLs under FROM to the same path under TO; repeatable',
      mapping,
    )
    .option('--allow-http-webhooks', 'accept http:// webhook URLs');
  connectionFlags(printFlag(command))
    .addHelpText('after', AFTER)
    .action(async (url: string | undefined, { map, allowHttpWebhooks, ...flags }: ForwardFlags) => {
      checkPrintFlag(command, ['forwarding.show']);
      const client = connect(flags);
      const call = createControlCall(client);
      const isChange = map !== undefined || allowHttpWebhooks !== undefined;
      if (url === 'off') {
        if (isChange) command.error('error: off takes no --map and no --allow-http-webhooks');
        await call('forwarding.restore');
      } else if (url !== undefined || isChange) {
        await call('forwarding.set', {
          ...(url === undefined ? {} : { url }),
          ...(map === undefined ? {} : { map: Object.fromEntries(map.map(splitMapping)) }),
          ...(allowHttpWebhooks === undefined ? {} : { allowHttp: true }),
        });
      }
      const body = { ...(await call('forwarding.show')), webhookSecrets: await webhookSecretsOf(client) };
      await outputBody(body, flags);
    });
};

function target(text: string): string {
  return text === 'off' ? text : forwardUrl(text);
}

export function forwardUrl(text: string): string {
  const problem = forwardProblem(text);
  if (problem === null) return text;
  throw new InvalidArgumentError(`It ${problem}, such as http://127.0.0.1:3000/webhooks.`);
}

function mapping(text: string, previous: unknown): readonly string[] {
  if (parseMapping(text) === null) throw new InvalidArgumentError(`It ${MAPPING_RULE}.`);
  return collect(text, previous);
}
