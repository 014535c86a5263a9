import { readFile, writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess, serveHere } from '../../../support/cli-in-process.ts';
import { CLI_PROGRAM, runCli, startProcess } from '../../../support/cli-process.ts';
import { listen } from '../../../support/listen.ts';
import { vacant } from '../../support/deserted.ts';
import { isRunning } from '../../support/is-running.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

interface Started {
  readonly url: string;
  readonly baseUrl: string;
  readonly instance: string;
  readonly pid: number;
  readonly log: string;
}

/** Starts a sandbox in the background, which is killed when the test ends. */
async function start(...flags: string[]): Promise<Started> {
  const { code, stdout, stderr } = await runCli(['start', '--background', '--port', '0', ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const started: Started = JSON.parse(stdout);
  onTestFinished(() => {
    if (isRunning(started.pid)) process.kill(started.pid, 'SIGKILL');
  });
  return started;
}

/** The URL of a server that is not a sandbox. */
const stranger = (status: number, body = '<html>') =>
  listen((_request, response) => response.writeHead(status).end(body));

test('--background ends once the sandbox responds, with its address, process and log', async () => {
  const file = await temporaryFile('sandbox.log');
  const started = await start('--log-file', file, '--log-format', 'json');
  expect(started).toMatchObject({
    type: 'listening',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    baseUrl: `${started.url}/v1`,
    // Without a letter after the dash, the id of some process would look like a card number and be masked.
    instance: expect.stringMatching(`^${started.pid}-i[0-9a-f]{8}$`),
    log: file,
  });
  expect((await fetch(`${started.baseUrl}/partner/cards`)).status).toBe(401);
  await expect.poll(() => readFile(file, 'utf8')).toMatch(/^{"type":"listening".*\n{"type":"request"/);
});

test('stop ends the sandbox, saves its state, and waits until its process is gone', async () => {
  const state = await temporaryFile('state.json');
  const { url, pid, instance } = await start('--state', state);
  const stopped = await runInProcess(['stop', '--url', url, '--json']);
  expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, url, instance, pid });
  expect(isRunning(pid)).toBe(false);
  expect(JSON.parse(await readFile(state, 'utf8'))).toHaveProperty('version');
  expect(await runInProcess(['stop', '--url', url])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no sandbox answers at'),
  });
});

test('a sandbox in the background whose address cannot be printed is ended again', async () => {
  const log = await temporaryFile('sandbox.log');
  const start = `'${process.execPath}' '${CLI_PROGRAM}' start --background --port 0 --log-file '${log}' --log-format json`;
  for (const command of [`${start} > /dev/full`, `${start} --print controlToken`]) {
    expect(await startProcess('sh', ['-c', command]).ended).toMatchObject({ code: 1 });
    const { url } = JSON.parse((await readFile(log, 'utf8')).trimEnd().split('\n').at(-1) ?? '');
    await expect(fetch(url)).rejects.toThrow();
  }
});

test('env and stop are tied to an instance', async () => {
  const [one, other] = [await start(), await start()];
  const tied = { CARD_SANDBOX_URL: one.url, CARD_SANDBOX_INSTANCE: one.instance };
  expect(JSON.parse((await runInProcess(['env', '--json'], tied)).stdout)).toMatchObject(tied);
  const message = `error: another sandbox responds at ${one.url}, instance ${one.instance}, not instance ${other.instance}; stop it, or use another port\n`;
  const refused = await runInProcess(['env', '--instance', other.instance], tied);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: message });
  const kept = await runInProcess(['stop', '--instance', other.instance], tied);
  expect(kept).toMatchObject({
    code: 1,
    stderr: `error: the sandbox is instance ${one.instance}, not ${other.instance}; it keeps running\n`,
  });
  expect(isRunning(one.pid)).toBe(true);
});

test('a start in the background that fails reports the reason and the exit code of start', async () => {
  const broken = await temporaryFile('broken.yaml');
  await writeFile(broken, 'cardholders: 1\n');
  const { url } = await serveHere();
  const fails = (...flags: string[]) => runCli(['start', '--background', ...flags]);
  const [busy, fixture, option, flag, log] = await Promise.all([
    fails('--port', new URL(url).port),
    fails('--port', '0', '--fixtures', broken),
    fails('--port', '0', '--kyc-delay', 'soon'),
    fails('--port', '0', '--sed', '1'),
    fails('--port', '0', '--log-file', '/no/such/folder/sandbox.log'),
  ]);
  expect(busy).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: port \d+ on 127\.0\.0\.1 is in use; /),
  });
  expect(fixture).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: the fixtures are invalid:\n.*broken\.yaml:1/),
  });
  expect(option).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("option '--kyc-delay <duration>'"),
  });
  expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean --seed?') });
  expect(log).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be written (ENOENT); pass another file with --log-file'),
  });
});

test('the reason of a failed start is the end of its log, which is kept', async () => {
  const file = await temporaryFile('sandbox.log');
  await writeFile(file, 'an earlier run\n');
  const failed = await runCli(['start', '--background', '--fixtures', 'nope', '--log-file', file]);
  expect(failed.stderr).toMatch(/^error: the fixtures are invalid:/);
  expect(await readFile(file, 'utf8')).toBe(`an earlier run\n${failed.stderr}`);
});

test('a stranger on the port is an error of wait, env and stop, at once and with its cause', async () => {
  for (const url of [await stranger(200), await stranger(200, '{}')]) {
    for (const command of ['wait', 'env', 'stop']) {
      const { code, stderr } = await runInProcess([command, '--url', url]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining(`error: the server at ${url} is not a card-sandbox; `),
      });
    }
  }
});

test('wait keeps running while a proxy has no sandbox behind it', async () => {
  const { code, stderr } = await runInProcess(['wait', '--timeout', '3s', '--url', await stranger(502)]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is not a card-sandbox') });
});

test('a sandbox that is part of another program is not stopped', async () => {
  const { url } = await serveHere();
  expect(await runInProcess(['stop', '--url', url])).toMatchObject({
    code: 1,
    stderr: 'error: the sandbox is part of another program, such as exec or a test, and ends with it\n',
  });
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
});

test('--log-file without --background is wrong usage', async () => {
  expect(await runInProcess(['start', '--port', '0', '--log-file', 'x'])).toMatchObject({
    code: 2,
    stderr: 'error: --log-file is for --background; redirect the output instead\n',
  });
});

test('the commands of a shell work together', async () => {
  const url = await vacant();
  const started = await runCli(['start', '--background', '--port', new URL(url).port]);
  expect(JSON.parse(started.stdout).url).toBe(url);
  const variables = { CARD_SANDBOX_URL: url };
  expect((await runCli(['wait'], variables)).code).toBe(0);
  expect((await runCli(['stop'], variables)).stdout).toMatch(`stopped the sandbox at ${url}, process `);
});
