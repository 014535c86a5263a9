import type { Command } from 'commander';
import type { Client, ClientCall, ClientResponse } from '../../client/client.ts';
import { kebab } from '../../core/values/kebab.ts';
import { membersOf } from '../../sandbox/operation-members.ts';
import { operations } from '../../sandbox/operations.ts';
import { type AddCommand, commandAt, examples, subcommand } from '../command.ts';
import { type ConnectionFlags, connect, connectionFlags } from '../connection/connection.ts';
import { Exit, FAILED } from '../errors.ts';
import { type PrintFlag, printFlag } from '../flags.ts';
import { combineResponses, outputResponse } from '../output/response.ts';
import { ALIASES, type Alias, NOUNS, SERVED_ELSEWHERE } from './aliases.ts';
import { CommandInput, type Flag, isInBody, type Operation, type Plan } from './command-input.ts';
import { optionFor } from './member-flags.ts';
import { checkPrintFlag } from './print-flag.ts';

/** Adds a command for every control operation of the table. */
export const add: AddCommand = program => {
  for (const plan of plansFor(operations)) addOperation(program, plan);
  for (const [word, about] of Object.entries(ABOUT)) subcommand(program, word)?.description(about);
};

const ABOUT = { ...NOUNS, simulate: 'Actions of the card network, the card provider and the bank.' };

/** Returns a command for every control operation. */
export function plansFor(table: readonly Operation[]): Plan[] {
  const control = table.filter(({ plane }) => plane === 'control');
  const served = [...Object.values(ALIASES).map(({ twin }) => twin), ...Object.keys(SERVED_ELSEWHERE)];
  return control
    .filter(({ id }) => !served.includes(id))
    .map(operation => {
      const alias: Alias = ALIASES[operation.id] ?? {};
      return {
        words: alias.words?.split(' ') ?? operation.id.split('.').map(kebab),
        params: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        members: alias.members ?? [],
        operation,
        twin: control.find(({ id }) => id === alias.twin) ?? null,
        alias,
      };
    });
}

/** Adds the command of a plan, with arguments and flags from the schemas of its operations. */
function addOperation(program: Command, plan: Plan): void {
  const { words, params, members, operation, twin, alias } = plan;
  const command = commandAt(program, words).description(descriptionOf(plan));
  for (const name of params) command.argument(`<${kebab(name)}>`);
  for (const name of members) command.argument(`[${kebab(name)}]`);
  if (alias.file !== undefined) command.argument(alias.file === 'read' ? '<file>' : '[file]');
  const flags = alias.file === undefined ? flagsFor(plan) : [];
  for (const { option } of flags) command.addOption(option);
  // For commander an argument that has a flag as well is optional.
  const isRequired = (name: string) =>
    flags.some(({ member }) => member.path.join('.') === name && member.isRequired);
  if (members.some(isRequired)) {
    const shown = members.map(name => (isRequired(name) ? `<${kebab(name)}>` : `[${kebab(name)}]`));
    command.usage(['[options]', ...params.map(name => `<${kebab(name)}>`), ...shown].join(' '));
  }
  const hasBody = flags.some(({ member }) => isInBody(member, operation));
  const takesBody = hasBody && !flags.some(({ option }) => option.attributeName() === 'body');
  if (takesBody) command.option('--body <json>', 'the whole body as JSON, or @FILE; other flags override it');
  const printed = alias.file === undefined ? idsOfRecords(plan) : [];
  if (printed.length > 0) printFlag(command);
  const example = alias.example ?? params.map(name => `<${kebab(name)}>`).join(' ');
  connectionFlags(command)
    .addHelpText('after', examples(`${words.join(' ')} ${example}`.trim()))
    .action(async () => {
      const input = new CommandInput(command, plan, flags, takesBody);
      const chosen = input.chosen();
      checkPrintFlag(command, printed);
      const calls = twin !== null && alias.insteadFor === undefined ? [chosen, twin] : [chosen];
      const client = connect(command.opts<ConnectionFlags>());
      const responses = [];
      for (const each of calls) {
        const request = input.request(each);
        const isText = each.textTypes.length > 0;
        responses.push(isText ? await readText(client, request) : await client.control(request));
      }
      await outputResponse(
        combineResponses(responses),
        command.opts<ConnectionFlags & PrintFlag>(),
        alias,
        input.file(),
      );
      checkEffect(responses, alias.effect);
    });
}

/** Resolves with a response whose body is a text. */
async function readText(client: Client, call: ClientCall): Promise<ClientResponse> {
  return { status: 200, body: await new Response(await client.open(call)).text() };
}

/** Fails the command when a response says that its operation had no effect. The response is printed already. */
function checkEffect(responses: readonly ClientResponse[], effect: string | undefined): void {
  if (effect === undefined) return;
  const failed = responses.map(({ body }) => Object(body)).find(body => body[effect] === false);
  if (failed !== undefined) throw new Exit(FAILED, `not ${effect}: ${failed.cause}`);
}

function descriptionOf({ operation, twin, alias: { insteadFor } }: Plan): string {
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

function flagsFor({ operation, twin, alias }: Plan): Flag[] {
  const flags: Flag[] = [];
  for (const each of twin === null ? [operation] : [operation, twin]) {
    for (const member of [...membersOf(each.query), ...membersOf(each.body)]) {
      // The flag that chooses the twin is not required.
      const shown = { ...member, isRequired: member.isRequired && member.path[0] !== alias.insteadFor };
      const option = optionFor(shown, alias.renamed);
      const index = flags.findIndex(flag => flag.option.attributeName() === option.attributeName());
      const shared = flags[index];
      if (shared === undefined) flags.push({ member, option, operations: [each] });
      else flags[index] = { ...shared, operations: [...shared.operations, each] };
    }
  }
  return flags;
}
