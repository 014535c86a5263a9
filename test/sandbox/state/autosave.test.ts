import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { Autosave } from '../../../src/sandbox/state/autosave.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { CLI_PROGRAM, startCli, startProcess } from '../../support/cli-process.ts';
import { manualTime } from '../../support/manual-time.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

/** A sandbox with a state file, in wall time that the test advances. */
async function saving(hooks = {}) {
  const file = await temporaryFile('world.json');
  const wall = manualTime(Date.parse(START));
  const sandbox = await startSandbox({ state: file }, { realTime: wall.realTime, ...hooks });
  const counted = () => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).counts.cardholders;
  return { ...sandbox, file, pass: wall.pass, counted };
}

test('a change is saved within two seconds, and nothing is saved without one', async () => {
  const { api, control, file, pass, counted } = await saving();
  pass(60_000);
  expect(existsSync(file)).toBe(false);
  await api('POST', '/partner/cardholders', newCardholder());
  pass(2_000);
  await expect.poll(counted).toBe(1);
  // Waits for the end of that save, when the next one is scheduled.
  await control('POST', '/state/save');
  const { ino } = statSync(file);
  await api('GET', '/partner/cardholders');
  pass(60_000);
  expect(statSync(file).ino).toBe(ino);
  await control('POST', '/clock/advance', { duration: '1h' });
  pass(2_000);
  await expect.poll(() => JSON.parse(readFileSync(file, 'utf8')).clock.now).toBe('2026-03-15T11:00:00.000Z');
});

test('a reset and a restored checkpoint are changes too', async () => {
  const { api, control, pass, counted } = await saving();
  await api('POST', '/partner/cardholders', newCardholder());
  await control('POST', '/checkpoints/one');
  await control('POST', '/reset');
  pass(1_000);
  await expect.poll(counted).toBe(0);
  // Waits for the end of that save, when the next one is scheduled.
  await control('POST', '/state/save');
  await control('POST', '/checkpoints/one/restore');
  pass(1_000);
  await expect.poll(counted).toBe(1);
});

test('a save that fails is reported once, and the sandbox goes on and saves later', async () => {
  const errors: unknown[] = [];
  const { api, control, file, pass, counted } = await saving({
    onSaveError: (error: unknown) => errors.push(error),
  });
  // The folder is gone, which fails for every user.
  rmSync(dirname(file), { recursive: true });
  await api('POST', '/partner/cardholders', newCardholder());
  for (let save = 0; save < 3; save++) {
    pass(1_000);
    await control('POST', '/state/save');
    await expect.poll(() => errors.map(String)).toEqual([expect.stringContaining('cannot be saved')]);
  }
  expect((await api('GET', '/partner/cardholders')).body.total).toBe(1);
  mkdirSync(dirname(file));
  pass(1_000);
  await expect.poll(counted).toBe(1);
  expect(readdirSync(dirname(file))).toHaveLength(1);
});

test('nothing is saved without a change, and each change once', async () => {
  const { realTime, pass } = manualTime(0);
  let version = 0;
  const saved: number[] = [];
  const save = async () => void saved.push(version);
  new Autosave({ realTime, version: () => version, save, onFailure: () => undefined });
  for (let second = 0; second < 10; second++) {
    if (second === 3 || second === 7) version = second;
    pass(1_000);
    await new Promise(setImmediate);
  }
  expect(saved).toEqual([3, 7]);
});

test('at most a twentieth of the time is spent on saving', async () => {
  const { realTime, pass } = manualTime(0);
  let version = 0;
  let busyMs = 0;
  const save = async () => {
    pass(400);
    busyMs += 400;
  };
  new Autosave({ realTime, version: () => version, save, onFailure: () => undefined });
  for (let second = 0; second < 600; second++) {
    version += 1;
    pass(1_000);
    await new Promise(setImmediate);
  }
  expect(busyMs).toBeGreaterThan(0);
  expect(busyMs / realTime.now()).toBeLessThanOrEqual(1 / 20);
});

test('a change is saved 10 s after a save that took hours, as when the machine sleeps', async () => {
  const { realTime, pass } = manualTime(0);
  let version = 0;
  const saved: number[] = [];
  const save = async () => {
    saved.push(version);
    pass(8 * 3_600_000);
  };
  new Autosave({ realTime, version: () => version, save, onFailure: () => undefined });
  for (const change of [1, 2]) {
    version = change;
    pass(10_000);
    await new Promise(setImmediate);
  }
  expect(saved).toEqual([1, 2]);
});

test('a killed sandbox has saved, and the next one says what it loaded and what it saved', async () => {
  const file = await temporaryFile('world.json');
  const killed = await startCli(['--state', file, '--fixtures', 'empty']);
  await killed.ask('POST', '/v1/partner/cardholders', newCardholder());
  await expect.poll(() => existsSync(file)).toBe(true);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const savedAt = statSync(file).mtime.toISOString();
  const next = startProcess(process.execPath, [CLI_PROGRAM, 'start', '--port', '0', '--state', file]);
  await next.printed(/Ctrl-C stops the sandbox/);
  expect(next.stdout()).toContain(`${file}, saved at ${savedAt}`);
  expect(next.stdout()).toContain('--fixtures and --seed, because the state file was loaded');
  next.child.kill('SIGTERM');
  await next.ended;
  const { size } = statSync(file);
  expect(next.stderr()).toMatch(
    new RegExp(`saved the state to .*world\\.json: \\d+ records, ${size} bytes\\n$`),
  );
});
