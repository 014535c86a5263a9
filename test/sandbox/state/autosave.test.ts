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
  expect(readdirSync(dirname(file))).toHaveLength(1);
});

const newStates = (count: number) => Array.from({ length: count }, () => ({ version: 0 }));

/** An autosave of states, whose saves call `save` and take the processor time that it returns. */
function autosaving(
  save: (state: { version: number }) => number | Promise<number>,
  states = [{ version: 0 }],
  /** The processor time of a save that fails, before one has succeeded. */
  failedMs = 0,
) {
  const { realTime, pass } = manualTime(0);
  const savables = states.map(state => {
    let saved = state.version;
    return {
      busyMs: failedMs,
      get isChanged() {
        return state.version !== saved;
      },
      async save() {
        const { version } = state;
        this.busyMs = await save(state);
        saved = version;
      },
    };
  });
  const failures: string[][] = [];
  const onFailure = (errors: readonly unknown[]) => void failures.push(errors.map(String));
  const autosave = new Autosave({ realTime, all: () => savables, onFailure });
  /** Sends a request to a state. Returns whether it has to wait. */
  const request = (index: number) => {
    const savable = savables[index];
    if (savable === undefined) throw new Error('no state');
    return autosave.saveIfLate(savable) !== null;
  };
  /** Lets time pass, and the saves that begin then end. */
  const passAndSave = async (ms: number) => {
    pass(ms);
    await new Promise(setImmediate);
  };
  return { pass, passAndSave, request, states, failures, elapsed: realTime.elapsed };
}

test('nothing is saved without a change, and each change once', async () => {
  const saved: number[] = [];
  const { passAndSave, states } = autosaving(({ version }) => {
    saved.push(version);
    return 0;
  });
  for (let second = 0; second < 10; second++) {
    if (second === 3 || second === 7) Object.assign(states[0] ?? {}, { version: second });
    await passAndSave(1_000);
  }
  expect(saved).toEqual([3, 7]);
});

test.each([
  [1, 400, 1 / 20],
  [1, 40, 1 / 20],
  [100, 40, 1 / 2],
])('%i states whose saves take %i ms each take at most %d of the time', async (count, eachMs, share) => {
  let busyMs = 0;
  const { pass, passAndSave, states, elapsed } = autosaving(() => {
    pass(eachMs);
    busyMs += eachMs;
    return eachMs;
  }, newStates(count));
  for (let second = 0; second < 600; second++) {
    for (const state of states) state.version += 1;
    await passAndSave(1_000);
  }
  expect(busyMs).toBeGreaterThan(0);
  expect(busyMs / elapsed()).toBeLessThanOrEqual(share);
});

/** A write that ends when the function is called. */
function slowDisk(): [write: Promise<number>, end: (busyMs: number) => void] {
  let end: (busyMs: number) => void = () => undefined;
  const write = new Promise<number>(resolve => {
    end = resolve;
  });
  return [write, end];
}

test('states that keep the disk busy, and not the processor, are saved without a pause', async () => {
  const savedAt = new Map<object, number[]>();
  const { pass, passAndSave, states, elapsed } = autosaving(state => {
    pass(20);
    savedAt.set(state, [...(savedAt.get(state) ?? []), elapsed()]);
    return 5;
  }, newStates(100));
  for (let second = 0; second < 30; second++) {
    for (const state of states) state.version += 1;
    await passAndSave(100);
  }
  const gaps = [...savedAt.values()].flatMap(times =>
    times.slice(1).map((at, index) => at - (times[index] ?? 0)),
  );
  expect(gaps.length).toBeGreaterThan(100);
  expect(Math.max(...gaps)).toBeLessThan(2_500);
});

test('a request to a state whose change waits for its turn for half a second saves it, once, and waits', async () => {
  const saved: object[] = [];
  const [disk, write] = slowDisk();
  const { passAndSave, request, states } = autosaving(state => {
    saved.push(state);
    return disk;
  }, newStates(100));
  expect(request(99)).toBe(false);
  for (const state of states) state.version += 1;
  await passAndSave(1_000);
  const first = saved.length;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(99);
  expect(request(99)).toBe(false);
  await passAndSave(500);
  expect([request(0), request(99), request(99)]).toEqual([false, true, false]);
  expect(saved).toEqual([...states.slice(0, first), states[99]]);
  write(0);
  await new Promise(setImmediate);
  expect(saved).toHaveLength(100);
});

test('no request waits for a state that cannot be saved', async () => {
  const [disk, write] = slowDisk();
  let isFull = true;
  const { passAndSave, request, states } = autosaving(() => {
    if (isFull) throw new Error('no space');
    return disk;
  }, newStates(100));
  for (const state of states) state.version += 1;
  await passAndSave(1_000);
  isFull = false;
  await passAndSave(1_000);
  await passAndSave(500);
  expect(request(99)).toBe(false);
  write(0);
});

test('a state that takes long to save, and one interrupted save, put no other state off', async () => {
  const saves = new Map<object, number>();
  const large = { version: 0 };
  const small = { version: 0 };
  const { passAndSave, states } = autosaving(
    state => {
      const count = (saves.get(state) ?? 0) + 1;
      saves.set(state, count);
      return state === large ? 300 : count === 2 ? 400 : 1;
    },
    [large, small],
  );
  for (let second = 0; second < 60; second++) {
    for (const state of states) state.version += 1;
    await passAndSave(1_000);
  }
  expect(saves.get(small)).toBe(60);
  expect(saves.get(large)).toBeLessThan(15);
});

test('a change is saved 10 s after a save that took hours, as when the machine sleeps', async () => {
  const saved: number[] = [];
  const { pass, passAndSave, states } = autosaving(({ version }) => {
    saved.push(version);
    pass(8 * 3_600_000);
    return 8 * 3_600_000;
  });
  for (const version of [1, 2]) {
    Object.assign(states[0] ?? {}, { version });
    for (let second = 0; second < 10; second++) await passAndSave(1_000);
  }
  expect(saved).toEqual([1, 2]);
});

test('a state that cannot be saved is reported once and tried again; the others are saved', async () => {
  const saved: number[] = [];
  const full = { version: 0 };
  const { passAndSave, states, failures } = autosaving(
    state => {
      if (state === full && state.version < 3) throw new Error('no space');
      saved.push(state.version);
      return 0;
    },
    [full, { version: 0 }],
  );
  for (const version of [1, 2, 3]) {
    for (const state of states) state.version = version;
    await passAndSave(1_000);
  }
  expect([saved, failures]).toEqual([[1, 2, 3, 3], [['Error: no space']]]);
});

test('a large state that cannot be saved is reported once, although it is tried less often than others are', async () => {
  const { passAndSave, states, failures } = autosaving(
    () => Promise.reject(new Error('no space')),
    [{ version: 0 }],
    400,
  );
  for (let second = 0; second < 60; second++) {
    for (const state of states) state.version += 1;
    await passAndSave(1_000);
  }
  expect(failures).toEqual([['Error: no space']]);
});
