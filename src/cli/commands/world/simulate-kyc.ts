import { Option } from 'commander';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { deliver } from '../../output/response.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';

interface KycFlags extends ConnectionFlags {
  readonly outcome: 'approve' | 'reject';
}

/** Adds `simulate kyc`: the card provider decides about a cardholder, at once. */
export const addSimulateKyc: AddCommands = program => {
  const command = commandAt(program, ['simulate', 'kyc'])
    .description(
      'Decide a KYC submission in flight, as the card provider would, without waiting for its delay.',
    )
    .argument('<cardholder>', 'id of a cardholder whose KYC was submitted')
    .addOption(
      new Option('--outcome <outcome>', 'what is decided').choices(['approve', 'reject']).default('approve'),
    );
  connectionFlags(command)
    .addHelpText('after', examples('simulate kyc ch_nora_in_flight --outcome reject'))
    .action(async (cardholder: string, flags: KycFlags) => {
      const path = `/cardholders/${encodeURIComponent(cardholder)}/kyc/${flags.outcome}`;
      await deliver(await connect(flags).control({ method: 'POST', path }), flags);
    });
};
