import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatVariables } from '../../../../src/cli/commands/sandbox/variables.ts';
import { runInProcess, sharedSandbox, startHere } from '../../../support/cli-in-process.ts';
import { ACME_KEY, GLOBEX_KEY } from '../../../support/sandbox.ts';
import { deserted, vacant } from '../../support/deserted.ts';

const { run, json, running } = sharedSandbox();
const SECRET = `it's "a" $(secret) \`of\` some\\length`;

test('env prints what a program needs, for the first partner or another', async () => {
  const body = { webhookSecret: SECRET };
  await running().ask('PATCH', '/v1/partner/webhooks/config', body);
  const { url } = running();
  expect(await json('env')).toEqual({
    CARD_SANDBOX_URL: url,
    SERVICE_BASE_URL: `${url}/v1`,
    SERVICE_API_KEY: ACME_KEY,
    SERVICE_WEBHOOK_SECRET: SECRET,
  });
  const { stdout, stderr } = await run('env', '--format', 'json', '--partner-id', 'partner_globex');
  expect(JSON.parse(stdout)).toMatchObject({ SERVICE_API_KEY: GLOBEX_KEY, SERVICE_WEBHOOK_SECRET: '' });
  expect(stderr).toMatch(/^partner_globex has no webhook secret; /);
});

test('a shell reads back exactly what env prints', async () => {
  const { stdout } = await run('env', '--format', 'sh');
  const shell = await promisify(execFile)('sh', ['-c', `${stdout}\nprintf %s "$SERVICE_WEBHOOK_SECRET"`]);
  expect(shell.stdout).toBe(SECRET);
});

test('dotenv and github formats quote values their own way', () => {
  expect(formatVariables({ A: 'plain $x', B: "it's" }, 'dotenv')).toBe("A='plain $x'\nB=`it's`");
  expect(formatVariables({ A: "it's = $x" }, 'github')).toBe("A=it's = $x");
  expect(formatVariables({ A: 'one\ntwo' }, 'github')).toMatch(/^A<<(END_\w+)\none\ntwo\n\1$/);
});

test('wait ends at once when a sandbox responds', async () => {
  expect(await json('wait')).toMatchObject({ status: 'ok' });
});

test('wait waits for a sandbox that is about to start', async () => {
  const url = await vacant();
  const waiting = runInProcess(['wait', '--url', url]);
  await startHere(['--port', new URL(url).port]);
  expect((await waiting).code).toBe(0);
});

test('wait gives up after its timeout', async () => {
  const url = await deserted();
  const { code, stderr } = await runInProcess(['wait', '--timeout', '1ms', '--url', url]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: no sandbox answers at .*; start one with card-sandbox start/);
});
