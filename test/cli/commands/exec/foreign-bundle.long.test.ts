import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { runInProcess } from '../../../support/cli-in-process.ts';
import type { Json } from '../../../support/sandbox.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

/** A folder as `exec` writes it. */
let written: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  written = join(folder, 'artifacts');
  const flags = ['--allow-http-webhooks', '--artifacts', written, '--artifacts-always'];
  expect((await runInProcess(['exec', ...flags, '--', 'true'])).code).toBe(0);
  return () => rm(folder, { recursive: true });
});

/** Returns a copy of the folder that a stranger has changed. */
async function changed(file: string, change: (content: Json) => unknown): Promise<string> {
  const folder = join(dirname(await temporaryFile('x')), 'artifacts');
  await cp(written, folder, { recursive: true });
  const content = parse(await readFile(join(folder, file), 'utf8'));
  const result = change(content) ?? content;
  await writeFile(join(folder, file), file.endsWith('.yaml') ? stringify(result) : JSON.stringify(result));
  return folder;
}

const play = (folder: string) => runInProcess(['run', folder]);

test('the folder says which release wrote it, and is played by this one', async () => {
  const options = JSON.parse(await readFile(join(written, 'options.json'), 'utf8'));
  expect(options).toMatchObject({ version: 1, cardSandbox: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect((await play(written)).code).toBe(0);
});

test.each([
  ...['handlers', 'state', 'webhookCa', 'scenarios', 'egress', 'fixtures'],
  ...[
    'insecureWebhookTls',
    'trustProxy',
    'watch',
    'port',
    'host',
    'controlToken',
    'futureOption',
    'toString',
  ],
])('an options.json with %s, which exec does not write, is refused', async name => {
  const { code, stderr } = await play(
    await changed('options.json', options => ({ ...options, [name]: 'x' })),
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`options\\.json: ${name}: is not an option that exec writes[,;] `));
});

test('code and state files that a folder names are neither executed nor written', async () => {
  const target = await temporaryFile('state.json');
  const mark = await temporaryFile('mark');
  for (const [name, value] of [
    ['handlers', 'evil.mjs'],
    ['state', target],
  ]) {
    const folder = await changed('options.json', options => ({ ...options, [`${name}`]: value }));
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, '');`;
    await writeFile(join(folder, 'evil.mjs'), `${code} export default [];`);
    expect((await play(folder)).code).toBe(1);
  }
  expect([target, mark].filter(existsSync)).toEqual([]);
});

test.each([
  [
    'version',
    2,
    'version: this release plays version 1; play the folder with the release that cardSandbox names',
  ],
  ['seed', 'x', 'seed: must be'],
  ['kycDelay', 'soon', 'kycDelay: must be a duration'],
])('an options.json whose %s is %j is refused', async (name, value, problem) => {
  const { code, stderr } = await play(
    await changed('options.json', options => ({ ...options, [name]: value })),
  );
  expect(code).toBe(1);
  expect(stderr).toContain(`options.json: ${problem}`);
});

test.each<[string, Json]>([
  ['control: POST /state/save is in no history', { control: 'POST /state/save' }],
  ['control: POST /stop is in no history', { control: 'POST /stop' }],
  ['control: DELETE /worlds/main is in no history', { control: 'DELETE /worlds/main' }],
  ['control: GET /state is in no history', { control: 'GET /state' }],
  ['wait: is not a member that exec writes', { wait: '1d' }],
  ['webhook: is not a member that exec writes', { webhook: { eventType: 'balance.top_up' } }],
  ['repeat: is not a member that exec writes', { request: 'GET /partner/balance', repeat: 10_000 }],
])('a history is refused because %s', async (problem, step) => {
  const folder = await changed('history.yaml', history => void history.steps.push(step));
  const { code, stderr } = await play(folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(/history\.yaml:\d+: /);
  expect(stderr).toContain(problem);
});

test('webhooks of a folder reach nobody, wherever it forwards them', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // The server listens on a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin`;
  const configured = (webhookUrl: string) => ({
    control: 'PATCH /webhooks/config',
    body: {
      webhookUrl,
      webhookSecret: 'a-secret-of-more-than-16',
      subscribedEvents: ['balance.top_up'],
    },
  });
  const hooks = 'https://hooks.test/';
  const event = { control: 'POST /events', body: { eventType: 'balance.top_up' } };
  for (const steps of [
    [configured(url)],
    [configured(hooks), { control: 'PUT /forwarding', body: { url } }],
    [configured(hooks), { control: 'PUT /forwarding', body: { map: { [hooks]: url } } }],
  ]) {
    const folder = await changed('history.yaml', history => void history.steps.push(...steps, event));
    expect(await play(folder)).toMatchObject({ stderr: expect.stringContaining('Undelivered webhooks') });
  }
  await play(await changed('options.json', options => ({ ...options, forwardTo: url })));
  expect(requests).toBe(0);
});

test.each(['options.json', 'start.json', 'history.yaml', 'deliveries.json'])(
  '%s is not followed as a link, read as a folder or done without',
  async name => {
    const folder = await changed('options.json', () => undefined);
    const [file, elsewhere] = [join(folder, name), await temporaryFile(name)];
    await rename(file, elsewhere);
    expect(await play(folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${name}: is missing`),
    });
    await symlink(elsewhere, file);
    const notRegular = { code: 1, stderr: expect.stringContaining(`${name}: is not a regular file`) };
    expect(await play(folder)).toMatchObject(notRegular);
    await rm(file);
    await mkdir(file);
    expect(await play(folder)).toMatchObject(notRegular);
  },
);

test('a start that is not a saved state is refused', async () => {
  const folder = await changed('start.json', () => ({ cardholders: [{ generate: 1_000_000_000 }] }));
  expect(await play(folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('start.json: is not a saved state; run plays folders as exec'),
  });
});

test('a folder is not played on another server', async () => {
  const finished = await runInProcess(['run', written, '--base-url', 'http://127.0.0.1:1/v1']);
  expect(finished).toMatchObject({ code: 2, stderr: expect.stringContaining('on a sandbox of its own') });
});

test('an expectation that exec does not write is refused, as a regular expression could take forever', async () => {
  for (const expect_ of [{ body: { id: '/^(a+)+$/' } }, { headers: { 'content-type': '/^(a+)+$/' } }]) {
    const folder = await changed('history.yaml', ({ steps }) => {
      steps.push({ request: 'GET /partner/balance', expect: expect_ });
    });
    const { code, stderr } = await play(folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`expect.${Object.keys(expect_)[0]}: is not a member that exec writes`),
    ]);
  }
});
