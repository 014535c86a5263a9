import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { atFileEnd } from '../support/at-file-end.ts';
import { launchHere, runInProcess } from '../support/cli-in-process.ts';
import { CLI_PROGRAM, type Finished, requester, startProcess } from '../support/cli-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let project: string;

const atEnd = atFileEnd();
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'failing-pipeline-'));
  atEnd(() => rm(project, { recursive: true, maxRetries: 5 }));
  await cp(join(ROOT, 'examples/failing-pipeline'), project, { recursive: true });
  await mkdir(join(project, 'node_modules'));
  await symlink(ROOT, join(project, 'node_modules/card-sandbox'));
  await symlink(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  await writeFile(join(project, 'package.json'), '{"private": true, "type": "module"}');
});

/** Runs a program to its end, as a user does who names a folder for records, or names none. */
async function run(args: readonly string[], records?: string): Promise<Finished> {
  const variables = {
    VITEST: '',
    NO_COLOR: '1',
    ...(records !== undefined && { CARD_SANDBOX_RECORDS: records }),
  };
  const running = startProcess(process.execPath, args, variables);
  return { ...(await running.ended), stdout: running.stdout(), stderr: running.stderr() };
}

const vitest = () => [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', project];

test('the job leaves a record of each way of testing, which play and open', async () => {
  const dir = join(project, 'sandbox-artifacts');
  const { code, stderr } = await run([
    ...[CLI_PROGRAM, 'exec', '--artifacts', dir, '--', process.execPath, ...vitest()],
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/400 POST \/v1\/partner\/cards .*in-process-/);
  expect(stderr).toMatch(/404 GET \/v1\/partner\/cards\/card_mia_activ .*in main/);
  expect(stderr).toMatch(/undelivered balance\.top_up .*in world_\w+\)\n.*500/);
  const files = (await readdir(dir)).toSorted();
  expect(files).toEqual([
    expect.stringMatching(/^in-process-\d+-1\.record\.jsonl$/),
    'main.record.jsonl',
    'sandbox.log',
    'summary.md',
    expect.stringMatching(/^world_\w+\.record\.jsonl$/),
  ]);
  const played = await runInProcess(['run', dir]);
  expect(played.stdout).toMatch(/^in-process-\S+: reproduced: 4 of 4 .*\n.*refused: 400 POST/m);
  expect(played.stdout).toMatch(/^main: reproduced: 1 of 1 .*\n.*refused: 404 GET/m);
  expect(played.stdout).toMatch(/^world_\w+: reproduced: .*\n.*undelivered: balance\.top_up/m);
  expect(played.code).toBe(0);
  // The webhooks of the failed job reach the app that was repaired.
  const stored: string[] = [];
  const app = createServer(async (request, response) => {
    stored.push(JSON.parse(await text(request)).eventType);
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void app.close());
  await once(app, 'listening');
  const record = files.find(name => name.startsWith('world_')) ?? '';
  const opened = launchHere(['open', join(dir, record)]);
  const [, url = ''] = await opened.printed(/^(http:\S+?:\d+)\/dashboard\/\S+\n/);
  const { ask } = requester(url);
  const { port } = app.address() as AddressInfo;
  const forwarded = await runInProcess(['forward', `http://127.0.0.1:${port}/webhooks`, '--url', url]);
  expect(forwarded).toMatchObject({ code: 0, stderr: '' });
  const redelivered = await runInProcess(['events', 'redeliver', '--all', '--url', url]);
  expect(redelivered).toMatchObject({ code: 0 });
  expect(stored).toEqual(['balance.top_up']);
  const { body: history } = await ask('GET', '/_sandbox/history');
  const { body } = await ask('POST', '/_sandbox/rewind', { steps: history.length });
  expect(body.undone).toBe(history.length);
  expect(await opened.stop()).toBe(0);
});

test('without exec, a folder for records has one of each failed test of the fixture, named after it', async () => {
  const records = await mkdtemp(join(tmpdir(), 'records-'));
  onTestFinished(() => rm(records, { recursive: true }));
  await writeFile(
    join(project, 'in-process.passing.test.js'),
    `import { sandboxTest } from 'card-sandbox/vitest';
    sandboxTest()('a balance', async ({ sandbox }) => void (await sandbox.api.balance.get()));`,
  );
  const { code, stderr } = await run([...vitest(), 'in-process'], records);
  expect(code).toBe(1);
  const name = 'a-new-cardholder-gets-a-card.record.jsonl';
  expect(await readdir(records)).toEqual([name]);
  const file = join(records, name);
  expect(stderr).toMatch(/AssertionError: expected 400 to be 201/);
  expect(stderr).toMatch(new RegExp(`What happened in the sandbox: npx card-sandbox@\\S+ open ${file}\n`));
  expect(await readFile(file, 'utf8')).toMatch(/\n\{"end":/);
  expect(await runInProcess(['run', file])).toMatchObject({ code: 0 });
});
