import { type Command, Option } from 'commander';
import { suggestion } from '../../core/values/nearest.ts';
import { membersOf } from '../../sandbox/operation-members.ts';
import { operations } from '../../sandbox/operations.ts';

/** The flag of commands that make something: the name of the only field to print. */
export interface PrintFlag {
  readonly print?: string;
}

/** Adds `--print`, with which a script gets one value: `TOKEN=$(card-sandbox share-token --print token)`. */
export function printFlag(command: Command): Command {
  return command.addOption(new Option('--print <field>', 'print only the value of this field, for scripts'));
}

/** Reports a field that no response of some operations has as wrong usage, before anything is made. */
export function checkPrintFlag(command: Command, ids: readonly string[]): void {
  const { print: field } = command.opts<PrintFlag>();
  if (field === undefined) return;
  const names = responseFields(ids);
  const fields = withParents(names);
  if (fields.includes(field)) return;
  const hint = suggestion(field, fields) || `; known fields are ${names.join(', ')}`;
  command.error(`error: option '--print <field>' argument '${field}' is invalid. No such field${hint}`);
}

/** Returns the dotted names of the fields in the responses of operations. */
function responseFields(ids: readonly string[]): string[] {
  const names = operations
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(schema => (schema === null ? [] : membersOf(schema).map(({ path }) => path.join('.'))));
  return [...new Set(names)];
}

/** The names and those of the records that hold them: `identity.city` gives `identity` too. */
function withParents(names: readonly string[]): string[] {
  const all = names.flatMap(name => {
    const parts = name.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(all)];
}
