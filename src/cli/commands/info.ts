import { createControlCall } from '../../client/operation-calls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { type PrintFlag, printFlag } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputResponse } from '../output/response.ts';

/** Adds `info`, which shows what a sandbox is and where it runs. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['info']).description(
    'Show status, addresses, API keys, options and process of the sandbox.',
  );
  connectionFlags(printFlag(command))
    .addHelpText('after', examples('info', 'info --print baseUrl'))
    .action(async (flags: ConnectionFlags & PrintFlag) => {
      checkPrintFlag(command, ['health', 'info']);
      const call = createControlCall(connect(flags));
      const body = { ...(await call('health')), ...(await call('info')) };
      await outputResponse({ status: 200, body }, flags);
    });
};
