import type { Command } from 'commander';
import { commandAt, examples } from '../command.ts';
import { combined, deliver } from '../output/response.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { CommandInput, type Flag, isInBody } from './command-input.ts';
import { kebab, optionFor } from './member-flags.ts';
import { membersOf } from './members.ts';
import type { Plan } from './plan.ts';

/** Adds the command of a plan: its arguments and flags come from the operation's schemas. */
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
  if (takesBody) command.option('--body <json>', 'the whole body as JSON, or @FILE; other flags weigh more');
  connectionFlags(command)
    .addHelpText('after', examples(`${words.join(' ')} ${alias.example}`.trim()))
    .action(async () => {
      const given = new CommandInput(command, plan, flags, takesBody);
      const chosen = given.chosen();
      const also = twin !== null && alias.with?.insteadFor === undefined ? [twin] : [];
      const client = connect(command.opts<ConnectionFlags>());
      const answers = [];
      for (const each of [chosen, ...also]) answers.push(await client.control(given.request(each)));
      await deliver(combined(answers), command.opts<ConnectionFlags>(), alias, given.file());
    });
}

function describe({ operation, twin, alias }: Plan): string {
  if (twin === null) return `${operation.summary}.`;
  const decisive = alias.with?.insteadFor;
  return `${operation.summary}. ${decisive === undefined ? 'And' : `With --${decisive}`}: ${twin.summary}.`;
}

function flagsFor({ operation, twin, alias }: Plan): Flag[] {
  const flags: Flag[] = [];
  for (const each of twin === null ? [operation] : [operation, twin]) {
    for (const member of [...membersOf(each.query), ...membersOf(each.body)]) {
      const option = optionFor(member, alias.renamed);
      const known = flags.findIndex(flag => flag.option.attributeName() === option.attributeName());
      const same = flags[known];
      if (same === undefined) flags.push({ member, option, operations: [each] });
      else flags[known] = { ...same, operations: [...same.operations, each] };
    }
  }
  return flags;
}
