import { expect, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';

test('--list names every misbehaviour with its kind and two sentences, and runs nothing', async () => {
  const { code, stdout } = await runInProcess(['exam', '--list', '--json']);
  expect(code).toBe(0);
  const list: Record<string, string>[] = JSON.parse(stdout);
  expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  for (const { id, kind, why, sound } of list) {
    expect(id).toMatch(/^[a-z0-9-]+(\.[a-zA-Z.]+)?$/);
    expect(['benign', 'forged']).toContain(kind);
    expect(why).toMatch(/^[A-Z].*\.$/);
    expect(sound).toMatch(/^[A-Z].*\.$/);
  }
  expect(list.filter(({ kind }) => kind === 'forged').length).toBeGreaterThanOrEqual(5);
  const short = (await runInProcess(['exam', '--list'])).stdout.trimEnd().split('\n');
  expect(short).toHaveLength(list.length);
  expect(short[0]).toMatch(/^connection-lost-before\.cardholders\.create +benign$/);
});

test('the advice about a lost connection is that of its operation', async () => {
  const { stdout } = await runInProcess(['exam', '--list', '--json', '--only', 'connection-lost-after']);
  const list: Record<string, string>[] = JSON.parse(stdout);
  expect(new Set(list.map(({ sound }) => sound)).size).toBe(list.length);
  const sound = Object.fromEntries(
    list.map(each => [each.id?.replace('connection-lost-after.', ''), each.sound]),
  );
  expect(sound['cardholders.create']).toContain('externalUserId');
  expect(sound['cards.issue']).toContain('cards of the cardholder');
  expect(sound['webhooks.updateConfig']).toContain('Send the same configuration again');
  expect(sound['cards.activate']).toContain('Read the card, and activate it only if');
});

test.each([
  [['exam'], "missing required argument 'command'"],
  [['exam', '--only', 'webhook-twice', '--', 'true'], 'did you mean "webhooks-twice"?'],
  [['exam', '--only', 'nothing-like-it', '--', 'true'], 'exam --list shows all'],
  [['exam', '--parallel', '0', '--', 'true'], 'from 1 to 64'],
  [['exam', '--time-limit', '0.5', '--', 'true'], 'from 1 to 100'],
  [['exam', '--time-limit', '101', '--', 'true'], 'from 1 to 100'],
  [['exam', '--time-limit', '', '--', 'true'], 'from 1 to 100'],
  [['exam', '--state', 'world.json', '--', 'true'], '--state cannot be used with exam'],
  [
    ['exam', '--port', '4010', '--parallel', '2', '--', 'true'],
    '--port 4010 cannot be used with --parallel 2, because each run has a server of its own; leave one of them out',
  ],
  [['exam', '--only', 'ids-long+webhook-twice', '--', 'true'], 'did you mean "webhooks-twice"?'],
])('%j is wrong usage', async (args, message) => {
  const { code, stderr } = await runInProcess(args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  ['--junit', 'missing/exam.xml', 'missing/exam.xml cannot be written (ENOENT); create its folder first'],
  [
    '--artifacts',
    'package.json',
    'the folder package.json of --artifacts cannot be read (ENOTDIR); pass another folder',
  ],
])('%s %s, where nothing can be written, is an error before the first run', async (flag, path, message) => {
  expect(await runInProcess(['exam', flag, path, '--', 'false'])).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: `error: ${message}\n`,
  });
});
