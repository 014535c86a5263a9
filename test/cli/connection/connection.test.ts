import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { runInProcess, serveHere, sharedSandbox } from '../../support/cli-in-process.ts';
import { CLI_PROGRAM, runCli, startProcess } from '../../support/cli-process.ts';
import { deserted } from '../support/deserted.ts';

const { run, running } = sharedSandbox();

/** The address of a server that is not a sandbox and sends one response to every request. */
let impostor = '';
let answer: { status: number; body: string } = { status: 200, body: '' };
beforeAll(async () => {
  const server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  impostor = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => void server.close();
});

test('when no sandbox runs at the address, one line says what to do', async () => {
  const url = await deserted();
  expect(await runInProcess(['clock', 'now', '--url', url])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `error: no sandbox answers at ${url} (ECONNREFUSED); start one with card-sandbox start, or pass its address with --url or CARD_SANDBOX_URL\n`,
  });
});

test.each([
  [200, '<html></html>'],
  [404, '{"message":"Not Found"}'],
])('another server (%i %s) is not mistaken for a sandbox', async (status, body) => {
  answer = { status, body };
  const { code, stderr } = await runInProcess(['clock', 'now', '--url', impostor]);
  expect(code).toBe(1);
  expect(stderr).toMatch(`error: the server at ${impostor} is not a card-sandbox; start one`);
});

test('a missing or wrong control token is one line with the flag to pass', async () => {
  const { url: origin } = await serveHere(['--host', '0.0.0.0', '--control-token', 'right']);
  const ask = (...words: string[]) => runInProcess(['clock', 'now', '--json', '--url', origin, ...words]);
  const [none, wrong, right] = await Promise.all([
    ask(),
    ask('--control-token', 'wrong'),
    runInProcess(['clock', 'now', '--url', origin], { CARD_SANDBOX_CONTROL_TOKEN: 'right' }),
  ]);
  for (const refused of [none, wrong]) {
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr).error).toEqual({
      message: expect.stringMatching(/^the control token is missing or wrong/),
      hint: expect.stringMatching(/--control-token or CARD_SANDBOX_CONTROL_TOKEN$/),
    });
  }
  expect(right.code).toBe(0);
});

test('--url overrides the variable', async () => {
  const { url } = running();
  const found = await runInProcess(['clock', 'now', '--url', url, '--json'], {
    CARD_SANDBOX_URL: await deserted(),
  });
  expect(JSON.parse(found.stdout)).toMatchObject({ mode: 'frozen' });
});

test.each([
  ['CARD_SANDBOX_URL', ['demo', 'kyc-reimport'], 0],
  ['CARD_SANDBOX_CONTROL_TOKEN', ['info'], 0],
  ['CARD_SANDBOX_CONTROL_TOKEN', ['exec', '--', 'true'], 0],
  ['CARD_SANDBOX_INSTANCE', ['env'], 0],
  ['SERVICE_BASE_URL', ['run', 'missing.record.jsonl'], 1],
  ['SERVICE_API_KEY', ['run', 'missing.record.jsonl'], 1],
])('an empty %s counts as unset: %j', async (name, words, code) => {
  const variables = { CARD_SANDBOX_URL: running().url, [name]: '' };
  expect(await runInProcess(words, variables)).toMatchObject({ code });
});

test('an invalid address is wrong usage', async () => {
  const { code, stderr } = await run('clock', 'now', '--url', 'localhost:4242');
  expect(code).toBe(2);
  expect(stderr).toContain('It must be the address of a sandbox, such as http://127.0.0.1:4242.');
});

test('a pipe that is closed early ends the command silently', async () => {
  const { url } = running();
  const command = `'${process.execPath}' '${CLI_PROGRAM}' assumptions list --json --url ${url}; echo "code $?" >&2`;
  const shell = startProcess('sh', ['-c', `{ ${command}; } | head -c 1`]);
  await shell.complained(/^code 0$/m);
  expect(shell.stderr()).toBe('code 0\n');
});

test('only terminals get colours, and NO_COLOR wins over FORCE_COLOR', async () => {
  const variables = { CARD_SANDBOX_URL: running().url };
  const listed = (more: Record<string, string>) => runCli(['partners', 'list'], { ...variables, ...more });
  const [plain, forced, none] = await Promise.all([
    listed({}),
    listed({ FORCE_COLOR: '1' }),
    listed({ FORCE_COLOR: '1', NO_COLOR: '1' }),
  ]);
  expect(plain.stdout).not.toContain('\u001b[');
  expect(forced.stdout).toContain('\u001b[');
  expect(none.stdout).toBe(plain.stdout);
});
