import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { launchHere, runInProcess } from '../../../support/cli-in-process.ts';
import { ACME_KEY, type Json, startSandbox } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const STARTER = { fixtures: ['starter'] };
const evidenceOf = (profile: string) => profile.replace(/\.yaml$/, '.evidence.yaml');
const target = (origin: string) => ['--base-url', `${origin}/v1`, '--api-key', ACME_KEY];

test('--out writes a profile with which another sandbox answers like the service, and shows what was observed', async () => {
  const first = await startSandbox({
    ...STARTER,
    assume: { 'list-order': 'oldest', 'invalid-input-status': 422 },
  });
  const out = await temporaryFile('profile.yaml');
  const words = ['calibrate', ...target(first.origin), '--out', out];
  expect((await runInProcess(words)).code).toBe(0);
  for (const file of [out, evidenceOf(out)]) expect((await stat(file)).mode & 0o777).toBe(0o600);
  const profile = await readFile(out, 'utf8');
  expect(profile.split('\n').length).toBeLessThan(20);
  expect(profile).toContain('profile.evidence.yaml');
  expect(profile).toContain('assume:\n  list-order: oldest\n  invalid-input-status: 422\n');
  const second = await startSandbox({ ...STARTER, profile: out });
  expect((await second.api('GET', '/partner/cards?page=0')).status).toBe(422);
  const { body } = await second.control('GET', '/assumptions');
  const entry = (id: string) => body.find((each: Json) => each.id === id);
  expect(entry('list-order')).toMatchObject({
    setting: { value: 'oldest', default: 'newest' },
    observation: { verdict: 'contradicted', at: expect.stringMatching(/^\d{4}-/) },
  });
  expect(entry('balance').observation.verdict).toBe('observed');
  expect(entry('card-initial-status').observation.verdict).toBe('unknown');
  await rm(evidenceOf(out));
  const third = await startSandbox({ ...STARTER, profile: out });
  expect((await third.api('GET', '/partner/cards?page=0')).status).toBe(422);
});

test('--resume keeps the verdicts of the file and probes the rest', async () => {
  const { origin, control } = await startSandbox(STARTER);
  const out = await temporaryFile('profile.yaml');
  const words = ['calibrate', ...target(origin), '--out', out, '--json'];
  const first = JSON.parse((await runInProcess([...words, '--only', 'balance', 'list-order'])).stdout);
  await control('DELETE', '/requests');
  const { summary, results } = JSON.parse((await runInProcess([...words, '--resume'])).stdout);
  expect(summary.observed).toBeGreaterThan(28);
  const balance = results.find(({ id }: Json) => id === 'balance');
  expect(balance).toEqual(first.results.find(({ id }: Json) => id === 'balance'));
  expect((await control('GET', '/requests?path=/partner/balance')).body).toEqual([]);
  const foreign = await runInProcess([
    ...['calibrate', '--base-url', 'https://sandbox.example.com/v1', '--api-key', ACME_KEY],
    ...['--out', out, '--resume'],
  ]);
  expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('is the profile of http') });
  const without = await runInProcess(['calibrate', ...target(origin), '--resume']);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--resume needs --out') });
});

