import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { isUnread, printResult, printWhole, progress } from '../output/print.ts';
import { writeAtomically } from '../output/write-file.ts';

interface ExportFlags extends ConnectionFlags {
  readonly from?: string;
  readonly to?: string;
}

const AFTER = `
The record holds what decides the future of the world, its state before the first entry, every request with its response
and every webhook attempt. card-sandbox run plays it, card-sandbox open serves it. It holds the secrets of the sandbox.
${examples('history export main.record.jsonl', 'history export > main.record.jsonl')}`;

export const add: AddCommand = program => {
  const command = commandAt(program, ['history', 'export'])
    .description('Write the record of a world, which can be played and opened.')
    .argument('[file]', 'file to write (default: standard output)')
    .option('--from <entry>', 'first entry: its id, or the id of its request (default: the oldest)')
    .option('--to <entry>', 'last entry (default: the newest)');
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action(async (file: string | undefined, { from, to, ...flags }: ExportFlags) => {
      const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const content = await connect(flags).open({ method: 'GET', path: '/history/export', query });
      if (file !== undefined && file !== '-') {
        await writeAtomically(file, content);
        if (flags.json) await printResult(JSON.stringify({ file }));
        else progress(`wrote the record to ${file}`);
        return;
      }
      for await (const piece of content) {
        if (isUnread()) return;
        await printWhole(piece);
      }
    });
};
