import type { ClientResponse } from '../../client/client.ts';
import { suggestion } from '../../core/values/nearest.ts';
import { printableLines } from '../../core/values/text.ts';
import type { OperationCommand } from '../from-operations/command-table.ts';
import { printable, printResult, progress } from './print.ts';
import { show } from './show.ts';
import { writeAtomically } from './write-file.ts';

/** Combines the responses of one command: lists are concatenated, otherwise the first response is returned. */
export function combineResponses(responses: readonly ClientResponse[]): ClientResponse {
  const [first] = responses;
  if (first === undefined) throw new Error('no response');
  if (responses.length === 1 || !responses.every(({ body }) => Array.isArray(body))) return first;
  return { ...first, body: responses.flatMap(({ body }) => body) };
}

/** Outputs a response: to a file, as JSON, or formatted for people. */
export async function outputResponse(
  { body }: ClientResponse,
  { json, print: field }: { readonly json?: true; readonly print?: string },
  { file: use, columns }: Pick<OperationCommand, 'file' | 'columns'> = {},
  file?: string,
): Promise<void> {
  if (field !== undefined) return printField(body, field);
  if (use === 'write') {
    const text = JSON.stringify(body, null, 2);
    if (file === undefined || file === '-') return printResult(printableLines(text));
    await writeAtomically(file, `${text}\n`);
    return json ? printResult(JSON.stringify({ file })) : progress(`saved to ${file}`);
  }
  // An empty body is printed as {} so that programs can parse every result.
  return printResult(json ? printable(JSON.stringify(body ?? {})) : show(body, columns));
}

/** Prints the value of one field of a body: a text as it is, anything else as JSON. Throws when the body lacks it. */
export function printField(body: unknown, field: string): Promise<void> {
  const value = field
    .split('.')
    // A response is plain JSON: whatever is not an object has no members.
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], body);
  if (value === undefined) {
    const hint = suggestion(field, Object.keys(Object(body))) || `: ${JSON.stringify(body)}`;
    throw new Error(`the response has no field ${field}${hint}`);
  }
  return printResult(printable(typeof value === 'string' ? value : JSON.stringify(value)));
}
