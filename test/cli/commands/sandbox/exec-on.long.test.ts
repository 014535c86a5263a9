import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { runInProcess, serveHere, sharedSandbox } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, startProcess } from '../../../support/cli-process.ts';
import { listen } from '../../../support/listen.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const { run, json, running } = sharedSandbox();
const execOn = (...words: string[]) => run('exec', '--on', running().url, ...words);
const worlds = async () => (await json('worlds', 'list')).map(({ id }: { id: string }) => id);

/** A script that writes its environment to a file. */
const writeEnvironment = (file: string) =>
  `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))`;

test('a command gets a world of its own, which ends with it', async () => {
  const file = await temporaryFile('people.yaml');
  await writeFile(file, 'cardholders:\n  - { id: ch_mine, email: m@example.com, externalUserId: mine }\n');
  const environment = await temporaryFile('env.json');
  const script = `${writeEnvironment(environment)};
    const { CARD_SANDBOX_URL, CARD_SANDBOX_WORLD, SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
    const world = CARD_SANDBOX_URL + '/_sandbox/worlds/' + CARD_SANDBOX_WORLD;
    const json = (url, headers) => fetch(url, { headers }).then(response => response.json());
    (async () => {
      const people = await json(SERVICE_BASE_URL + '/partner/cardholders', { 'x-service-api-key': SERVICE_API_KEY });
      const { options } = await json(world + '/info');
      process.exit(people.data[0].id === 'ch_mine' && options.kycDelay === '1h' && options.freeze ? 7 : 1);
    })();`;
  const flags = ['--fixtures', 'empty', file, '--kyc-delay', '1h', '--freeze', '--world-ttl', '10m'];
  const { code, stderr } = await execOn(...flags, '--', process.execPath, '-e', script);
  expect({ code, stderr }).toEqual({ code: 7, stderr: '' });
  const variables = JSON.parse(await readFile(environment, 'utf8'));
  expect(variables).toMatchObject({
    CARD_SANDBOX_URL: running().url,
    CARD_SANDBOX_WORLD: expect.stringMatching(/^world_/),
    SERVICE_BASE_URL: `${running().url}/v1`,
    SERVICE_API_KEY: expect.stringMatching(/^sk_test_/),
    SERVICE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
  });
  expect(await worlds()).toEqual(['main']);
});

test('a command gets the control token, so that its commands reach the world', async () => {
  const { url } = await serveHere(['--host', '0.0.0.0', '--control-token', 'token-of-the-server']);
  const file = await temporaryFile('env.json');
  const words = ['exec', '--on', url, '--', process.execPath, '-e', writeEnvironment(file)];
  const environment = { CARD_SANDBOX_CONTROL_TOKEN: 'token-of-the-server' };
  expect(await runInProcess(words, environment)).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(file, 'utf8')).CARD_SANDBOX_CONTROL_TOKEN).toBe('token-of-the-server');
});

test('the commands of card-sandbox in it mean the world, and one of main is not changed', async () => {
  const clock = ['clock', 'advance', '1h'].map(word => `'${word}'`).join(' ');
  const script = `'${process.execPath}' '${CLI_PROGRAM}' ${clock}`;
  expect(await execOn('--', 'sh', '-c', script)).toMatchObject({ code: 0 });
  expect(await json('clock', 'now')).toMatchObject({ now: '2026-03-15T10:00:00.000Z' });
});

test('an own sandbox of exec is main, whatever the variable says', async () => {
  const variables = { CARD_SANDBOX_WORLD: 'blue' };
  const words = ['exec', '--', 'sh', '-c', 'test "$CARD_SANDBOX_WORLD" = main'];
  expect(await runInProcess(words, variables)).toMatchObject({ code: 0 });
});

test('the world ends also when the command fails, is not found, or is killed', async () => {
  expect(await execOn('--', 'sh', '-c', 'exit 3')).toMatchObject({ code: 3 });
  expect(await execOn('--', 'no-such-command')).toMatchObject({ code: 127 });
  expect(await execOn('--', 'sh', '-c', 'kill -KILL $$')).toMatchObject({ code: 137 });
  expect(await worlds()).toEqual(['main']);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('the world ends after %s', async signal => {
  const script = 'trap "exit 41" INT TERM HUP; echo "world $CARD_SANDBOX_WORLD"; while :; do sleep 0.1; done';
  const words = [CLI_PROGRAM, 'exec', '--on', running().url, '--', 'sh', '-c', script];
  const execution = startProcess(process.execPath, words);
  const [, world = ''] = await execution.printed(/world (\w+)\n/);
  expect(await worlds()).toEqual(['main', world]);
  execution.child.kill(signal);
  expect(await execution.ended).toEqual({ code: 41, signal: null });
  expect(await worlds()).toEqual(['main']);
});

/** An address that passes requests on to the sandbox, those that create worlds only once `release` is called. */
async function heldCreation() {
  let creating = () => {};
  let release = () => {};
  const isCreating = new Promise<void>(resolve => (creating = resolve));
  const released = new Promise<void>(resolve => (release = resolve));
  const url = await listen(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    if (method === 'POST') creating();
    if (method === 'POST') await released;
    const options = { method, headers: { ...headers, host: '127.0.0.1' } };
    const forwarded = request(running().url + path, options, answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  return { url, isCreating, release };
}

test('a signal before the command starts ends the world, and the command does not start', async () => {
  const { url, isCreating, release } = await heldCreation();
  const words = [CLI_PROGRAM, 'exec', '--on', url, '--', 'echo', 'started'];
  const execution = startProcess(process.execPath, words);
  await isCreating;
  execution.child.kill('SIGTERM');
  release();
  const ended = await execution.ended;
  const output = { stdout: execution.stdout(), stderr: execution.stderr() };
  expect({ ...ended, ...output }).toEqual({ code: 143, signal: null, stdout: '', stderr: '' });
  expect(await worlds()).toEqual(['main']);
});
