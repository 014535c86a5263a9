import type { Client } from '../../../client/client.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';
import { findPartner } from '../../connection/partner.ts';
import { responseFieldsOf } from '../../from-operations/response-fields.ts';
import { checkPrintFlag, type PrintFlag, printFlag } from '../../output/print-field.ts';
import { outputResponse } from '../../output/response.ts';

interface CardFlags extends ConnectionFlags, PrintFlag {
  readonly program?: string;
  readonly type?: string;
  readonly nameOnCard?: string;
  readonly partnerId?: string;
  readonly activate: boolean;
}

/** Adds `simulate card`, which issues and activates a card. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['simulate', 'card'])
    .description('Issue a card to an approved cardholder and activate it, with two calls to the partner API.')
    .argument('<cardholder>', 'id of a cardholder with approved KYC')
    .option('--program <id>', "card program (default: the partner's first)")
    .option('--type <type>', "virtual or physical (default: the program's type)")
    .option('--name-on-card <text>', "name printed on the card (default: the cardholder's name)")
    .option('--no-activate', 'leave the card in status created')
    .option('--partner-id <id>', 'partner of the cardholder (default: the first)');
  printFlag(connectionFlags(command))
    .addHelpText('after', examples('simulate card ch_mia_approved --program prog_travel'))
    .action((cardholder: string, flags: CardFlags) => {
      checkPrintFlag(command, () => responseFieldsOf('cards.issue'));
      return issueCard(cardholder, flags);
    });
};

async function issueCard(cardholderId: string, flags: CardFlags): Promise<void> {
  const client = connect(flags);
  const { apiKey } = await findPartner(client, flags.partnerId);
  const body = {
    cardholderId,
    cardProgramId: flags.program ?? (await firstProgram(client, apiKey)),
    ...(flags.type === undefined ? {} : { type: flags.type }),
    ...(flags.nameOnCard === undefined ? {} : { nameOnCard: flags.nameOnCard }),
  };
  const issued = await client.api(apiKey, { method: 'POST', path: '/partner/cards', body });
  if (!flags.activate) return outputResponse(issued, flags);
  // The sandbox validates its responses: a card has an id.
  const { id } = issued.body as { readonly id: string };
  const path = `/partner/cards/${encodeURIComponent(id)}/activate`;
  await outputResponse(await client.api(apiKey, { method: 'POST', path }), flags);
}

/** Returns the program that was created first. Lists are newest first, so it is the last entry of the last page. */
async function firstProgram(client: Client, apiKey: string): Promise<string> {
  const page = async (number: number) => {
    const query = { limit: '1', page: String(number) };
    const { body } = await client.api(apiKey, { method: 'GET', path: '/partner/card-programs', query });
    // The sandbox validates its responses: this is a page of programs.
    return body as { readonly data: readonly { readonly id: string }[]; readonly total: number };
  };
  const { total } = await page(1);
  const [program] = total > 0 ? (await page(total)).data : [];
  if (program === undefined) throw new Error('this partner has no card program; add one to its fixture');
  return program.id;
}
