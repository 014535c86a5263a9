import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { deserted } from '../../support/deserted.ts';

const KEY = ['--api-key', ACME_KEY];

/** Counts the requests that arrive, and responds to each with a status. */
async function countingServer(status: number) {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('{"success":false,"error":"no"}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests: () => requests };
}

test.each([
  ['a production key', ['--api-key', 'sk_live_0123456789abcdef'], '--api-key is a production key'],
  [
    'a production key in upper case',
    ['--api-key', ' SK_LIVE_0123456789abcdef'],
    '--api-key is a production key',
  ],
  ['a production key in a variable', [...KEY, '--var', 'previousKey=sk_live_1'], 'is a production key'],
  ['an unknown variable', [...KEY, '--var', 'cardProgram=1'], 'did you mean "cardProgramId"?'],
  ['an unknown entry', [...KEY, '--only', 'list-ordr'], 'did you mean "list-order"?'],
])('%s is wrong usage, and nothing is sent', async (_what, args, message) => {
  const { url, requests } = await countingServer(200);
  const { code, stdout, stderr } = await runInProcess(['calibrate', '--base-url', url, ...args]);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/sk_live_\w/i);
  expect(requests()).toBe(0);
});

test.each([
  ['https://api.production.example.com/v1', 'It names production'],
  ['https://prod-api.example.com/v1', 'It names production'],
  ['https://live.example.com/v1', 'It names production'],
  ['https://api.example.com/live/v1', 'It names production'],
  ['ftp://sandbox.example.com/v1', 'It must be an absolute http:// or https:// URL'],
  ['https://me@sandbox.example.com/v1', 'It must have no query and no user name'],
])('%s is refused as base URL', async (url, message) => {
  const { code, stderr } = await runInProcess(['calibrate', '--base-url', url, ...KEY]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('the exit code is 1 when nothing listens, when the key is refused and when it is no such service', async () => {
  const nobody = await deserted();
  const unreachable = await runInProcess(['calibrate', '--base-url', `${nobody}/v1`, ...KEY]);
  expect(unreachable).toMatchObject({ code: 1, stdout: '' });
  expect(unreachable.stderr).toContain(`error: no service responds at ${nobody}/v1 (ECONNREFUSED)`);
  const refusing = await countingServer(401);
  const refused = await runInProcess(['calibrate', '--base-url', refusing.url, ...KEY]);
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'error: the service refuses the key (401: no)\n',
  });
  expect(refusing.requests()).toBe(1);
  const other = await countingServer(404);
  const wrong = await runInProcess(['calibrate', '--base-url', other.url, ...KEY]);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('--base-url must be the base URL of the service');
});
