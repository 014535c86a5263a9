import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, runCli, startProcess } from '../../../support/cli-process.ts';
import { ACME_KEY } from '../../../support/sandbox.ts';
import { isRunning } from '../../support/is-running.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const exec = (...words: string[]) => runCli(['exec', ...words]);
/** Runs exec in this process, for commands that print nothing. */
const execHere = (...words: string[]) => runInProcess(['exec', ...words]);

test('a command finds the sandbox by environment variables, and its exit code is that of exec', async () => {
  const script =
    'console.log(JSON.stringify(process.env)); fetch(process.env.SERVICE_BASE_URL + "/partner/webhooks/config", { headers: { "x-service-api-key": process.env.SERVICE_API_KEY } }).then(r => r.json()).then(c => { console.log(JSON.stringify(c)); process.exit(7) })';
  const { code, stdout, stderr } = await exec('--fixtures', 'empty', '--', process.execPath, '-e', script);
  expect({ code, stderr }).toEqual({ code: 7, stderr: '' });
  const [environment, config] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(environment).toMatchObject({
    CARD_SANDBOX_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    SERVICE_BASE_URL: `${environment.CARD_SANDBOX_URL}/v1`,
    SERVICE_API_KEY: ACME_KEY,
    SERVICE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_\w{24}$/),
  });
  expect(config.webhookSecret).toBe(environment.SERVICE_WEBHOOK_SECRET);
});

test('the webhook secret that exec makes up is the same for the same --seed, and random without', async () => {
  const print = 'console.log(process.env.SERVICE_WEBHOOK_SECRET)';
  const secret = async (...flags: string[]) =>
    (await exec(...flags, '--', process.execPath, '-e', print)).stdout;
  const [one, other] = await Promise.all([secret(), secret()]);
  expect(one).toMatch(/^whsec_\w{24}\n$/);
  expect(other).not.toBe(one);
  const [seeded, again] = await Promise.all([secret('--seed', '42'), secret('--seed', '42')]);
  expect(again).toBe(seeded);
  expect(seeded).not.toBe(one);
});

test('in exec, forward sends all events although a secret is stored', async () => {
  const [node, cli] = [process.execPath, CLI_PROGRAM];
  const script = `"${node}" "${cli}" forward http://127.0.0.1:9/ --json && "${node}" "${cli}" trigger card.3ds_otp --print webhookUrl`;
  const { code, stdout } = await exec('--', 'sh', '-c', script);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nhttp:\/\/127.0.0.1:9\/\n$/);
});

test('a secret from the fixture is used, and the journal stays empty', async () => {
  const file = await temporaryFile('secret.yaml');
  const webhooks = "{ webhookUrl: 'https://hooks.example.com', webhookSecret: it's-a-secret-of-length }";
  await writeFile(file, `partners:\n  - { id: partner_acme, apiKey: ${ACME_KEY}, webhooks: ${webhooks} }\n`);
  const script =
    'fetch(process.env.CARD_SANDBOX_URL + "/_sandbox/requests").then(r => r.json()).then(r => console.log(process.env.SERVICE_WEBHOOK_SECRET, r.length))';
  const { code, stdout } = await exec('--fixtures', file, '--', process.execPath, '-e', script);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "it's-a-secret-of-length 0\n" });
});

test('a signal that ends the command gives 128 plus its number', async () => {
  const codes = await Promise.all(
    ['KILL', 'TERM'].map(name => execHere('--', 'sh', '-c', `kill -${name} $$`)),
  );
  expect(codes.map(({ code }) => code)).toEqual([137, 143]);
});

test('a command that is not found gives 127 and one line', async () => {
  expect(await execHere('--', 'no-such-command')).toMatchObject({
    code: 127,
    stderr: 'error: no-such-command: command not found\n',
  });
  expect(await execHere('--', '/dev/null')).toMatchObject({ code: 126 });
  expect(await execHere('--', join(import.meta.filename, 'x'))).toMatchObject({
    code: 127,
    stderr: expect.stringMatching(/^error: .*: command not found\n$/),
  });
});

test.each([
  [['exec', process.execPath, '--version'], `${process.version}\n`],
  [['exec', '--seed', '5', process.execPath, '-p', '1'], '1\n'],
  [['exec', '--json', process.execPath, '-p', '2'], '2\n'],
  [['exec', process.execPath, '-e', 'console.log(process.argv.at(-1))', '--', '--json'], '--json\n'],
])('the command may stand without --: %j', async (args, output) => {
  const { code, stdout } = await runCli(args);
  expect([code, stdout]).toEqual([0, output]);
});

test('after an option with several values the command needs --, and nothing passes without it', async () => {
  const { code, stderr } = await runCli(['exec', '--fixtures', 'empty', process.execPath, '--version']);
  expect(code).toBe(2);
  expect(stderr).toContain('the command goes after --');
  expect((await runCli(['exec', '--', ''])).stderr).toContain('the command is empty');
});

test.each(['SIGINT', 'SIGTERM', 'SIGQUIT'] as const)(
  '%s is forwarded, and nothing keeps running',
  async signal => {
    const script = 'trap "exit 41" INT TERM QUIT; sleep 600 & echo $! $$; wait';
    const running = startProcess(process.execPath, [CLI_PROGRAM, 'exec', '--', 'sh', '-c', script]);
    const [, background, shell] = await running.printed(/^(\d+) (\d+)\n/);
    running.child.kill(signal);
    expect(await running.ended).toEqual({ code: 41, signal: null });
    for (const pid of [background, shell]) await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

test('SIGUSR2 is forwarded, and the command goes on', async () => {
  const script =
    "process.on('SIGUSR2', () => console.log('received')); process.on('SIGTERM', () => process.exit(42)); console.log('ready'); setInterval(() => {}, 1000)";
  const running = startProcess(process.execPath, [CLI_PROGRAM, 'exec', '--', process.execPath, '-e', script]);
  await running.printed(/ready/);
  for (const times of [1, 2]) {
    running.child.kill('SIGUSR2');
    await running.printed(new RegExp(`(received\\n){${times}}`));
  }
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual({ code: 42, signal: null });
});

test('processes that a command leaves running are killed', async () => {
  const { code, stdout } = await exec('--', 'sh', '-c', 'sleep 600 >/dev/null 2>&1 & echo $!; exit 7');
  expect(code).toBe(7);
  await expect.poll(() => isRunning(stdout.trim())).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'a process that leaves the session of the command is killed, unless it drops the variable',
  async () => {
    const start = (words: string) => `setsid ${words} sleep 600 >/dev/null 2>&1 & echo $!`;
    // While a process is replaced by another program, it shows no environment.
    const untilDropped = 'until [ "$(ps -o comm= -p $!)" = sleep ]; do :; done';
    const untilLeft = 'while [ "$(ps -o sid= -p $!)" -ne $! ]; do :; done';
    const script = `${start('')}; ${untilLeft}; ${start('env -u CARD_SANDBOX_RUN')}; ${untilDropped}; exit 7`;
    const { code, stdout } = await exec('--', 'sh', '-c', script);
    expect(code).toBe(7);
    const [pid, kept] = stdout.trim().split('\n');
    onTestFinished(() => void process.kill(Number(kept), 'SIGKILL'));
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(isRunning(kept)).toBe(true);
  },
);

test('--log-format logs requests on standard error, apart from the output of the command', async () => {
  const script = 'fetch(process.env.SERVICE_BASE_URL + "/partner/cards").then(r => console.log(r.status))';
  const { stdout, stderr } = await exec('--log-format', 'json', '--', process.execPath, '-e', script);
  expect(stdout).toBe('401\n');
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'request', status: 401 });
});
