import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { runCli, startCli } from '../../support/cli-process.ts';

const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
const ipv6Test = test.skipIf(addresses.every(({ address }) => address !== '::1'));

const TOKEN = 'a-token-of-sixteen-or-more';
const VARIABLES = { CARD_SANDBOX_CONTROL_TOKEN: TOKEN };

ipv6Test.each(['::1', '::'])('a sandbox on %s is reached by its address in brackets', async host => {
  const { listening } = await startCli(['--host', host], VARIABLES);
  expect(listening.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  const headers = { 'x-service-api-key': 'sk_test_acme_0123456789abcdef', authorization: `Bearer ${TOKEN}` };
  const cards = await fetch(`${listening.url}/v1/partner/cards`, { headers });
  expect(cards.status).toBe(200);
  const variables = { ...VARIABLES, CARD_SANDBOX_URL: listening.url };
  expect(await runCli(['info'], variables)).toMatchObject({ code: 0 });
  const { stdout } = await runCli(['env'], variables);
  expect(stdout).toContain(`${listening.url}/v1`);
});

ipv6Test('exec runs a command with a sandbox on ::1, past a proxy', async () => {
  const program = `fetch(process.env.SERVICE_BASE_URL + '/partner/cards', {
    headers: { 'x-service-api-key': process.env.SERVICE_API_KEY } }).then(({ status }) =>
    console.log(status, process.env.SERVICE_BASE_URL, process.env.NO_PROXY))`;
  const proxy = { HTTP_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1', NO_PROXY: '' };
  const args = ['exec', '--host', '::1', '--', process.execPath, '-e', program];
  const { code, stdout } = await runCli(args, proxy);
  expect(stdout).toMatch(
    /^200 http:\/\/\[::1\]:\d+\/v1 .*::1,\[::1\]|^200 http:\/\/\[::1\]:\d+\/v1 .*\[::1\],::1/,
  );
  expect(code).toBe(0);
});
