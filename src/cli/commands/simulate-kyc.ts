import { Option } from 'commander';
import type { KycRejectionReason } from '../../client/generated/records.ts';
import { createControlCall } from '../../client/operation-calls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { printFlag, withChoices } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputBody } from '../output/response.ts';

interface KycFlags extends ConnectionFlags {
  readonly outcome: 'approve' | 'reject';
  readonly reason?: readonly KycRejectionReason[];
}

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
      const call = createControlCall(connect(flags));
      const decided =
        outcome === 'approve'
          ? await call('cardholders.kyc.approve', cardholder)
          : await call('cardholders.kyc.reject', cardholder, reason && { reasons: reason });
      await outputBody(decided, flags);
    });
};
