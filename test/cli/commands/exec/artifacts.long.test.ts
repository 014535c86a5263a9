import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { runCli } from '../../../support/cli-process.ts';
import { startSandbox } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const FILES = ['main.history.json', 'sandbox.log', 'summary.md'];

/** A command that is refused once and leaves a webhook undelivered, and then exits with a code. */
const script = (code: number) => `
  const headers = { 'x-service-api-key': process.env.SERVICE_API_KEY, 'content-type': 'application/json' };
  const send = (method, path, body) => fetch(process.env.SERVICE_BASE_URL + path, { method, headers, body: body && JSON.stringify(body) });
  await send('PATCH', '/partner/webhooks/config', { webhookUrl: 'http://127.0.0.1:1/', subscribedEvents: ['balance.top_up'] });
  await send('GET', '/partner/cardholders/no|body?key=abc');
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

test('a failure leaves the history of the world, the log and a summary, all without secrets', async () => {
  const dir = await folder();
  const { code } = await exec(5, ['--artifacts', dir]);
  expect(code).toBe(5);
  expect((await readdir(dir)).toSorted()).toEqual(FILES);
  const read = (name: string) => readFile(join(dir, name), 'utf8');
  const history = JSON.parse(await read('main.history.json'));
  // The first sets the webhook secret of the environment.
  const at = '2026-03-15T10:00:00.000Z';
  expect(history.slice(1)).toMatchObject([
    {
      plane: 'partner',
      at,
      method: 'PATCH',
      path: '/v1/partner/webhooks/config',
      status: 200,
      headers: { 'x-service-api-key': '***' },
      body: '{"webhookUrl":"http://127.0.0.1:1/","subscribedEvents":["balance.top_up"]}',
      response: {
        headers: { 'content-type': expect.stringMatching(/json/) },
        body: expect.stringContaining('"***"'),
      },
    },
    { plane: 'partner', path: '/v1/partner/cardholders/no|body', query: 'key=***', status: 404 },
    { plane: 'control', path: '/_sandbox/clock/advance', status: 400, body: '{"duration":"soon"}' },
    { plane: 'control', path: '/_sandbox/balance/top-up', status: 200, body: '{"amount":5}' },
  ]);
  for (const name of FILES) {
    expect(await read(name)).not.toMatch(/sk_test_acme|whsec_|(?<![.\d])[2-6]\d{15}/);
    expect((await stat(join(dir, name))).mode & 0o077).toBe(0);
  }
  expect(await read('sandbox.log')).toMatch(
    /^200 PATCH .*\n404 GET .*\n.*no cardholder.*\n.*hint.*\n--- webhook balance\.top_up /,
  );
  const summary = await read('summary.md');
  expect(summary).toContain('exited with code 5. Requests: 2, webhooks at the end: 1.');
  expect(summary).toContain(
    `| main | ${history[2].id} | GET /v1/partner/cardholders/no\\|body?key=\\*\\*\\* | 404 | no cardholder with id "no\\|body" \\[assumption unknown-id\\] |`,
  );
  expect(summary).toMatch(
    /### Refused calls of the control plane\n\n.*\n.*\n\| main \| ctl_\w+ \| POST \/_sandbox\/clock\/advance \| 400 \| body\.duration: must be .* \|\n/,
  );
  expect(summary).toMatch(
    /### Attempts of undelivered webhooks\n\n.*\n.*\n\| main \| evt_\w+ \| 2026-03-15T10:00:00\.000Z http:\/\/127\.0\.0\.1:1\/ \| none \| connection refused; \d+ ms \|\n/,
  );
});

test('each world has a history, one that has ended and one of the same id too, and a reset hides nothing', async () => {
  const dir = await folder();
  await mkdir(dir, { recursive: true });
  for (const name of ['old.history.json', 'notes.md']) await writeFile(join(dir, name), '[]');
  const worlds = `
    const url = process.env.CARD_SANDBOX_URL + '/_sandbox';
    const send = (method, path, body) => fetch(url + path, { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    const call = async (key, path) => fetch(process.env.SERVICE_BASE_URL + path, { headers: { 'x-service-api-key': key } });
    for (const path of ['/partner/cards/card_one', '/partner/cards/card_two']) {
      const { partners } = await (await send('POST', '/worlds', { id: 'blue' })).json();
      await call(partners[0].apiKey, path);
      await send('POST', '/worlds/blue/reset');
      await send('DELETE', '/worlds/blue');
    }
    const { partners } = await (await send('POST', '/worlds', { id: 'green' })).json();
    await call(partners[0].apiKey, '/partner/balance');
    await send('POST', '/worlds', { id: 'idle' });
    process.exit(7);`;
  const flags = ['--artifacts', dir, '--', process.execPath, '--input-type=module', '-e', worlds];
  const { code, stderr } = await runInProcess(['exec', ...flags]);
  expect(code).toBe(7);
  expect((await readdir(dir)).toSorted()).toEqual([
    ...['blue.2.history.json', 'blue.history.json', 'green.history.json', ...FILES.slice(0, 1)],
    ...['notes.md', ...FILES.slice(1)],
  ]);
  const paths = async (name: string) =>
    JSON.parse(await readFile(join(dir, name), 'utf8')).map(({ path }: { path: string }) => path);
  expect(await paths('blue.history.json')).toEqual(['/v1/partner/cards/card_one', '/_sandbox/reset']);
  expect(await paths('blue.2.history.json')).toEqual(['/v1/partner/cards/card_two', '/_sandbox/reset']);
  expect(await paths('green.history.json')).toEqual(['/v1/partner/balance']);
  expect(stderr).toMatch(
    /^Refused requests\n {2}404 GET \/v1\/partner\/cards\/card_one \(req_\w+ in blue\)\n {6}no card .*\n {2}404 GET \/v1\/partner\/cards\/card_two \(req_\w+ in blue\)\n/,
  );
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toContain('Requests: 3, webhooks at the end: 0.');
});

test('a world of a running sandbox leaves the same, with what its journal has', async () => {
  const { origin } = await startSandbox({ allowHttpWebhooks: true });
  const dir = await folder();
  const { code } = await runInProcess(['exec', '--on', origin, '--artifacts', dir, ...command(5)]);
  expect(code).toBe(5);
  const files = (await readdir(dir)).toSorted();
  expect(files).toEqual([...FILES.slice(1), expect.stringMatching(/^world_\w+\.history\.json$/)]);
  const [, changed, refused, control] = JSON.parse(await readFile(join(dir, files[2] ?? ''), 'utf8'));
  expect(changed).toMatchObject({ method: 'PATCH', body: expect.stringContaining('balance.top_up') });
  expect(refused).toMatchObject({
    status: 404,
    response: { body: expect.stringContaining('no cardholder') },
  });
  expect(control).toEqual(expect.not.objectContaining({ body: expect.anything() }));
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toMatch(
    /no cardholder with .* \\\[assumption unknown-id/,
  );
});

const NO_REQUEST = /^No API request reached the sandbox\..*SERVICE_BASE_URL.*another host.*own process/;

test.each([
  ['no sandbox', ''],
  ['a sandbox of its own', '(await import(process.env.INDEX)).createSandbox().api.balance.get();'],
  [
    'the control plane alone',
    "await fetch(process.env.CARD_SANDBOX_URL + '/_sandbox/reset', { method: 'POST' });",
  ],
])(
  'where the command calls %s, the summary and standard error say that nothing was recorded',
  async (_, script) => {
    for (const code of [0, 4]) {
      const dir = await folder();
      const words = [process.execPath, '--input-type=module', '-e', `${script}; process.exitCode = ${code};`];
      const flags = ['--artifacts', dir, '--artifacts-always'];
      const INDEX = new URL('../../../../dist/index.js', import.meta.url).href;
      const finished = await runInProcess(['exec', ...flags, '--', ...words], { INDEX });
      expect(finished.code).toBe(code);
      expect(finished.stderr).toMatch(NO_REQUEST);
      const summary = await readFile(join(dir, 'summary.md'), 'utf8');
      expect(summary).toMatch(/Requests: 0, webhooks at the end: 0\. No API request reached the sandbox/);
      expect(summary).not.toContain('refused nothing');
    }
  },
);

test('the state of a failure is the start of another sandbox', async () => {
  const file = join(await folder(), '../state.json');
  await mkdir(dirname(file), { recursive: true });
  await exec(1, ['--state-on-failure', file]);
  const again = await runInProcess(['exec', '--allow-http-webhooks', '--fixtures', file, '--', 'true']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
});

test('a success leaves nothing, unless --artifacts-always is set', async () => {
  const dir = await folder();
  expect(await exec(0, ['--artifacts', dir])).toMatchObject({ code: 0, stderr: '' });
  await expect(readdir(dir)).rejects.toThrow('ENOENT');
  expect(await exec(0, ['--artifacts', dir, '--artifacts-always'])).toMatchObject({
    code: 0,
    stderr: `saved 3 files to ${dir}\n`,
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
    /^Refused requests\n {2}404 GET \/v1\/partner\/cardholders\/no\|body\?key=\*\*\* \(req_\w+\)\n {6}no cardholder with id .*\nRefused calls of the control plane\n {2}400 POST \/_sandbox\/clock\/advance .*\n {6}body\.duration: .*\nUndelivered webhooks\n {2}pending balance\.top_up \(evt_\w+\)\n {6}connection refused; 1 attempt, next retry at 2026-03-15T10:01:00\.000Z\n$/,
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
  await mkdir(join(dir, 'summary.md', 'in-the-way'), { recursive: true });
  const { code, stderr } = await exec(4, ['--artifacts', dir]);
  expect(code).toBe(4);
  expect(stderr).toContain(`error: ${join(dir, 'summary.md')} cannot be written (`);
  expect(stderr).toContain(`saved 2 files to ${dir}\n`);
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
  expect(await readFile(join(dir, 'summary.md'), 'utf8')).toContain('Requests: 2,');
  const shown = await runCli(['exec', '--', 'sh', '-c', 'echo $NO_PROXY $no_proxy'], variables);
  const list = 'a.test,localhost,127.0.0.1,[::1]';
  expect(shown.stdout).toBe(`${list} ${list}\n`);
});
