import { type CallControl, createControlCall } from '../../client/operation-calls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { printFlag } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputBody } from '../output/response.ts';

interface VerifyFlags extends ConnectionFlags {
  readonly correct?: true;
}

export const add: AddCommand = program => {
  const command = commandAt(program, ['simulate', '3ds-verify'])
    .description('Submit the passcode of a challenge, as the cardholder would.')
    .argument('<challenge-id>', 'id of the challenge')
    .argument('[otp]', 'the passcode')
    .option('--correct', 'submit the correct passcode, which the sandbox knows');
  connectionFlags(printFlag(command))
    .addHelpText(
      'after',
      examples(
        'simulate 3ds-verify "$(card-sandbox simulate 3ds card_mia_active 99 --print challengeId)" --correct',
      ),
    )
    .action(async (challengeId: string, argument: string | undefined, flags: VerifyFlags) => {
      checkPrintFlag(command, ['threeDSecure.verify']);
      if ((argument === undefined) === (flags.correct === undefined)) {
        command.error('error: pass either the passcode, or --correct');
      }
      const call = createControlCall(connect(flags));
      const otp = argument ?? (await correctOtp(call, challengeId));
      await outputBody(await call('threeDSecure.verify', challengeId, { otp }), flags);
    });
};

async function correctOtp(call: CallControl, challengeId: string): Promise<string> {
  const { otp, status } = await call('threeDSecure.get', challengeId);
  if (otp !== undefined) return otp;
  throw new Error(`challenge ${challengeId} is ${status}; its passcode works no longer, start another one`);
}
