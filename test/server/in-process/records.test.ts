import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect, createSandbox, startServer } from '../../../src/index.ts';
import {
  ALL_RECORDS_VARIABLE,
  RECORDS_VARIABLE,
  unrecorded,
} from '../../../src/server/in-process/own-records.ts';
import { keepRecord, recordFolder } from '../../../src/server/in-process/test-records.ts';
import type { Json } from '../../support/sandbox.ts';

/** Names a new folder for the records of this process, which is not created yet. */
function nameFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'deep', 'records');
  vi.stubEnv(RECORDS_VARIABLE, folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

/** What is said on standard error. */
function complaints(): string[] {
  const said: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation(text => void said.push(text));
  onTestFinished(() => spy.mockRestore());
  return said;
}

function linesOf(folder: string, name: string): Json[] {
  const text = readFileSync(join(folder, name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

test('each sandbox that is asked for something writes its record while it runs', async () => {
  const folder = nameFolder();
  const idle = createSandbox();
  await idle.ready;
  await using first = createSandbox();
  await first.api.balance.get();
  const [name = ''] = readdirSync(folder);
  expect(name).toMatch(/^in-process-\d+-\d+\.record\.jsonl$/);
  expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  expect(linesOf(folder, name).slice(1)).toMatchObject([{ entry: { path: '/v1/partner/balance' } }]);
  const { now } = await first.history.rewind({ steps: 1 });
  expect(now).toBeDefined();
  await first.close();
  expect(linesOf(folder, name).slice(2)).toMatchObject([
    { rewind: { to: 'ent_1' } },
    { end: { entries: 1, coverage: { 'balance.get 200': 1 } } },
  ]);
  await using server = await startServer();
  await server.api.balance.get();
  expect(readdirSync(folder)).toHaveLength(2);
  await idle.close();
});

test('a folder that the user named takes 200 records, and says once that later ones are left out', async () => {
  const folder = nameFolder();
  const said = complaints();
  await using _first = await used();
  for (let number = 2; number <= 200; number++) {
    writeFileSync(join(folder, `earlier-${number}.record.jsonl`), '');
  }
  for (let number = 1; number <= 2; number++) {
    await using _later = await used();
  }
  expect(readdirSync(folder)).toHaveLength(200);
  expect(said).toEqual([
    `card-sandbox: ${folder} has 200 records, which is the most; later ones are left out`,
  ]);
});

/** A sandbox that was asked for something. */
async function used() {
  const sandbox = createSandbox({ fixtures: ['empty'] });
  await sandbox.api.balance.get();
  return sandbox;
}

test('a folder that cannot be written is one line, and changes nothing else', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'records-')), 'a-file');
  writeFileSync(file, '');
  vi.stubEnv(RECORDS_VARIABLE, join(file, 'below'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const said = complaints();
  for (let number = 1; number <= 2; number++) {
    await using sandbox = await used();
    expect((await sandbox.api.balance.get()).currency).toBeDefined();
  }
  expect(said).toEqual([
    expect.stringMatching(/^card-sandbox: the record of world main cannot be written to /),
  ]);
});

test('the record of a failed test has what happened in it, and the failure says how to open it', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'records');
  await using sandbox = createSandbox();
  await sandbox.api.balance.get();
  const [last] = await sandbox.history.list({ limit: 1 });
  await sandbox.api.cards.get('card_none').catch(() => undefined);
  const error = { message: 'expected 404 to be 200' };
  const failed = { name: 'a card: is shown / once', result: { errors: [error] } };
  for (let times = 1; times <= 2; times++) await keepRecord(sandbox, folder, failed, last);
  expect(readdirSync(folder)).toEqual([
    'a-card-is-shown-once.2.record.jsonl',
    'a-card-is-shown-once.record.jsonl',
  ]);
  expect(linesOf(folder, 'a-card-is-shown-once.record.jsonl')).toMatchObject([
    { record: 1 },
    { entry: { id: 'ent_2', status: 404 } },
    { end: { entries: 1 } },
  ]);
  expect(error.message).toMatch(
    /^expected 404 to be 200\n\nWhat happened in the sandbox: npx card-sandbox@\S+ open \S+\.record\.jsonl\n/,
  );
});

test('each failed try of a test that is retried says how to open its own record', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'records');
  await using sandbox = createSandbox();
  const errors: { message: string }[] = [];
  for (const message of ['first try', 'second try']) {
    const [last] = await sandbox.history.list({ limit: 1 });
    await sandbox.api.balance.get();
    errors.push({ message });
    await keepRecord(sandbox, folder, { name: 'a card', result: { errors } }, last);
  }
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^first try\n\nWhat happened .* open \S+\/a-card\.record\.jsonl$/),
    expect.stringMatching(/^second try\n\nWhat happened .* open \S+\/a-card\.2\.record\.jsonl$/),
  ]);
});

