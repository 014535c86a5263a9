import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { ACME_KEY, GLOBEX_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { answersOf, playAwkwardStory } from './support/awkward-story.ts';

const run = promisify(execFile);

/** Runs a history as a shell script on a sandbox, and resolves with what it prints. */
async function played(text: string, { origin }: TestSandbox): Promise<string> {
  const file = await temporaryFile('history.sh');
  await writeFile(file, text);
  await run('sh', ['-n', file]);
  const env = {
    PATH: process.env.PATH,
    SERVICE_BASE_URL: `${origin}/v1`,
    SERVICE_API_KEY: ACME_KEY,
    CARD_SANDBOX_URL: origin,
  };
  return (await run('sh', [file], { env })).stdout;
}

async function exported({ origin }: TestSandbox, query = ''): Promise<string> {
  return (await fetch(`${origin}/_sandbox/history/export?format=curl${query}`)).text();
}

test('a shell script is valid and gives the same answers in a new sandbox, whatever the requests hold', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await playAwkwardStory(sandbox);
  const second = await startSandbox({ fixtures: ['starter'] });
  await played(await exported(sandbox), second);
  expect(await answersOf(second)).toEqual(await answersOf(sandbox));
});

test('a shell script reads the current key of a partner whose former one still worked', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.control('POST', '/partners/partner_globex/keys/rotate', { gracePeriod: '24h' });
  await sandbox.api('GET', '/partner/balance');
  const old = { 'x-service-api-key': GLOBEX_KEY };
  const { body, headers } = await sandbox.api('GET', '/partner/balance', undefined, old);
  const script = await exported(sandbox, `&from=${headers.get('x-sandbox-request')}`);
  const output = await played(script, sandbox);
  expect(output.trim().split('\n').at(-1)).toBe(JSON.stringify(body));
});

test('a shell script names the variable that is missing', async () => {
  const sandbox = await startSandbox();
  const file = await temporaryFile('history.sh');
  await writeFile(file, await exported(sandbox));
  const failed = run('sh', [file], { env: { PATH: process.env.PATH, SERVICE_BASE_URL: 'http://x/v1' } });
  await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining('SERVICE_API_KEY') });
});
