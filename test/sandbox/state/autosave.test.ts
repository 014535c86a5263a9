import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { Autosave } from '../../../src/sandbox/state/autosave.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
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
  expect(readdirSync(dirname(file)).sort()).toEqual(['world.json', 'world.json.lock']);
});

/** An autosave of a state, whose saves call `save` and take the processor time that it returns. */
function autosaving(save: () => number) {
  const { realTime, pass } = manualTime(0);
  const state = { version: 0 };
  let saved = state.version;
  const savable = {
    busyMs: 0,
    get isChanged() {
      return state.version !== saved;
    },
    async save() {
      const { version } = state;
      this.busyMs = save();
      saved = version;
    },
  };
  const autosave = new Autosave(savable, realTime, () => undefined);
  /** Lets time pass, and the save that begins then end. */
  const passAndSave = async (ms: number) => {
    pass(ms);
    await new Promise(setImmediate);
  };
  return { autosave, pass, passAndSave, state, elapsed: realTime.elapsed };
}

test.each([40, 400, 4_000])('saves that take %i ms take at most a twentieth of the time', async eachMs => {
  let busyMs = 0;
  const { pass, passAndSave, state, elapsed } = autosaving(() => {
    pass(eachMs);
    busyMs += eachMs;
    return eachMs;
  });
  for (let second = 0; second < 600; second++) {
    state.version += 1;
    await passAndSave(1_000);
  }
  // The pause after the last one is not over.
  const paid = busyMs - eachMs;
  expect(paid).toBeGreaterThan(0);
  expect(paid / elapsed()).toBeLessThanOrEqual(1 / 20);
});

test('a state that keeps the disk busy, and not the processor, is saved without a pause', async () => {
  const savedAt: number[] = [];
  const { pass, passAndSave, state, elapsed } = autosaving(() => {
    pass(800);
    savedAt.push(elapsed());
    return 5;
  });
  for (let second = 0; second < 30; second++) {
    state.version += 1;
    await passAndSave(1_000);
  }
  const gaps = savedAt.slice(1).map((at, index) => at - (savedAt[index] ?? 0));
  expect(gaps.length).toBeGreaterThan(10);
  expect(Math.max(...gaps)).toBeLessThan(2_500);
});

test('an autosave that is stopped during a save does not look for changes again', async () => {
  let saves = 0;
  const { autosave, passAndSave, state } = autosaving(() => {
    saves += 1;
    autosave.stop();
    return 0;
  });
  for (let second = 0; second < 3; second++) {
    state.version += 1;
    await passAndSave(1_000);
  }
  expect(saves).toBe(1);
});
