import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../../../src/core/operation/version.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { runCli } from '../../../support/cli-process.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const FILES = [
  ...['deliveries.json', 'history.yaml', 'options.json', 'requests.json', 'sandbox.log', 'start.json'],
  ...['state.json', 'summary.md'],
];

/** A command that is refused once and leaves a webhook undelivered, and then exits with a code. */
const script = (code: number) => `
  const headers = { 'x-service-api-key': process.env.SERVICE_API_KEY, 'content-type': 'application/json' };
  const send = (method, path, body) => fetch(process.env.SERVICE_BASE_URL + path, { method, headers, body: body && JSON.stringify(body) });
  await send('PATCH', '/partner/webhooks/config', { webhookUrl: 'http://127.0.0.1:1/', subscribedEvents: ['balance.top_up'] });
  await send('GET', '/partner/cardholders/no|body');
  await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/clock/advance', { method: 'POST', headers, body: '{"duration":"soon"}' });
  await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/balance/top-up', { method: 'POST', headers, body: '{"amount":5}' });
  await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/deliveries/settle', { method: 'POST', headers });
  process.exit(${code});`;

const command = (code: number) => ['--', process.execPath, '--input-type=module', '-e', script(code)];

/** Runs exec in this process: the command prints nothing. */
function exec(code: number, flags: readonly string[], variables = {}) {
  const frozen = ['--clock', '2026-03-15T10:00:00Z', '--freeze', '--allow-http-webhooks'];
  return runInProcess(['exec', ...frozen, ...flags, ...command(code)], variables);
}

async function folder(): Promise<string> {
  return join(dirname(await temporaryFile('x')), 'deep', 'artifacts');
}

test.runIf(process.platform === 'linux')(
  'a folder that can never be created is an error, not a wait',
  async () => {
    const { code, stderr } = await exec(5, ['--artifacts', '/proc/artifacts/deep']);
    expect(code).toBe(5);
    expect(stderr).toContain(
      'error: the folder /proc/artifacts/deep of --artifacts cannot be created (ENOENT)\n',
    );
  },
);

test('a failure leaves the state, the requests, the deliveries, the log and a summary', async () => {
  const dir = await folder();
  const { code } = await exec(5, ['--artifacts', dir]);
  expect(code).toBe(5);
  expect((await readdir(dir)).toSorted()).toEqual(FILES);
  const read = (name: string) => readFile(join(dir, name), 'utf8');
  const requests = JSON.parse(await read('requests.json'));
  expect(requests).toMatchObject([
    { method: 'PATCH', status: 200 },
    { method: 'GET', status: 404 },
  ]);
  expect(JSON.parse(await read('deliveries.json'))).toMatchObject([
    { eventType: 'balance.top_up', status: 'pending', attemptCount: 1 },
  ]);
  for (const name of ['state.json', 'start.json']) {
    const state = JSON.parse(await read(name));
    expect(state).toMatchObject({ format: 'card-sandbox-state' });
    expect(Object.values(state)[0]).toMatch(/^Holds API keys, webhook secrets and card numbers/);
  }
  for (const name of FILES.filter(each => !/^st.*\.json$/.test(each))) {
    expect(await read(name)).not.toMatch(/sk_test_acme|whsec_|(?<![.\d])[2-6]\d{15}/);
  }
  expect(await read('sandbox.log')).toMatch(
    /^200 PATCH .*\n404 GET .*\n.*no cardholder.*\n--- webhook balance\.top_up /,
  );
  const summary = await read('summary.md');
  expect(summary).toContain('exited with code 5. Requests: 2, webhooks: 1.');
  expect(summary).toContain(
    `| ${requests[1].id} | GET /v1/partner/cardholders/no\\|body | 404 | no cardholder with id "no\\|body" \\[assumption unknown-id\\] |`,
  );
  expect(summary).toMatch(
    /### Refused calls of the control plane\n\n.*\n.*\n\| 2026-03-15T10:00:00\.000Z \| POST \/_sandbox\/clock\/advance \| 400 \| body\.duration: must be .* \|\n/,
  );
  expect(summary).toMatch(
    /### Attempts of undelivered webhooks\n\n.*\n.*\n\| evt_\w+ \| 2026-03-15T10:00:00\.000Z http:\/\/127\.0\.0\.1:1\/ \| none \| connection refused; \d+ ms \|\n/,
  );
  expect(summary).toContain(`\nnpx card-sandbox@${VERSION} run ${dir}\n`);
  expect((await stat(join(dir, 'state.json'))).mode & 0o077).toBe(0);
});

test('the state of a failure is the start of another sandbox', async () => {
  const dir = await folder();
  await exec(1, ['--artifacts', dir]);
  const again = await runInProcess([
    'exec',
    '--allow-http-webhooks',
    '--fixtures',
    join(dir, 'state.json'),
    '--',
    'true',
  ]);
  expect(again).toMatchObject({ code: 0, stderr: '' });
});