test('tests of one name that fail at the same time have a record each', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'records');
  const failures = await Promise.all(
    ['card_one', 'card_other', 'card_third'].map(async card => {
      await using sandbox = createSandbox();
      await sandbox.api.cards.get(card).catch(() => undefined);
      const error = { message: 'a failure' };
      await keepRecord(sandbox, folder, { name: 'works', result: { errors: [error] } }, undefined);
      return { card, file: error.message.replace(/^.* open /s, '') };
    }),
  );
  expect(readdirSync(folder)).toHaveLength(3);
  for (const { card, file } of failures) expect(readFileSync(file, 'utf8')).toContain(card);
});

test('the record of a failed test that went back beyond its start has all that was kept', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'records');
  await using sandbox = createSandbox();
  await sandbox.simulate.topUp({ amount: 1 });
  for (let times = 1; times <= 2; times++) await sandbox.api.balance.get();
  const [last] = await sandbox.history.list({ limit: 1 });
  await sandbox.history.rewind({ steps: 2 });
  for (const amount of [4, 5, 6]) await sandbox.simulate.topUp({ amount });
  await keepRecord(sandbox, folder, { name: '戻る'.repeat(100) }, last);
  const [name = ''] = readdirSync(folder);
  const amounts = linesOf(folder, name).flatMap(({ entry }) => entry && JSON.parse(entry.body).amount);
  expect(amounts.filter(each => each !== undefined)).toEqual([1, 4, 5, 6]);
});

test('a failed test that asked nothing of the sandbox says that nothing was recorded, and why', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'records-')), 'records');
  await using sandbox = createSandbox();
  await sandbox.api.balance.get();
  const [last] = await sandbox.history.list({ limit: 1 });
  const error = { message: 'expected 404 to be 200' };
  await keepRecord(sandbox, folder, { name: 'a card', result: { errors: [error] } }, last);
  expect(error.message).toMatch(
    /^expected 404 to be 200\n\nNo record: the test asked nothing of `sandbox`; .*another host/,
  );
  expect(existsSync(folder)).toBe(false);
});

test('sandboxes of failed tests are recorded once, and under exec, which records all, too', async () => {
  for (const [isUnderExec, count] of [
    [false, 1],
    [true, 2],
  ] as const) {
    const folder = nameFolder();
    if (isUnderExec) vi.stubEnv(ALL_RECORDS_VARIABLE, folder);
    for (const options of [{}, unrecorded({})]) {
      await using sandbox = createSandbox({ ...options, fixtures: ['empty'] });
      await sandbox.api.balance.get();
    }
    expect(readdirSync(folder)).toHaveLength(count);
  }
});

test('under exec all records are in its folder, also where the command names one of its own', async () => {
  const folder = nameFolder();
  const folderOfExec = join(mkdtempSync(join(tmpdir(), 'records-')), 'all');
  vi.stubEnv(ALL_RECORDS_VARIABLE, folderOfExec);
  await using _sandbox = await used();
  expect(readdirSync(folderOfExec)).toHaveLength(1);
  expect(existsSync(folder)).toBe(false);
});

test('records of failed tests go where code says, else where the user says, and nowhere under exec', () => {
  const own = { [RECORDS_VARIABLE]: 'named' };
  expect(recordFolder('given', own)).toBe('given');
  expect(recordFolder(undefined, own)).toBe('named');
  expect(recordFolder(undefined, {})).toBe(null);
  expect(recordFolder(undefined, { ...own, [ALL_RECORDS_VARIABLE]: '1' })).toBe(null);
});

test('connect takes the URL and the world of the environment, and for another URL its main', async () => {
  await using own = await startServer();
  await using other = await startServer();
  await own.worlds.create({ id: 'blue' });
  vi.stubEnv('CARD_SANDBOX_URL', own.url);
  vi.stubEnv('CARD_SANDBOX_WORLD', 'blue');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await connect()).toMatchObject({ url: own.url, world: 'blue' });
  expect(await connect({ url: own.url })).toMatchObject({ world: 'blue' });
  expect(await connect({ world: 'main' })).toMatchObject({ url: own.url, world: 'main' });
  expect(await connect({ url: other.url })).toMatchObject({ url: other.url, world: 'main' });
  await expect(connect({ url: other.url, world: 'blue' })).rejects.toThrow('no world "blue"');
});
