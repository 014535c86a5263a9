import type { Client } from '../../../client/client.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { deliver } from '../../output/response.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';
import { partnerKey } from '../../connection/partner.ts';

interface CardFlags extends ConnectionFlags {
  readonly program?: string;
  readonly type?: string;
  readonly nameOnCard?: string;
  readonly partnerId?: string;
  readonly activate: boolean;
}

/** Adds `simulate card`: a card for a cardholder, ready to be used. */
export const addSimulateCard: AddCommands = program => {
  const command = commandAt(program, ['simulate', 'card'])
    .description(
      "Issue a card to an approved cardholder and activate it, by two calls to /v1 with the partner's key.",
    )
    .argument('<cardholder>', 'id of a cardholder with approved KYC')
    .option('--program <id>', "card program (default: the partner's first)")
    .option('--type <type>', 'virtual or physical (default: as the program has it)')
    .option('--name-on-card <text>', "what is printed on it (default: the cardholder's name)")
    .option('--no-activate', 'leave it in status created')
    .option('--partner-id <id>', 'partner that the cardholder belongs to (default: the first)');
  connectionFlags(command)
    .addHelpText('after', examples('simulate card ch_mia_approved --program prog_travel'))
    .action(async (cardholder: string, flags: CardFlags) => {
      const client = connect(flags);
      const key = await partnerKey(client, flags.partnerId);
      const body = {
        cardholderId: cardholder,
        cardProgramId: flags.program ?? (await firstProgram(client, key)),
        ...(flags.type === undefined ? {} : { type: flags.type }),
        ...(flags.nameOnCard === undefined ? {} : { nameOnCard: flags.nameOnCard }),
      };
      const issued = await client.api(key, { method: 'POST', path: '/partner/cards', body });
      // The sandbox checks its answers: a card has an id.
      const { id } = issued.body as { readonly id: string };
      const path = `/partner/cards/${encodeURIComponent(id)}/activate`;
      await deliver(flags.activate ? await client.api(key, { method: 'POST', path }) : issued, flags);
    });
};

/** The program that was created first: lists are newest first, so it is the last of the last page. */
async function firstProgram(client: Client, key: string): Promise<string> {
  const page = async (number: number) => {
    const query = { limit: '1', page: String(number) };
    const { body } = await client.api(key, { method: 'GET', path: '/partner/card-programs', query });
    return body as { readonly data: readonly { readonly id: string }[]; readonly total: number };
  };
  const { total } = await page(1);
  const [program] = total > 0 ? (await page(total)).data : [];
  if (program === undefined) throw new Error('this partner has no card program; name one in its fixture');
  return program.id;
}
