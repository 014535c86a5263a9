import type { JournalEntry, Rule } from '../../../client/feed-types.ts';
import { createNameTranslator } from '../../../kernel/request/names.ts';
import type { operations } from '../../../sandbox/operations.ts';
import { type AddCommands, commandAt, examples } from '../../command.ts';
import { whatPasses } from './accepted-input.ts';
import { lineWidth, printable, printResult } from '../../output/print.ts';
import { wrapped } from '../../output/wrap.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../../connection/connection.ts';

/** Adds `requests explain`: what was asked, what decided, and what would have passed. */
export function addExplain(program: Parameters<AddCommands>[0], table: typeof operations): void {
  const command = commandAt(program, ['requests', 'explain'])
    .description('Explain an answer: what was asked, which rule decided, what would have passed.')
    .argument('<id>', 'a request of the journal; the header X-Sandbox-Request of each answer names it');
  connectionFlags(command)
    .addHelpText('after', examples('requests explain req_1'))
    .action(async (id: string, flags: ConnectionFlags) => {
      const path = `/requests/${encodeURIComponent(id)}`;
      const client = connect(flags);
      const { body } = await client.control({ method: 'GET', path });
      // The sandbox checks its answers against the schema of a journal entry.
      const entry = body as JournalEntry;
      const words = createNameTranslator((await client.info()).options.names ?? {});
      const passes = whatPasses(entry, table).map(line => words?.text(line) ?? line);
      if (flags.json) await printResult(printable(JSON.stringify({ ...entry, wouldPass: passes })));
      else await printResult(explained(entry, passes));
    });
}

function explained(entry: JournalEntry, passes: readonly string[]): string {
  const { method, path, query, operation, partnerId, at, status, refusal, rule } = entry;
  const whole = path + (query === '' ? '' : `?${query}`);
  return [
    // Not broken into lines, so that the body can be copied.
    'Asked',
    ...[
      `${method} ${whole}`,
      `by ${partnerId ?? 'nobody known'} at ${at}${operation === null ? '' : `, operation ${operation}`}`,
      ...(entry.request.body === '' ? [] : [`body: ${entry.request.body}`]),
    ].map(line => `  ${printable(line)}`),
    ...section('Answered', [`${status}${refusal === null ? '' : `: ${refusal}`}`]),
    ...section('Decided by', rule === null ? [] : ruleLines(rule)),
    ...section('Would have passed', passes),
    ...section('Ignored', entry.hints),
    ...section(
      'Changed',
      entry.changes.map(({ kind, id, action }) => `${kind} ${id} ${action}`),
    ),
    ...section(
      'Raised',
      entry.events.map(({ eventType, id }) => `${eventType} (${id})`),
    ),
  ].join('\n');
}

function ruleLines({ fidelity, id, section: where, decision }: Rule): string[] {
  if (fidelity === 'documented') return [`the interface itself, section ${where}`];
  return [
    `assumption ${id}, which fills section ${where} of the interface`,
    ...(decision === null ? [] : [decision]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  const broken = lines.flatMap(line => wrapped(printable(line), lineWidth() - 2));
  return lines.length === 0 ? [] : [title, ...broken.map(line => `  ${line}`)];
}
