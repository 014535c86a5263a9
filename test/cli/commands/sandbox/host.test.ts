import { expect, test } from 'vitest';
import { startCli, startPretty } from '../../../support/processes/process.ts';

const bearer = (token = '') => ({ authorization: `Bearer ${token}` });

test('on every address the control plane needs the token that the first line tells', async () => {
  const { listening, ask } = await startCli(['--host', '0.0.0.0']);
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

test('each start makes up another token, and the banner tells how to send it', async () => {
  const [one, other] = await Promise.all([
    startPretty(['--host', '0.0.0.0', '--seed', '1']),
    startPretty(['--host', '0.0.0.0', '--seed', '1']),
  ]);
  const tokens = [one, other].map(({ banner }) => /Control token\s+(\S+)/.exec(banner)?.[1]);
  expect(new Set(tokens).size).toBe(2);
  expect(one.banner).toContain('0.0.0.0, every address of this machine');
  expect(one.banner).toContain('Authorization: Bearer <token>');
  const response = await fetch(`${one.origin}/_sandbox/health`, { headers: bearer(tokens[0]) });
  expect(response.status).toBe(200);
});

test('a token that is given guards the control plane and is not printed', async () => {
  const sandbox = await startCli(['--host', '0.0.0.0', '--control-token', 'told-beforehand']);
  expect(sandbox.listening).not.toHaveProperty('controlToken');
  expect((await sandbox.ask('GET', '/_sandbox/info')).status).toBe(401);
  const known = await sandbox.ask('GET', '/_sandbox/info', undefined, bearer('told-beforehand'));
  expect(known.status).toBe(200);
  const pretty = await startPretty(['--host', '0.0.0.0', '--control-token', 'told-beforehand']);
  expect(sandbox.stdout() + pretty.stdout()).not.toContain('told-beforehand');
});

test.each(['127.0.0.1', 'localhost'])('on %s no token is made up and none is needed', async host => {
  const { listening, ask } = await startCli(['--host', host]);
  expect(listening).not.toHaveProperty('controlToken');
  expect((await ask('GET', '/_sandbox/info')).status).toBe(200);
});