test('a success leaves nothing, unless --artifacts-always is set', async () => {
  const dir = await folder();
  expect(await exec(0, ['--artifacts', dir])).toMatchObject({ code: 0, stderr: '' });
  await expect(readdir(dir)).rejects.toThrow('ENOENT');
  expect(await exec(0, ['--artifacts', dir, '--artifacts-always'])).toMatchObject({
    code: 0,
    stderr: `saved 8 files to ${dir}\n`,
  });
  expect(await readdir(dir)).toHaveLength(FILES.length);
});

test('--artifacts-always without a folder is wrong usage', async () => {
  expect(await runInProcess(['exec', '--artifacts-always', '--', 'true'])).toMatchObject({
    code: 2,
    stderr: 'error: --artifacts-always needs a folder; pass --artifacts DIR\n',
  });
});

test('a failure lists refused requests and undelivered webhooks on standard error and in the summary of the job', async () => {
  const file = await temporaryFile('summary.md');
  await writeFile(file, '# Job\n');
  const { code, stderr } = await exec(3, [], { GITHUB_STEP_SUMMARY: file });
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^Refused requests\n {2}404 GET \/v1\/partner\/cardholders\/no\|body \(req_\w+\)\n {6}no cardholder with id .*\nRefused calls of the control plane\n {2}400 POST \/_sandbox\/clock\/advance .*\n {6}body\.duration: .*\nUndelivered webhooks\n {2}pending balance\.top_up \(evt_\w+\)\n {6}connection refused; 1 attempt, next retry at 2026-03-15T10:01:00\.000Z\n$/,
  );
  expect(await readFile(file, 'utf8')).toMatch(
    /^# Job\n## card-sandbox\n[\s\S]*### Refused requests\n[\s\S]*### Undelivered webhooks\n/,
  );
});

test('a success writes no summary', async () => {
  const file = await temporaryFile('summary.md');
  expect(await exec(0, [], { GITHUB_STEP_SUMMARY: file })).toMatchObject({ code: 0, stderr: '' });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test.each([0, 6])('the exit code %i is kept when no file can be written, and each is named', async code => {
  const file = await temporaryFile('a-file');
  await writeFile(file, '');
  const under = join(file, 'below');
  const flags = ['--artifacts', under, '--artifacts-always', '--state-on-failure', under];
  const finished = await exec(code, flags, { GITHUB_STEP_SUMMARY: under });
  expect(finished.code).toBe(code);
  expect(finished.stderr).toContain(
    `error: the folder ${under} of --artifacts cannot be created (ENOTDIR)\n`,
  );
  if (code === 0) return;
  expect(finished.stderr).toContain(`error: ${under} cannot be written (ENOTDIR)\n`);
  expect(finished.stderr).toMatch(/error: ENOTDIR.*below/);
});

test('a file that cannot be replaced is named, the others are written, and no draft stays', async () => {
  const dir = await folder();
  await mkdir(join(dir, 'requests.json', 'in-the-way'), { recursive: true });
  const { code, stderr } = await exec(4, ['--artifacts', dir]);
  expect(code).toBe(4);
  expect(stderr).toContain(`error: ${join(dir, 'requests.json')} cannot be written (`);
  expect(stderr).toContain(`saved 7 files to ${dir}\n`);
  expect((await readdir(dir)).toSorted()).toEqual(FILES);
});

test('a state file that cannot be saved at the end does not change the exit code', async () => {
  const file = await temporaryFile('state.json');
  const dir = dirname(file);
  const remove = `require('node:fs').rmSync(${JSON.stringify(dir)}, { recursive: true }); process.exit(9)`;
  const { code, stderr } = await runInProcess([
    'exec',
    '--state',
    file,
    '--',
    process.execPath,
    '-e',
    remove,
  ]);
  await mkdir(dir, { recursive: true });
  expect(code).toBe(9);
  expect(stderr).toMatch(/state\.json/);
});

test('exec asks its own sandbox without a proxy, and the command is told to do the same', async () => {
  const dir = await folder();
  const variables = {
    HTTP_PROXY: 'http://127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: 'a.test',
  };
  const finished = await runCli(['exec', '--artifacts', dir, ...command(5)], variables);
  expect(finished.code).toBe(5);
  expect(JSON.parse(await readFile(join(dir, 'requests.json'), 'utf8'))).toHaveLength(2);
  const shown = await runCli(['exec', '--', 'sh', '-c', 'echo $NO_PROXY $no_proxy'], variables);
  const list = 'a.test,localhost,127.0.0.1,[::1]';
  expect(shown.stdout).toBe(`${list} ${list}\n`);
});
