import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Clock } from '../../../src/core/time/clock.ts';
import { type RealTime, realTime } from '../../../src/core/time/realtime.ts';
import type { Task } from '../../../src/core/time/timers.ts';

const START = Date.parse('2026-03-15T10:00:00.000Z');

/** Wall time in which everything fits into one slice. What has no delay runs in the next turn, however slow this one is. */
const ONE_SLICE: RealTime = {
  now: () => START,
  elapsed: () => 0,
  after(delayMs, task) {
    if (delayMs > 0) return realTime.after(delayMs, task);
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
};

/** Wall time in which every slice has time for one task. */
function shortSlices(): RealTime {
  let elapsed = 0;
  return { ...ONE_SLICE, elapsed: () => (elapsed += 1_000) };
}

/** What a task does when it starts, and for how many turns it is in flight; null for a task that is not. */
interface Script {
  readonly at: number;
  readonly schedules: readonly { readonly ref: number; readonly delay: number }[];
  readonly cancels: number;
  readonly turns: number | null;
  /** The delay of the task that it schedules when it ends. No other task schedules or cancels that one. */
  readonly next: number;
}

/** Plays the scripts, and returns the tasks in the order in which they started, each with its time. */
async function play(scripts: readonly Script[], time: RealTime): Promise<string[]> {
  const started: string[] = [];
  const taskOf = (ref: number): Task => ({ kind: 'x', ref: String(ref) });
  const clock: Clock = new Clock({
    realTime: time,
    startAt: START,
    frozen: true,
    orderOf: ({ ref }) => Number(ref),
    run({ ref }) {
      const script = scripts[Number(ref) % scripts.length];
      if (script === undefined || started.length > 100) return;
      started.push(`${ref} at ${clock.now() - START}`);
      clock.cancel(taskOf(script.cancels % scripts.length));
      for (const each of script.schedules) {
        clock.schedule(clock.now() + each.delay, taskOf(each.ref % scripts.length));
      }
      const { turns, next } = script;
      const own = taskOf((Number(ref) % scripts.length) + scripts.length * started.length);
      if (turns === null) return;
      const end = async () => {
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        clock.schedule(clock.now() + next, own);
      };
      return end();
    },
  });
  for (const [ref, { at }] of scripts.entries()) clock.schedule(START + at, taskOf(ref));
  await clock.advance(20);
  return started;
}

test('where slices end changes neither which tasks start nor their order, whatever they schedule and cancel', async () => {
  const script = fc.record({
    at: fc.nat(3),
    schedules: fc.array(fc.record({ ref: fc.nat(11), delay: fc.nat(2) }), { maxLength: 2 }),
    cancels: fc.nat(11),
    turns: fc.option(fc.nat(3)),
    next: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 12 }), async scripts => {
      expect(await play(scripts, shortSlices())).toEqual(await play(scripts, ONE_SLICE));
    }),
  );
});

test('a task scheduled for now between two slices starts after the tasks that were due before it', async () => {
  const started: string[] = [];
  const clock: Clock = new Clock({
    realTime: shortSlices(),
    startAt: START,
    frozen: true,
    orderOf: ({ ref }) => (ref === 'between' ? 0 : 1),
    run: ({ ref }) => void started.push(ref),
  });
  for (const ref of ['a', 'b', 'c']) clock.schedule(START + 5, { kind: 'x', ref });
  const advanced = clock.advance(5);
  while (started.length === 0) await nextTurn();
  clock.schedule(clock.now(), { kind: 'x', ref: 'between' });
  clock.schedule(clock.now(), { kind: 'x', ref: 'cancelled' });
  clock.cancel({ kind: 'x', ref: 'cancelled' });
  expect([clock.now() - START, clock.view().pendingTimers]).toEqual([5, 3]);
  expect(Array.from(clock.snapshot().timers, ({ value }) => value.ref).sort()).toEqual(['b', 'between', 'c']);
  await advanced;
  expect(started).toEqual(['a', 'b', 'c', 'between']);
});

