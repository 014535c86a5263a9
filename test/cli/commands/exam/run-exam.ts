import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonReport } from '../../../../src/tools/exam/exam.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';

export const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../../../dist/index.js')).href;

/** The command that runs an app with its tests. Its variables say where it works and which bugs it has. */
export const appCommand = (app: string): string[] => [
  process.execPath,
  join(import.meta.dirname, `apps/${app}.mjs`),
];

/** The command that runs a program. */
export const program = (script: string): string[] => [process.execPath, '--input-type=module', '-e', script];

/** Runs an exam. Resolves with the exit code, the report, and the verdicts besides `survived` and `not-exercised`. */
export async function exam(
  flags: readonly string[],
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const { code, stdout, stderr } = await runInProcess(
    ['exam', '--json', '--fixtures', 'empty', '--parallel', '4', ...flags, '--', ...command],
    { PACKAGE, GITHUB_STEP_SUMMARY: '', ...variables },
  );
  if (stdout === '') throw new Error(`exit ${code}: ${stderr}`);
  const report: JsonReport = JSON.parse(stdout);
  const found = report.results.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not-exercised');
  return { code, stderr, report, found: found.map(({ id, verdict }) => `${verdict} ${id}`) };
}

/** The verdicts of a report by the ids of the misbehaviours. */
export function verdictsOf({ results }: JsonReport): Record<string, string> {
  return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
}

/** Begins a program that calls the API with `send`, which repeats what failed as often as `RETRIES` says. */
export const CLIENT = `
  const { CARD_SANDBOX_URL: url, SERVICE_BASE_URL: base, SERVICE_API_KEY: key, RETRIES = '0' } = process.env;
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
  const control = (path, body = {}) =>
    fetch(url + '/_sandbox' + path, { method: 'POST', headers, body: JSON.stringify(body) });
  async function send(method, path, body, left = Number(RETRIES)) {
    const response = await fetch(base + '/partner' + path, { method, headers, body: JSON.stringify(body) }).catch(() => null);
    if (response !== null && response.status < 500) return response.json();
    if (left === 0) throw new Error(path + ' failed: ' + response?.status);
    await pause(20);
    return send(method, path, body, left - 1);
  }
  const program = async () => (await send('GET', '/card-programs')).data[0].id;
  const person = async () => (await (await control('/cardholders')).json()).id;`;

/** A command that is done when its receiver got a genuine webhook. `odd` handles one without a signature or of an unknown type. */
export const receiving = (odd: string) => `${CLIENT}
  const { createServer } = await import('node:http');
  let isDone = false;
  const receiver = createServer(async (request, response) => {
    const { eventType } = JSON.parse(Buffer.concat(await request.toArray()));
    if (!request.headers['x-service-signature'] || eventType === 'card.future_event') { ${odd} }
    response.writeHead(204).end();
    isDone = true;
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => receiver.on('listening', resolve));
  const { port } = receiver.address();
  await send('PATCH', '/webhooks/config', {
    webhookUrl: 'http://127.0.0.1:' + port,
    webhookSecret: 'a-secret-of-more-than-16',
    subscribedEvents: ['cardholder.approved'],
  });
  await person();
  while (!isDone) await pause(20);
  process.exit(0);`;
