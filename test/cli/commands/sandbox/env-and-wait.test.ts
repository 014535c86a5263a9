import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatVariables } from '../../../../src/cli/sandbox/variables.ts';
import { runInProcess, sharedSandbox, startHere } from '../../../support/cli-in-process.ts';
import { deserted, vacant } from '../../support/deserted.ts';

const { run, json, running } = sharedSandbox();
const SECRET = `it's "a" $(secret) \`of\` some\\length`;

test('env changes nothing: a partner without a webhook secret has the one that forward signs with', async () => {
  const { id, apiKey } = await json('partners', 'add');
  const first = await json('env', '--partner-id', id);
  expect(first).toMatchObject({
    SERVICE_API_KEY: apiKey,
    SERVICE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_\w{24}$/),
  });
  const config = await json('webhooks', 'show-config', '--partner-id', id);
  expect(config).toEqual({ webhookUrl: null, webhookSecret: null, subscribedEvents: [] });
  const { webhookSecrets } = await json('forward', 'http://127.0.0.1:9/webhooks');
  expect(webhookSecrets[id]).toBe(first.SERVICE_WEBHOOK_SECRET);
  expect(await json('trigger', 'card.3ds_otp', '--partner-id', id)).toMatchObject({
    webhookUrl: 'http://127.0.0.1:9/webhooks',
  });
  expect(await json('env', '--partner-id', id)).toEqual(first);
});

test('a shell reads back exactly what env prints', async () => {
  await running().ask('PATCH', '/v1/partner/webhooks/config', { webhookSecret: SECRET });
  const { stdout } = await run('env', '--format', 'sh');
  const shell = await promisify(execFile)('sh', ['-c', `${stdout}\nprintf %s "$SERVICE_WEBHOOK_SECRET"`]);
  expect(shell.stdout).toBe(SECRET);
});

/** Sources a file as `. ./.env` does, and returns a variable. */
async function sourced(text: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${text}\nprintf %s "$${name}"`]);
  return stdout;
}

/** Reads a line by the documented rules of the npm package dotenv: unquoted values are trimmed and end at a #. */
function readByDotenv(line: string): string {
  const value = /^\s*(?:export\s+)?[\w.-]+(?:\s*=\s*?|:\s+?)([^\r\n]*)$/.exec(line)?.[1]?.trim() ?? '';
  const quoted = /^(['"`])(.*)\1$/s.exec(value);
  return quoted?.[2] ?? value.split('#')[0]?.trim() ?? '';
}

/** Reads a line as Docker's --env-file does: everything after the first =, quotes included. */
const readByDocker = (line: string) => line.slice(line.indexOf('=') + 1);

const WRITABLE = [
  '',
  'whsec_test_0123456789abcdef',
  'http://[::1]:4242/v1?a=b,c',
  'a==base64+/=',
  '*?[a]{b,c}!^%@',
  'Schlüssel-日本語',
];

test.each(WRITABLE)('a shell, dotenv and Docker read %j back from the dotenv format', async value => {
  const line = formatVariables({ A: value }, 'dotenv');
  expect(await sourced(line, 'A')).toBe(value);
  expect(readByDotenv(line)).toBe(value);
  expect(readByDocker(line)).toBe(value);
});

test.each([
  ["it's $(touch planted)"],
  ['`touch planted`'],
  ['$HOME'],
  ['two words'],
  ['a#b'],
  ['a;b'],
  ['~/a'],
  ['a\\b'],
  ['"a"'],
  ['one\ntwo'],
  ['tab\tbed'],
  ['\u00a0a'],
])('the dotenv format refuses %j, and names the variable', value => {
  expect(() => formatVariables({ A: 'x', SECRET: value }, 'dotenv')).toThrow(
    /^SECRET: its value cannot be written with --format dotenv: .*; use --format sh or json/,
  );
});

test('env fails instead of writing a secret that a shell would run', async () => {
  const body = { webhookSecret: "it's `touch planted` here" };
  await running().ask('PATCH', '/v1/partner/webhooks/config', body);
  const { code, stdout, stderr } = await run('env', '--format', 'dotenv');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^error: SERVICE_WEBHOOK_SECRET: its value cannot be written with --format dotenv/);
  expect(stderr).not.toContain('planted');
});

test('the sh format keeps line breaks, and no format but json writes a NUL character', async () => {
  const value = "one\ntwo\r'; touch planted; '";
  expect(await sourced(formatVariables({ A: value }, 'sh'), 'A')).toBe(value);
  for (const format of ['sh', 'dotenv', 'github'] as const) {
    expect(() => formatVariables({ A: 'a\0b' }, format)).toThrow(/^A: its value cannot be written/);
  }
  expect(JSON.parse(formatVariables({ A: 'a\0b' }, 'json'))).toEqual({ A: 'a\0b' });
});

test('a value cannot end its own block in the github format', () => {
  expect(formatVariables({ A: "it's = $x<<B" }, 'github')).toBe("A=it's = $x<<B");
  const value = 'one\nEND_0123456789abcdef\nB=planted';
  const [first = '', ...lines] = formatVariables({ A: value }, 'github').split('\n');
  const end = first.replace('A<<', '');
  expect(end).toMatch(/^END_[0-9a-f]{16}$/);
  expect(lines.indexOf(end)).toBe(lines.length - 1);
  expect(lines.slice(0, -1).join('\n')).toBe(value);
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