test('--report writes Markdown, or JSON by the name of the file', async () => {
  const { origin } = await startSandbox({ ...STARTER, assume: { 'list-order': 'oldest' } });
  const [markdown, json] = [await temporaryFile('report.md'), await temporaryFile('report.json')];
  await runInProcess(['calibrate', ...target(origin), '--report', markdown]);
  const text = await readFile(markdown, 'utf8');
  expect(text).toMatch(/^# Calibration of `http:.*\/v1`\n\n\d{4}-.*: \d+ observed, 1 contradicted, /);
  expect(text).toMatch(/## Contradicted\n\n### list-order\n\nThe sandbox: Lists of the API are ordered/);
  expect(text).toContain('Setting: `--assume list-order=oldest`\n\n```\n{"request":{"method":"GET"');
  expect(text).toContain('### card-initial-status\n\nThe sandbox: A new card has');
  expect(text).toContain('It would take --write: ');
  const { stdout } = await runInProcess([
    'calibrate',
    ...target(origin),
    '--only',
    'balance',
    '--json',
    '--report',
    json,
  ]);
  expect(`${await readFile(json, 'utf8')}\n`).toBe(stdout);
});

test('--capture keeps each exchange with its probe, without secrets', async () => {
  const { origin, api } = await startSandbox(STARTER);
  const secret = 'the-secret-of-the-partner';
  await api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hooks.example.com',
    webhookSecret: secret,
  });
  const file = await temporaryFile('capture.jsonl');
  const { stdout } = await runInProcess([
    ...['calibrate', ...target(origin), '--write', '--patience', '0s', '--json', '--capture', file],
  ]);
  const text = await readFile(file, 'utf8');
  const [head, ...lines] = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(head).toEqual({ capture: 1, service: `${origin}/v1`, startedAt: expect.any(String) });
  expect(lines).toHaveLength(JSON.parse(stdout).summary.requests);
  expect(lines.find(({ part }) => part === 'invalid-input')).toMatchObject({
    request: { method: 'GET', path: '/partner/cards?page=0', key: 'partner' },
    response: { status: 400, body: { success: false } },
  });
  expect(lines.some(({ part }) => part === 'cleanup')).toBe(true);
  for (const hidden of [ACME_KEY, secret, 'signature=']) expect(text).not.toContain(hidden);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('run --capture keeps each exchange with its step, without secrets', async () => {
  const { origin, control } = await startSandbox({ allowHttpWebhooks: true });
  const file = await temporaryFile('capture.jsonl');
  const flags = [...target(origin), '--control-url', origin, '--capture', file];
  const { code, stderr } = await runInProcess(['run', 'card-lifecycle', ...flags]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const text = await readFile(file, 'utf8');
  const [, ...lines] = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  const { count } = (await control('GET', '/requests/count')).body;
  expect(lines).toHaveLength(count);
  expect(lines[0]).toMatchObject({ part: 'setup', request: { path: '/partner/webhooks/config' } });
  const created = lines.find(({ request }) => request.method === 'POST');
  expect(created).toMatchObject({
    part: expect.stringMatching(/^\d+ /),
    request: { path: '/partner/cardholders', key: 'partner', body: { kycSource: 'idp1' } },
    response: { status: 201, body: { status: 'active' } },
  });
  for (const hidden of [ACME_KEY, 'signature=']) expect(text).not.toContain(hidden);
});

test('run --capture reads no response to its end that is longer than 4 MiB, and its step fails', async () => {
  let sent = 0;
  const service = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const piece = Buffer.alloc(64 * 1024, ' ');
    while (!response.destroyed && sent < 64 * 1024 * 1024) {
      sent += piece.length;
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end('{}');
  });
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const [file, scenario] = [await temporaryFile('capture.jsonl'), await temporaryFile('one.yaml')];
  const step = { say: 'Read the balance', request: 'GET /partner/balance', expect: { status: 200 } };
  await writeFile(scenario, JSON.stringify({ name: 'One', steps: [step] }));
  const flags = [...target(`http://127.0.0.1:${port}`), '--capture', file];
  const { code, stderr } = await runInProcess(['run', scenario, ...flags]);
  const note = '(more than 4 MiB, not read)';
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`the response to GET /partner/balance is too long for this API ${note}`),
  });
  expect(await readFile(file, 'utf8')).toContain(`"body":"${note}"`);
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test('a file that cannot be written is an error before any request is sent', async () => {
  const { origin, control } = await startSandbox();
  const { code, stderr } = await runInProcess([
    ...['calibrate', ...target(origin), '--capture', '/no/such/folder/capture.jsonl'],
  ]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'error: /no/such/folder/capture.jsonl cannot be written (ENOENT)\n',
  });
  expect((await control('GET', '/requests/count')).body.count).toBe(0);
});

test('a signal stops it, restores the webhook configuration and writes the profile', async () => {
  const { origin, api } = await startSandbox(STARTER);
  const before = (await api('GET', '/partner/webhooks/config')).body;
  const out = await temporaryFile('profile.yaml');
  // The clock is frozen, so the provider never decides.
  const flags = ['--write', '--patience', '60s', '--out', out, '--only', 'list-order', 'kyc-decision'];
  const running = launchHere(['calibrate', ...target(origin), ...flags]);
  await expect.poll(async () => (await api('GET', '/partner/webhooks/config')).body).not.toEqual(before);
  const isSubmitted = async () => {
    const { body } = await api('GET', '/partner/usage/records?type=kyc_verification&limit=1');
    return /calibration/.test(
      (await api('GET', `/partner/cardholders/${body.data[0].referenceId}`)).body.email,
    );
  };
  await expect.poll(isSubmitted).toBe(true);
  expect(await running.stop()).toBe(128 + 15);
  expect((await api('GET', '/partner/webhooks/config')).body).toEqual(before);
  const text = await readFile(evidenceOf(out), 'utf8');
  expect(text).toMatch(/list-order:\n {4}verdict: observed/);
  expect(text).toMatch(/kyc-decision:\n {4}verdict: unknown\n {4}needs: a run that is not stopped/);
});
