import { renameSync, writeFileSync } from 'node:fs';
import type { ClientResponse } from '../../client/client.ts';
import type { Alias } from '../from-operations/aliases.ts';
import { printable, printResult, progress } from './print.ts';
import { show } from './show.ts';

/** The answers of one command as one: lists are put together, otherwise the first counts. */
export function combined(answers: readonly ClientResponse[]): ClientResponse {
  const [first] = answers;
  if (first === undefined) throw new Error('no answer');
  if (answers.length === 1 || !answers.every(({ body }) => Array.isArray(body))) return first;
  return { ...first, body: answers.flatMap(({ body }) => body) };
}

/** Hands an answer to whoever asked: into a file, as JSON, or for people. */
export async function deliver(
  { body, hint }: ClientResponse,
  { json }: { readonly json?: true },
  { file: use, columns }: Pick<Alias, 'file' | 'columns'> = {},
  file?: string,
): Promise<void> {
  if (hint !== null) progress(`hint: ${hint}`);
  if (use === 'write') {
    const text = JSON.stringify(body, null, 2);
    if (file === undefined || file === '-') return printResult(text);
    writeWhole(file, `${text}\n`);
    return json ? printResult(JSON.stringify({ file })) : progress(`saved to ${file}`);
  }
  // Programs that parse what they get should not have to make an exception for an answer without a body.
  return printResult(json ? printable(JSON.stringify(body ?? {})) : show(body, columns));
}

/** Writes a file so that it is whole or not there, and, as it may hold secrets, for its owner only. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`${file} cannot be written (${code})`);
  }
}