test('tasks of one moment have all started before the end of one takes effect, in however many slices', async () => {
  const log: string[] = [];
  const clock: Clock = new Clock({
    realTime: shortSlices(),
    startAt: START,
    frozen: true,
    async run({ ref }) {
      log.push(`start ${ref}`);
      await Promise.resolve();
      clock.endTask(() => log.push(`end ${ref}`));
    },
  });
  for (const ref of ['a', 'b', 'c']) clock.schedule(START + 1, { kind: 'x', ref });
  await clock.advance(1);
  expect(log).toEqual(['start a', 'start b', 'start c', 'end a', 'end b', 'end c']);
});

test('other work of the process gets a turn between slices, also when tasks fall due one after the other', async () => {
  for (const distance of [0, 1]) {
    const ran: string[] = [];
    const clock: Clock = new Clock({
      realTime: shortSlices(),
      startAt: START,
      frozen: true,
      run: () => void ran.push('task'),
    });
    for (let ref = 0; ref < 5; ref++) {
      clock.schedule(START + 1 + ref * distance, { kind: 'x', ref: String(ref) });
    }
    const _advanced = clock.advance(10).then(() => ran.push('advanced'));
    while (!ran.includes('advanced')) {
      ran.push('turn');
      await nextTurn();
    }
    expect(ran.join(' ')).toMatch(/^(turn )+(task (turn )+){4}task .*advanced$/);
  }
});

test('a clock stopped between two slices starts no more tasks and refuses the advance', async () => {
  const started: string[] = [];
  const clock: Clock = new Clock({
    realTime: shortSlices(),
    startAt: START,
    frozen: true,
    run: ({ ref }) => void started.push(ref),
  });
  for (const ref of ['a', 'b', 'c']) clock.schedule(START + 5, { kind: 'x', ref });
  const advanced = clock.advance(5).catch(error => error);
  while (started.length === 0) await nextTurn();
  clock.stop();
  expect(await advanced).toMatchObject({ status: 409 });
  expect(started).toEqual(['a']);
});

test('moves between the slices of a clock that fires leave the tasks to start at their own times', async () => {
  const started: string[] = [];
  const clock: Clock = new Clock({
    realTime: shortSlices(),
    startAt: START,
    frozen: true,
    run: ({ ref }) => void started.push(`${ref} at ${clock.now() - START}`),
  });
  for (const ref of ['a', 'b', 'c']) clock.schedule(START, { kind: 'x', ref });
  while (started.length === 0) await nextTurn();
  await clock.freeze();
  clock.schedule(START + 3, { kind: 'x', ref: 'later' });
  expect(await clock.advance(4)).toMatchObject({ pendingTimers: 0 });
  expect(started).toEqual(['a at 0', 'b at 0', 'c at 0', 'later at 3']);
  expect(clock.now() - START).toBe(4);
});

test('a settled clock has started and ended what was due, in however many slices', async () => {
  const ended: string[] = [];
  const clock: Clock = new Clock({
    realTime: shortSlices(),
    startAt: START,
    frozen: true,
    run: async ({ ref }) => {
      await nextTurn();
      ended.push(ref);
    },
  });
  for (const ref of ['a', 'b', 'c', 'd']) clock.schedule(START, { kind: 'x', ref });
  await clock.waitUntilSettled(({ ref }) => ref === 'd');
  expect(ended).toContain('d');
  await clock.waitUntilSettled();
  expect(ended).toEqual(['a', 'b', 'c', 'd']);
});

test('a clock that is stopped is settled', async () => {
  const clock = new Clock({
    realTime: { ...shortSlices(), after: () => () => undefined },
    startAt: START,
    frozen: true,
    run: () => undefined,
  });
  clock.schedule(START, { kind: 'x', ref: 'a' });
  const settled = clock.waitUntilSettled();
  clock.stop();
  await settled;
});
