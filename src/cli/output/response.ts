import { suggestion } from '../../core/values/nearest.ts';
import type { ConnectionFlags } from '../connection/connection.ts';
import { printable, printResult } from './print.ts';
import { show } from './show.ts';

/** Prints the body of a response as its flags say: one field, JSON, or as `format` shows it to people. */
export function outputBody<Body>(
  body: Body,
  { json, print: field }: Pick<ConnectionFlags, 'json' | 'print'>,
  format: (body: Body) => string = body => show(body),
): Promise<void> {
  if (field !== undefined) return printField(body, field);
  // An empty body is printed as {} so that programs can parse every result.
  return printResult(json ? printable(JSON.stringify(body ?? {})) : format(body));
}

/** Prints the value of one field of a body: a text as it is, anything else as JSON. Throws when the body lacks it. */
export function printField(body: unknown, field: string): Promise<void> {
  const value = field
    .split('.')
    // A response is plain JSON: whatever is not an object has no members.
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], body);
  if (value === undefined) {
    const names = Object.keys(Object(body));
    const hint = suggestion(field, names) || `; known fields are ${names.join(', ')}`;
    throw new Error(`the response has no field ${field}${hint}`);
  }
  return printResult(printable(typeof value === 'string' ? value : JSON.stringify(value)));
}
