import { Option } from 'commander';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { type PrintFlag, printFlag, withChoices } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputResponse } from '../output/response.ts';

interface KycFlags extends ConnectionFlags, PrintFlag {
  readonly outcome: 'approve' | 'reject';
  readonly reason?: readonly string[];
}

/** Adds `simulate kyc`, which decides a pending KYC submission at once. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['simulate', 'kyc'])
    .description('Decide a pending KYC submission as the card provider would, without waiting for its delay.')
    .argument('<cardholder>', 'id of a cardholder whose KYC was submitted')
    .addOption(
      withChoices(new Option('--outcome <outcome>', 'the decision'), ['approve', 'reject']).default(
        'approve',
      ),
    )
    .option(
      '--reason <reason...>',
      'why it is rejected, such as document_expired; neither the API nor webhooks contain it',
    );
  printFlag(connectionFlags(command))
    .addHelpText(
      'after',
      examples('simulate kyc ch_nora_in_flight --outcome reject --reason document_expired'),
    )
    .action(async (cardholder: string, flags: KycFlags) => {
      checkPrintFlag(command, ['cardholders.details']);
      const { outcome, reason } = flags;
      if (outcome === 'approve' && reason !== undefined) {
        command.error(`error: option '--reason <reason...>' requires --outcome reject`);
      }
      const path = `/cardholders/${encodeURIComponent(cardholder)}/kyc/${outcome}`;
      await outputResponse(
        await connect(flags).control({ method: 'POST', path, ...(reason && { body: { reasons: reason } }) }),
        flags,
      );
    });
};
