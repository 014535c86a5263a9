import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { responseTo } from '../../../server/http/raw.ts';
import { runInProcess, startHere, startPrettyHere } from '../../../support/cli-in-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const bearer = (token = '') => ({ authorization: `Bearer ${token}` });

test('on all addresses the control plane requires the token in the first line', async () => {
  const { listening, ask } = await startHere(['--host', '0.0.0.0']);
  const { controlToken } = listening;
  expect(controlToken).toMatch(/^[0-9a-f]{32}$/);
  expect(listening.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const info = async (headers: Record<string, string>) =>
    (await ask('GET', '/_sandbox/info', undefined, headers)).status;
  expect(await info({})).toBe(401);
  expect(await info(bearer(`${controlToken}0`))).toBe(401);
  expect(await info(bearer(controlToken))).toBe(200);
  expect((await ask('GET', '/v1/partner/cards')).status).toBe(200);
});

test('each start generates another token, and the banner shows how to send it', async () => {
  const one = await startPrettyHere(['--host', '0.0.0.0', '--seed', '1']);
  const other = await startPrettyHere(['--host', '0.0.0.0', '--seed', '1']);
  const tokens = [one, other].map(({ banner }) => /Control token\s+(\S+)/.exec(banner)?.[1]);
  expect(new Set(tokens).size).toBe(2);
  expect(one.banner).toContain('0.0.0.0, all addresses of this machine');
  expect(one.banner).toContain('Authorization: Bearer <token>');
  const response = await fetch(`${one.origin}/_sandbox/health`, { headers: bearer(tokens[0]) });
  expect(response.status).toBe(200);
});

test('a configured token protects the control plane and is not printed', async () => {
  const sandbox = await startHere(['--host', '0.0.0.0', '--control-token', 'configured-token']);
  expect(sandbox.listening).not.toHaveProperty('controlToken');
  expect((await sandbox.ask('GET', '/_sandbox/info')).status).toBe(401);
  const known = await sandbox.ask('GET', '/_sandbox/info', undefined, bearer('configured-token'));
  expect(known.status).toBe(200);
  const pretty = await startPrettyHere(['--host', '0.0.0.0', '--control-token', 'configured-token']);
  expect(sandbox.stdout() + pretty.stdout()).not.toContain('configured-token');
});

test('the token can come from the environment, which other users cannot list', async () => {
  vi.stubEnv('CARD_SANDBOX_CONTROL_TOKEN', 'token-from-environment');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { listening, ask } = await startHere(['--host', '0.0.0.0']);
  expect(listening).not.toHaveProperty('controlToken');
  expect((await ask('GET', '/_sandbox/info', undefined, bearer('token-from-environment'))).status).toBe(200);
});

test('on loopback a token is required if a flag sets it, and not if the environment does', async () => {
  const status = async (ask: Awaited<ReturnType<typeof startHere>>['ask'], headers = {}) =>
    (await ask('GET', '/_sandbox/info', undefined, headers)).status;
  const flagged = await startHere(['--control-token', 'configured-token']);
  expect(flagged.listening).not.toHaveProperty('warnings');
  expect([await status(flagged.ask), await status(flagged.ask, bearer('configured-token'))]).toEqual([
    401, 200,
  ]);
  vi.stubEnv('CARD_SANDBOX_CONTROL_TOKEN', 'token-from-environment');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await status((await startHere([])).ask)).toBe(200);
});

test.each(['127.0.0.1', 'localhost'])('on %s no token is generated and none is required', async host => {
  const { listening, ask } = await startHere(['--host', host]);
  expect(listening).not.toHaveProperty('controlToken');
  expect((await ask('GET', '/_sandbox/info')).status).toBe(200);
});

test('beyond loopback the banner and the JSON line warn that the keys of built-in fixtures are public', async () => {
  const { banner } = await startPrettyHere(['--host', '0.0.0.0']);
  expect(banner.replace(/\s+/g, ' ')).toContain('Warning: The API keys of the built-in fixtures are public,');
  for (const fixture of ['starter', 'empty', 'error-flows']) {
    const { listening } = await startHere(['--host', '0.0.0.0', '--fixtures', fixture]);
    expect(listening.warnings).toEqual([expect.stringContaining('keys of the built-in fixtures are public')]);
  }
});

test('on loopback, and with keys of its own, a sandbox does not warn', async () => {
  const { banner } = await startPrettyHere();
  expect(banner).not.toMatch(/warning/i);
  const own = await temporaryFile('own.yaml');
  await writeFile(own, 'partners: [{ id: p, name: P, apiKey: sk_test_own_0123456789 }]\n');
  const { listening } = await startHere(['--host', '0.0.0.0', '--fixtures', own]);
  expect(listening).not.toHaveProperty('warnings');
});

test('--allow-host adds names, and an invalid one is wrong usage', async () => {
  const { listening } = await startHere(['--allow-host', 'a.internal', '--allow-host', 'B.internal']);
  const status = async (name: string) => {
    const head = `GET /openapi.json HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
    return (await responseTo(listening.url, head)).status;
  };
  expect([await status('a.internal'), await status('b.internal:80'), await status('c.internal')]).toEqual([
    200, 200, 400,
  ]);
  const wrong = await runInProcess(['start', '--port', '0', '--allow-host', 'http://a.internal']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain(
    "option '--allow-host <name>' argument 'http://a.internal' is invalid. It must be a host",
  );
});

test.each([
  ['LOCALHOST', 'localhost'],
  ['127.1', '127.0.0.1'],
  ['0', '127.0.0.1'],
])('--host %s is listened on as %s', async (host, name) => {
  const { listening, ask } = await startHere(['--host', host]);
  expect(listening.url).toContain(`//${name}:`);
  expect((await ask('GET', '/_sandbox/info')).status).toBe(host === '0' ? 401 : 200);
});
