import { type Command, Option } from 'commander';
import { suggestion } from '../../core/values/nearest.ts';
import { printable, printResult } from './print.ts';

/** The flag of commands that make something: the name of the only field to print. */
export interface PrintFlag {
  readonly print?: string;
}

/** Adds `--print`, with which a script gets one value: `TOKEN=$(card-sandbox share-token --print token)`. */
export function printFlag(command: Command): Command {
  return command.addOption(new Option('--print <field>', 'print only the value of this field, for scripts'));
}

/** Reports a field that no response has as wrong usage, before anything is made. `known` returns dotted names. */
export function checkPrintFlag(command: Command, known: () => readonly string[]): void {
  const { print: field } = command.opts<PrintFlag>();
  if (field === undefined) return;
  const names = known();
  const fields = withParents(names);
  if (fields.includes(field)) return;
  const hint = suggestion(field, fields) || `; known fields are ${names.join(', ')}`;
  command.error(`error: option '--print <field>' argument '${field}' is invalid. No such field${hint}`);
}

/** Prints the value of one field of a body: a text as it is, anything else as JSON. Throws when the body lacks it. */
export function printField(body: unknown, field: string): Promise<void> {
  const value = field
    .split('.')
    // A response is plain JSON: whatever is not an object has no members.
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], body);
  if (value === undefined) throw new Error(`the response has no field ${field}: ${JSON.stringify(body)}`);
  return printResult(printable(typeof value === 'string' ? value : JSON.stringify(value)));
}

/** The names and those of the records that hold them: `identity.city` gives `identity` too. */
function withParents(names: readonly string[]): string[] {
  const all = names.flatMap(name => {
    const parts = name.split('.');
    return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return [...new Set(all)];
}
