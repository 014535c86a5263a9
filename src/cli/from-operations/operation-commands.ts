import type { Command } from 'commander';
import { kebab } from '../../core/values/kebab.ts';
import { printableLines } from '../../core/values/text.ts';
import { membersOf } from '../../sandbox/operation-members.ts';
import { operations } from '../../sandbox/operations.ts';
import { commandAt, examples, subcommand } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { Exit, FAILED } from '../errors.ts';
import { printFlag } from '../flags.ts';
import { printResult, progress } from '../output/print.ts';
import { outputBody } from '../output/response.ts';
import { show } from '../output/show.ts';
import { writeAtomically } from '../output/write-file.ts';
import { CommandInput, type Flag, isInBody, type Operation, type Plan } from './command-input.ts';
import { NOUNS, OPERATION_COMMANDS, type OperationCommand } from './command-table.ts';
import { optionFor } from './member-flags.ts';
import { checkPrintFlag } from './print-flag.ts';

export function addOperationCommands(program: Command, word: string): void {
  for (const [words, definition] of Object.entries(OPERATION_COMMANDS)) {
    const path = words.split(' ');
    if (path[0] === word) addCommand(program, planOf(path, definition));
  }
  const about = ABOUT[word];
  if (about !== undefined) subcommand(program, word)?.description(about);
}

const ABOUT: Readonly<Record<string, string>> = {
  ...NOUNS,
  simulate: 'Actions of the card network, the card provider and the bank.',
};

function planOf(words: readonly string[], definition: OperationCommand): Plan {
  const operation = operationOf(definition.operation);
  return {
    words,
    params: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    members: definition.members ?? [],
    operation,
    twin: definition.twin === undefined ? null : operationOf(definition.twin),
    definition,
  };
}

function operationOf(id: string): Operation {
  const operation = operations.find(each => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

/** Adds the command of a plan, with arguments and flags from the schemas of its operations. */
function addCommand(program: Command, plan: Plan): void {
  const { words, params, members, operation, twin, definition } = plan;
  const command = commandAt(program, words).description(descriptionOf(plan));
  for (const name of params) command.argument(`<${kebab(name)}>`);
  for (const name of members) command.argument(`[${kebab(name)}]`);
  if (definition.file !== undefined) command.argument(definition.file === 'read' ? '<file>' : '[file]');
  const ownFlags = definition.file === undefined ? flagsFor(plan) : [];
  for (const { option } of ownFlags) command.addOption(option);
  // For commander an argument that has a flag as well is optional.
  const isRequired = (name: string) =>
    ownFlags.some(({ member }) => member.path.join('.') === name && member.isRequired);
  if (members.some(isRequired)) {
    const shown = members.map(name => (isRequired(name) ? `<${kebab(name)}>` : `[${kebab(name)}]`));
    command.usage(['[options]', ...params.map(name => `<${kebab(name)}>`), ...shown].join(' '));
  }
  const hasBody = ownFlags.some(({ member }) => isInBody(member, operation));
  const takesBody = hasBody && !ownFlags.some(({ option }) => option.attributeName() === 'body');
  if (takesBody) command.option('--body <json>', 'the whole body as JSON, or @FILE; other flags override it');
  const printed = definition.file === undefined ? idsOfRecords(plan) : [];
  if (printed.length > 0) printFlag(command);
  const example = definition.example ?? params.map(name => `<${kebab(name)}>`).join(' ');
  connectionFlags(command)
    .addHelpText('after', examples(`${words.join(' ')} ${example}`.trim()))
    .action(async () => {
      const input = new CommandInput(command, plan, ownFlags, takesBody);
      const chosen = input.chosen();
      checkPrintFlag(command, printed);
      const calls = twin !== null && definition.insteadFor === undefined ? [chosen, twin] : [chosen];
      const flags = command.opts<ConnectionFlags>();
      const client = connect(flags);
      const bodies: unknown[] = [];
      for (const each of calls) bodies.push((await client.control(input.request(each))).body);
      const [first] = bodies;
      const body = bodies.every(Array.isArray) ? bodies.flat() : first;
      if (definition.file === 'write') return saveBody(body, input.file(), flags.json);
      await outputBody(body, flags, each => show(each, definition.columns));
      checkEffect(Object(body), definition.effect, flags.json);
    });
}

async function saveBody(body: unknown, file: string | undefined, json: true | undefined): Promise<void> {
  const text = JSON.stringify(body, null, 2);
  if (file === undefined || file === '-') return printResult(printableLines(text));
  await writeAtomically(file, `${text}\n`);
  return json ? printResult(JSON.stringify({ file })) : progress(`saved to ${file}`);
}

/** Fails the command when a response says that its operation had no effect. The response is printed already. */
function checkEffect(
  body: Readonly<Record<string, unknown>>,
  effect: string | undefined,
  json: true | undefined,
): void {
  if (effect === undefined) return;
  // A delivery without a URL is recorded, and has failed before any attempt.
  const isUnsent = body.status === 'failed' && body.attemptCount === 0;
  if (body[effect] !== false && !isUnsent) return;
  const hint = 'webhooks change-config --webhook-url sets a URL, forward sends to another one';
  if (isUnsent && !json) progress(hint);
  throw new Exit(FAILED, `not ${effect}: ${body.cause}${isUnsent ? `; ${hint}` : ''}`);
}

function descriptionOf({ operation, twin, definition: { insteadFor } }: Plan): string {
  if (twin === null) return `${operation.summary}.`;
  return `${operation.summary}. ${insteadFor === undefined ? 'And' : `With --${insteadFor}`}: ${twin.summary}.`;
}

/** Returns the ids of the operations of a command that respond with one record, as opposed to a list or nothing. */
function idsOfRecords({ operation, twin }: Plan): string[] {
  return [operation, twin]
    .filter(each => each !== null)
    .filter(({ responses }) =>
      Object.values(responses).some(schema => schema !== null && schema.def.type !== 'array'),
    )
    .map(({ id }) => id);
}

function flagsFor({ operation, twin, definition }: Plan): Flag[] {
  const flags: Flag[] = [];
  for (const each of twin === null ? [operation] : [operation, twin]) {
    for (const member of [...membersOf(each.query), ...membersOf(each.body)]) {
      // The flag that chooses the twin is not required.
      const shown = { ...member, isRequired: member.isRequired && member.path[0] !== definition.insteadFor };
      const option = optionFor(shown, definition.renamed);
      const index = flags.findIndex(flag => flag.option.attributeName() === option.attributeName());
      const shared = flags[index];
      if (shared === undefined) flags.push({ member, option, operations: [each] });
      else flags[index] = { ...shared, operations: [...shared.operations, each] };
    }
  }
  return flags;
}
