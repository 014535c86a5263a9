import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runInProcess } from '../../../support/cli-in-process.ts';
import type { Json } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

export const FILES = ['main.record.jsonl', 'sandbox.log', 'summary.md'];
export const INDEX = new URL('../../../../dist/index.js', import.meta.url).href;

/** A command that is refused once and leaves a webhook undelivered, and then exits with a code. */
const script = (code: number) => `
  const headers = { 'x-service-api-key': process.env.SERVICE_API_KEY, 'content-type': 'application/json' };
  const send = (method, path, body) => fetch(process.env.SERVICE_BASE_URL + path, { method, headers, body: body && JSON.stringify(body) });
  await send('PATCH', '/partner/webhooks/config', { webhookUrl: 'http://127.0.0.1:1/', subscribedEvents: ['balance.top_up'] });
  await send('GET', '/partner/cardholders/no|body?key=abc');
  await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/clock/advance', { method: 'POST', headers, body: '{"duration":"soon"}' });
  await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/balance/top-up', { method: 'POST', headers, body: '{"amount":5}' });
  await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/deliveries/settle', { method: 'POST', headers });
  process.exit(${code});`;

export const command = (code: number) => ['--', process.execPath, '--input-type=module', '-e', script(code)];

/** Runs exec in this process: the command prints nothing. */
export function exec(code: number, flags: readonly string[], variables = {}) {
  const frozen = ['--clock', '2026-03-15T10:00:00Z', '--freeze', '--allow-http-webhooks'];
  return runInProcess(['exec', ...frozen, ...flags, ...command(code)], variables);
}

/** Runs exec with a script as its command. */
export function execScript(script: string, flags: readonly string[], variables = {}) {
  const words = [process.execPath, '--input-type=module', '-e', script];
  return runInProcess(['exec', ...flags, '--', ...words], variables);
}

/** The lines of the record with this name in a folder. */
export async function linesOf(dir: string, name: string): Promise<Json[]> {
  const text = await readFile(join(dir, `${name}.record.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

export async function pathsIn(dir: string, name: string): Promise<string[]> {
  return (await linesOf(dir, name)).flatMap(({ entry }) => (entry === undefined ? [] : [entry.path]));
}

export async function folder(): Promise<string> {
  return join(dirname(await temporaryFile('x')), 'deep', 'artifacts');
}
