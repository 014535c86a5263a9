import { createControlCall } from '../../client/operation-calls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { processOf } from '../connection/instance.ts';
import { type PrintFlag, printFlag } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { outputResponse } from '../output/response.ts';

/** Adds `info`, which shows what `health` and `process` show as well. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['info']).description(
    'Show status, addresses, API keys, options and process of the sandbox.',
  );
  connectionFlags(printFlag(command))
    .addHelpText('after', examples('info', 'info --print baseUrl'))
    .action(async (flags: ConnectionFlags & PrintFlag) => {
      checkPrintFlag(command, ['health', 'info', 'process']);
      const client = connect(flags);
      const call = createControlCall(client);
      const status = await call('health');
      const info = await call('info');
      // Null for a sandbox in another program.
      const process = await processOf(client);
      await outputResponse({ status: 200, body: { ...status, ...info, ...process } }, flags);
    });
};
