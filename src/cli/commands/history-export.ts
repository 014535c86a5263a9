import { Option } from 'commander';
import type { HistoryExport } from '../../client/controls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { withChoices } from '../flags.ts';
import { printable, printResult, progress } from '../output/print.ts';
import { writeAtomically } from '../output/write-file.ts';

const FORMATS: readonly NonNullable<HistoryExport['format']>[] = ['scenario', 'har', 'curl'];

interface ExportFlags extends ConnectionFlags {
  readonly format: string;
  readonly from?: string;
  readonly to?: string;
}

const AFTER = `
A scenario plays again with run, in which keys and secrets are variables. A HAR file opens in the network view of a
browser; keys and tokens in it are masked. A shell script needs curl, and SERVICE_BASE_URL, SERVICE_API_KEY and
CARD_SANDBOX_URL in its environment.
${examples(
  'history export failure.yaml',
  'history export --format har requests.har',
  'history export --format curl requests.sh',
)}`;

/** Adds `history export`, which writes the history as a file or prints it. */
export const add: AddCommand = program => {
  const command = commandAt(program, ['history', 'export'])
    .description('Export the history as a scenario, a HAR document or a shell script.')
    .argument('[file]', 'file to write (default: standard output)')
    .addOption(withChoices(new Option('--format <format>', 'output format'), FORMATS).default('scenario'))
    .option('--from <id>', 'id of the first entry (default: the oldest)')
    .option('--to <id>', 'id of the last entry (default: the newest)');
  connectionFlags(command)
    .addHelpText('after', AFTER)
    .action(async (file: string | undefined, { format, from, to, json, ...flags }: ExportFlags) => {
      const query = { format, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const stream = await connect(flags).open({ method: 'GET', path: '/history/export', query });
      const text = await new Response(stream).text();
      if (file === undefined) {
        await printResult(json ? printable(await asJson(text, format)) : text.trimEnd());
        return;
      }
      await writeAtomically(file, text);
      if (json) await printResult(JSON.stringify({ file, format }));
      else progress(`wrote ${file}`);
    });
};

/** Returns an export as JSON: a scenario and a HAR document as what they hold, a script as the text of an object. */
async function asJson(text: string, format: string): Promise<string> {
  if (format === 'har') return JSON.stringify(JSON.parse(text));
  if (format === 'curl') return JSON.stringify({ format, text });
  // Imported here, so that the other formats do not load it.
  const { readDocument } = await import('../../sandbox/fixtures/file/document.ts');
  return JSON.stringify(readDocument({ name: 'the history', text }).value);
}
