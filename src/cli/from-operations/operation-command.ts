import type { Command } from 'commander';
import { membersOf } from '../../sandbox/operation-members.ts';
import { commandAt, examples } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { kebab } from '../flags.ts';
import { checkPrintFlag, type PrintFlag, printFlag } from '../output/print-field.ts';
import { combined, outputResponse } from '../output/response.ts';
import { CommandInput, type Flag, isInBody } from './command-input.ts';
import { optionFor } from './member-flags.ts';
import type { Operation, Plan } from './plan.ts';
import { responseFields } from './response-fields.ts';

/** Adds the command of a plan, with arguments and flags from the schemas of its operations. */
export function addOperation(program: Command, plan: Plan): void {
  const { words, params, members, operation, twin, alias } = plan;
  const command = commandAt(program, words).description(describe(plan));
  for (const name of params) command.argument(`<${kebab(name)}>`);
  for (const name of members) command.argument(`[${kebab(name)}]`);
  if (alias.file !== undefined) command.argument(alias.file === 'read' ? '<file>' : '[file]');
  const flags = alias.file === undefined ? flagsFor(plan) : [];
  for (const { option } of flags) command.addOption(option);
  const hasBody = flags.some(({ member }) => isInBody(member, operation));
  const takesBody = hasBody && !flags.some(({ option }) => option.attributeName() === 'body');
  if (takesBody) command.option('--body <json>', 'the whole body as JSON, or @FILE; other flags override it');
  const makers = makersIn(plan);
  if (makers.length > 0) printFlag(command);
  connectionFlags(command)
    .addHelpText('after', examples(`${words.join(' ')} ${alias.example}`.trim()))
    .action(async () => {
      const input = new CommandInput(command, plan, flags, takesBody);
      const chosen = input.chosen();
      checkPrintFlag(command, () => responseFields(makers));
      const also = twin !== null && alias.with?.insteadFor === undefined ? [twin] : [];
      const client = connect(command.opts<ConnectionFlags>());
      const responses = [];
      for (const each of [chosen, ...also]) responses.push(await client.control(input.request(each)));
      await outputResponse(
        combined(responses),
        command.opts<ConnectionFlags & PrintFlag>(),
        alias,
        input.file(),
      );
    });
}

function describe({ operation, twin, alias }: Plan): string {
  if (twin === null) return `${operation.summary}.`;
  const decisive = alias.with?.insteadFor;
  return `${operation.summary}. ${decisive === undefined ? 'And' : `With --${decisive}`}: ${twin.summary}.`;
}

/** The operations of a command that make something and respond with it. */
function makersIn({ operation, twin }: Plan): Operation[] {
  return [operation, ...(twin === null ? [] : [twin])].filter(
    ({ method, responses }) => method === 'POST' && Object.values(responses).some(schema => schema !== null),
  );
}

function flagsFor({ operation, twin, alias }: Plan): Flag[] {
  const flags: Flag[] = [];
  for (const each of twin === null ? [operation] : [operation, twin]) {
    for (const member of [...membersOf(each.query), ...membersOf(each.body)]) {
      const option = optionFor(member, alias.renamed);
      const index = flags.findIndex(flag => flag.option.attributeName() === option.attributeName());
      const shared = flags[index];
      if (shared === undefined) flags.push({ member, option, operations: [each] });
      else flags[index] = { ...shared, operations: [...shared.operations, each] };
    }
  }
  return flags;
}
