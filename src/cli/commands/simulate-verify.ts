import { createControlCall } from '../../client/operation-calls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { type PrintFlag, printFlag } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputResponse } from '../output/response.ts';

interface VerifyFlags extends ConnectionFlags, PrintFlag {
  readonly otp?: string;
  readonly correct?: true;
}

/** Adds `simulate 3ds-verify`, which reads the passcode of a challenge when it is not on the command line. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['simulate', '3ds-verify'])
    .description('Submit the passcode of a challenge, as the cardholder would.')
    .argument('<challenge-id>', 'id of the challenge')
    .argument('[otp]', 'the passcode')
    .option('--otp <text>', 'the passcode')
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
      const texts = [argument, flags.otp, flags.correct && 'the correct one'].filter(
        text => text !== undefined,
      );
      if (texts.length !== 1) {
        command.error('error: pass one of these: the passcode as an argument, --otp or --correct');
      }
      const client = connect(flags);
      const path = `/3ds/${encodeURIComponent(challengeId)}/verify`;
      const otp = argument ?? flags.otp ?? (await correctOtp());
      await outputResponse(await client.control({ method: 'POST', path, body: { otp } }), flags);

      async function correctOtp(): Promise<string> {
        const { otp: correct, status } = await createControlCall(client)('threeDSecure.get', challengeId);
        if (correct !== undefined) return correct;
        throw new Error(
          `challenge ${challengeId} is ${status}; its passcode works no longer, start another one`,
        );
      }
    });
};
