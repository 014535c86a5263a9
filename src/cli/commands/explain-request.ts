import type { JournalEntry, Rule } from '../../client/generated/records.ts';
import { type CallControl, createControlCall } from '../../client/operation-calls.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { printFlag } from '../flags.ts';
import { checkPrintFlag } from '../from-operations/print-flag.ts';
import { lineWidth, printable } from '../output/print.ts';
import { outputBody } from '../output/response.ts';
import { wrapText } from '../output/wrap.ts';

export const add: AddCommand = program => {
  const command = commandAt(program, ['requests', 'explain'])
    .description('Explain a response: the request, the rule behind it, and what would have been accepted.')
    .argument(
      '[id]',
      'id of a journalled request, from the response header X-Sandbox-Request (default: the newest refusal)',
    );
  connectionFlags(printFlag(command))
    .addHelpText('after', examples('requests explain', 'requests explain req_ccfkxhs9z14667f3'))
    .action(async (id: string | undefined, flags: ConnectionFlags) => {
      checkPrintFlag(command, ['requests.get']);
      const call = createControlCall(connect(flags));
      await outputBody(await call('requests.get', id ?? (await newestRefusal(call))), flags, explanation);
    });
};

async function newestRefusal(call: CallControl): Promise<string> {
  // The newest first.
  const requests = await call('requests.list');
  const refused = requests.find(({ refusal }) => refusal !== null);
  if (refused === undefined)
    throw new Error('no request in the journal was refused; pass the id of a request');
  return refused.id;
}

function explanation(entry: JournalEntry): string {
  const { method, path, query, operation, partnerId, at, status, refusal, rule } = entry;
  const url = path + (query === '' ? '' : `?${query}`);
  return [
    // Not wrapped, so that the body can be copied.
    'Request',
    ...[
      `${method} ${url}`,
      `by ${partnerId ?? 'an unknown partner'} at ${at}${operation === null ? '' : `, operation ${operation}`}`,
      ...(entry.request.body === '' ? [] : [`body: ${entry.request.body}`]),
    ].map(line => `  ${printable(line)}`),
    ...section('Response', [`${status}${refusal === null ? '' : `: ${refusal}`}`]),
    ...section('Decided by', rule === null ? [] : ruleLines(rule)),
    ...section('Would have been accepted', entry.wouldPass ?? []),
    ...section('Hints', entry.hints),
    ...section(
      'Changed',
      entry.changes.map(({ kind, id, action }) => `${kind} ${id} ${action}`),
    ),
    ...section(
      'Events',
      entry.events.map(({ eventType, id }) => `${eventType} (${id})`),
    ),
  ].join('\n');
}

function ruleLines({ fidelity, id, section: number, decision }: Rule): string[] {
  if (fidelity === 'documented') return [`section ${number} of the interface`];
  return [
    `assumption ${id}, because section ${number} of the interface is silent`,
    ...(decision === null ? [] : [decision]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  const broken = lines.flatMap(line => wrapText(printable(line), lineWidth() - 2));
  return lines.length === 0 ? [] : [title, ...broken.map(line => `  ${line}`)];
}
