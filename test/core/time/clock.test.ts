import { setImmediate as soon } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClockSnapshot } from '../../../src/core/time/clock.ts';
import { Clock } from '../../../src/core/time/clock.ts';
import type { Task } from '../../../src/core/time/timers.ts';
import { END_OF_TIME } from '../../../src/core/values/timestamp.ts';
import { manualTime } from '../../support/manual-time.ts';

const START = Date.parse('2026-03-15T10:00:00.000Z');

function frozenClock(run: (clock: Clock, task: Task) => void | Promise<void> = () => undefined) {
  const clock: Clock = new Clock({
    realTime: manualTime().realTime,
    run: task => run(clock, task),
    startAt: START,
    frozen: true,
  });
  return clock;
}

/** Resolves with the results of moves, of which a queued one begins in a turn of its own. */
async function endsOf<T>(moves: readonly Promise<T>[], pass: (ms: number) => void): Promise<T[]> {
  let isOver = false;
  const all = Promise.all(moves).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    pass(0);
    await soon();
  }
  return all;
}

test('tasks run in the order (due, scheduled), each at its own due time, unless they are scheduled again or cancelled', async () => {
  const step = fc.record({
    ref: fc.nat(20).map(String),
    at: fc.nat(50),
    isCancelled: fc.nat(3).map(each => each === 0),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.nat(60), async (steps, reach) => {
      const ran: { ref: string; at: number }[] = [];
      const clock = frozenClock((self, { ref }) => void ran.push({ ref, at: self.now() - START }));
      let plan: typeof ran = [];
      for (const { ref, at, isCancelled } of steps) {
        plan = plan.filter(each => each.ref !== ref);
        if (isCancelled) clock.cancel({ kind: 'x', ref });
        else {
          plan.push({ ref, at });
          clock.schedule(START + at, { kind: 'x', ref });
        }
      }
      await clock.advance(reach);
      expect(ran).toEqual(plan.filter(({ at }) => at <= reach).sort((a, b) => a.at - b.at));
      expect(clock.view()).toMatchObject({ pendingTimers: plan.length - ran.length });
      expect(clock.now()).toBe(START + reach);
    }),
  );
});

test('a task scheduled during an advance runs in the same advance', async () => {
  const ran: number[] = [];
  const clock = frozenClock((self, task) => {
    ran.push(self.now() - START);
    if (ran.length < 5) self.schedule(self.now() + 100, task);
  });
  clock.schedule(START + 100, { kind: 'x', ref: 'a' });
  await clock.advance(350);
  expect(ran).toEqual([100, 200, 300]);
});

test('a move requested by a task that the clock waits for is refused instead of waiting for itself', async () => {
  const results: unknown[] = [];
  const { realTime, pass } = manualTime(START);
  const clock: Clock = new Clock({
    realTime,
    frozen: true,
    run: async () => void results.push(await clock.advance(1).catch(error => error)),
  });
  clock.schedule(START, { kind: 'x', ref: 'a' });
  const done = clock.advance(10);
  await soon();
  expect(results).toEqual([]);
  pass(2_500);
  await done;
  expect(results).toMatchObject([{ status: 409, message: expect.stringContaining('already advancing') }]);
  expect(clock.now()).toBe(START + 10);
});

/** A clock whose tasks end when the test ends them. */
function clockWithSlowTasks(frozen: boolean) {
  const time = manualTime(START);
  const started: { ref: string; at: number; end: () => void }[] = [];
  const clock: Clock = new Clock({
    realTime: time.realTime,
    startAt: START,
    frozen,
    run: ({ ref }) => new Promise<void>(end => started.push({ ref, at: clock.now() - START, end })),
  });
  return { clock, started, ...time };
}

test('an advance first waits for tasks in flight, and runs the tasks that they schedule', async () => {
  const { clock, started, pass } = clockWithSlowTasks(true);
  clock.schedule(START, { kind: 'x', ref: 'first' });
  pass(0);
  clock.schedule(START + 30, { kind: 'x', ref: 'other' });
  const done = clock.advance(50);
  await soon();
  expect(started.map(({ ref }) => ref)).toEqual(['first']);
  clock.schedule(START + 20, { kind: 'x', ref: 'retry' });
  started[0]?.end();
  await soon();
  expect(started.map(({ ref, at }) => [ref, at])).toEqual([
    ['first', 0],
    ['retry', 20],
  ]);
  started[1]?.end();
  await soon();
  started[2]?.end();
  await done;
  expect(started.map(({ ref }) => ref)).toEqual(['first', 'retry', 'other']);
});

test('tasks due at one time are in flight together, those of the next time wait for them', async () => {
  const { clock, started } = clockWithSlowTasks(true);
  for (const ref of ['a', 'b']) clock.schedule(START + 5, { kind: 'x', ref });
  clock.schedule(START + 6, { kind: 'x', ref: 'c' });
  const done = clock.advance(10);
  await soon();
  expect(started.map(({ ref }) => ref)).toEqual(['a', 'b']);
  started[0]?.end();
  await soon();
  expect(started).toHaveLength(2);
  started[1]?.end();
  await soon();
  started[2]?.end();
  await done;
  expect(started.map(({ ref, at }) => [ref, at])).toEqual([
    ['a', 5],
    ['b', 5],
    ['c', 6],
  ]);
});

test('a move requested before the one of a task is not refused with it, and continues after it', async () => {
  const { clock, started, pass } = clockWithSlowTasks(true);
  clock.schedule(START, { kind: 'x', ref: 'a' });
  pass(0);
  const outer = clock.advance(10);
  const inner = clock.advance(1).then(
    () => null,
    error => {
      started[0]?.end();
      return error;
    },
  );
  await soon();
  pass(2_500);
  expect(await inner).toMatchObject({ status: 409 });
  await outer;
  expect(clock.now()).toBe(START + 10);
});

test('moves that wait for the same task each resolve with their own time', async () => {
  const { clock, started, pass } = clockWithSlowTasks(true);
  clock.schedule(START, { kind: 'x', ref: 'a' });
  pass(0);
  const moves = [clock.advance(10), clock.freeze(), clock.advance(10), clock.advance(10)];
  await soon();
  started[0]?.end();
  const ends = (await endsOf(moves, pass)).map(({ now }) => Date.parse(now) - START);
  expect(ends).toEqual([10, 10, 20, 30]);
});

test('a move waits for tasks when there are more tasks than moves', async () => {
  const { clock, started, pass } = clockWithSlowTasks(true);
  for (const ref of ['a', 'b']) clock.schedule(START, { kind: 'x', ref });
  pass(0);
  const moved = clock.advance(10);
  await soon();
  pass(60_000);
  for (const { end } of started) end();
  await moved;
  expect(clock.now()).toBe(START + 10);
});

test('freeze and resume do not wait for tasks', async () => {
  const { clock, started, pass } = clockWithSlowTasks(false);
  clock.schedule(START, { kind: 'x', ref: 'a' });
  pass(0);
  await clock.freeze();
  expect(clock.view().mode).toBe('frozen');
  await clock.resume();
  started[0]?.end();
});

test('moves requested while the clock waits for a task are queued, if the task ends in time', async () => {
  const { clock, started, pass } = clockWithSlowTasks(true);
  clock.schedule(START, { kind: 'x', ref: 'a' });
  const moves = [clock.advance(10), soon().then(() => clock.advance(20))];
  await soon();
  await soon();
  started[0]?.end();
  await endsOf(moves, pass);
  expect(clock.now()).toBe(START + 30);
});

test('a clock is settled when no task is in flight and none is due', async () => {
  const { clock, started, pass } = clockWithSlowTasks(true);
  await clock.waitUntilSettled();
  clock.schedule(START, { kind: 'x', ref: 'a' });
  clock.schedule(START + 1, { kind: 'x', ref: 'later' });
  let isSettled = false;
  const settled = clock.waitUntilSettled().then(() => {
    isSettled = true;
  });
  pass(0);
  await soon();
  expect([started.length, isSettled]).toEqual([1, false]);
  started[0]?.end();
  await settled;
  expect(clock.view().pendingTimers).toBe(1);
});

test('a running clock follows wall time and fires its timers', () => {
  const { realTime, pass } = manualTime(START);
  const ran: number[] = [];
  const clock: Clock = new Clock({ realTime, run: () => void ran.push(clock.now() - START) });
  clock.schedule(START + 2_000, { kind: 'x', ref: 'late' });
  clock.schedule(START + 1_000, { kind: 'x', ref: 'early' });
  pass(999);
  expect(ran).toEqual([]);
  pass(1_500);
  expect(ran).toEqual([1_000, 2_000]);
  expect(clock.now()).toBe(START + 2_499);
});

test('a freeze at a later time runs the tasks due before it, and resume continues from there', async () => {
  const { realTime, pass } = manualTime(START);
  const ran: string[] = [];
  const clock = new Clock({ realTime, run: ({ ref }) => void ran.push(ref) });
  clock.schedule(START + 5_000, { kind: 'x', ref: 'a' });
  await clock.freeze(START + 10_000);
  expect(ran).toEqual(['a']);
  pass(60_000);
  expect(clock.view()).toMatchObject({ now: new Date(START + 10_000).toISOString(), mode: 'frozen' });
  await clock.resume();
  pass(1_000);
  expect(clock.now()).toBe(START + 11_000);
});

test('a frozen clock runs tasks that are due now, not later ones', () => {
  const { realTime, pass } = manualTime(START);
  const ran: string[] = [];
  const clock = new Clock({ realTime, run: ({ ref }) => void ran.push(ref), frozen: true });
  clock.schedule(START, { kind: 'x', ref: 'now' });
  clock.schedule(START + 1, { kind: 'x', ref: 'later' });
  expect(ran).toEqual([]);
  pass(10_000);
  expect(ran).toEqual(['now']);
});

test('a stopped clock never fires again', () => {
  const { realTime, pass } = manualTime(START);
  const ran: string[] = [];
  const clock = new Clock({ realTime, run: ({ ref }) => void ran.push(ref) });
  clock.schedule(START + 1_000, { kind: 'x', ref: 'a' });
  clock.stop();
  pass(10_000);
  expect(ran).toEqual([]);
});

test('an advance of a clock that is stopped meanwhile is refused and stops', async () => {
  const clock = frozenClock(async self => self.stop());
  clock.schedule(START + 1_000, { kind: 'x', ref: 'a' });
  clock.schedule(START + 2_000, { kind: 'x', ref: 'b' });
  await expect(clock.advance(60_000)).rejects.toMatchObject({ status: 409 });
  expect(clock.now()).toBeLessThan(START + 2_000);
  expect(clock.view().pendingTimers).toBe(1);
});

test('no move of a clock that is stopped meanwhile is reported', async () => {
  const moves: string[] = [];
  const { realTime, pass } = manualTime(START);
  const clock = new Clock({ realTime, run: () => undefined, onMove: ({ mode }) => moves.push(mode) });
  const moved = [clock.advance(1_000), clock.freeze(), clock.resume()].map(move =>
    move.catch(error => error),
  );
  clock.stop();
  const refused = { status: 409, message: expect.stringContaining('was reset or stopped') };
  expect(await endsOf(moved, pass)).toMatchObject([refused, refused, refused]);
  expect(moves).toEqual([]);
});

test('while an advance waits for tasks in flight, no task starts and time is held', async () => {
  const { clock, started, pass } = clockWithSlowTasks(false);
  for (const ref of ['a', 'b']) clock.schedule(START, { kind: 'x', ref });
  pass(0);
  clock.schedule(START, { kind: 'x', ref: 'late' });
  const done = clock.advance(50);
  await soon();
  pass(1_000);
  expect([started.map(({ ref }) => ref), clock.now() - START]).toEqual([['a', 'b'], 0]);
  await clock.waitUntilSettled(({ ref }) => ref === 'none');
  let lateHasEnded = false;
  const settled = clock
    .waitUntilSettled(({ ref }) => ref === 'late')
    .then(() => {
      expect(lateHasEnded).toBe(true);
    });
  for (const { end } of started) end();
  await soon();
  expect(started.map(({ ref, at }) => [ref, at])).toEqual([
    ['a', 0],
    ['b', 0],
    ['late', 0],
  ]);
  lateHasEnded = true;
  started[2]?.end();
  await Promise.all([settled, done]);
  expect(clock.now()).toBe(START + 50);
});

test('a timer beyond the maximum delay of Node.js fires when it is due, not before', () => {
  const { realTime, pass } = manualTime(START, 1_000);
  const ran: string[] = [];
  const clock = new Clock({ realTime, run: ({ ref }) => void ran.push(ref) });
  clock.schedule(START + 3_500, { kind: 'x', ref: 'a' });
  pass(3_499);
  expect(ran).toEqual([]);
  pass(1);
  expect(ran).toEqual(['a']);
});

test('a clock created from a snapshot continues in the same way', async () => {
  const { clock, pass, realTime } = clockWithSlowTasks(true);
  await clock.advance(500);
  clock.schedule(START + 400, { kind: 'x', ref: 'in flight' });
  clock.schedule(START + 900, { kind: 'x', ref: 'later' });
  pass(0);
  const snapshot = clock.snapshot();
  const listed = ({ timers, ...rest }: ClockSnapshot) => ({ ...rest, timers: [...timers] });
  expect(listed(snapshot)).toEqual({
    now: START + 500,
    frozen: true,
    advancedMs: 500,
    timers: [
      { at: START + 400, value: { kind: 'x', ref: 'in flight' } },
      { at: START + 900, value: { kind: 'x', ref: 'later' } },
    ],
  });
  const ran: string[] = [];
  const next = new Clock({ realTime, run: ({ ref }) => void ran.push(ref), from: snapshot });
  expect(listed(next.snapshot())).toEqual(listed(snapshot));
  await next.advance(400);
  expect(ran).toEqual(['in flight', 'later']);
  expect(next.advancedMs).toBe(900);
});

test('a running clock created from a snapshot fires the timers in it', () => {
  const { realTime, pass } = manualTime(START);
  const clock = new Clock({ realTime, run: () => undefined });
  clock.schedule(START + 10, { kind: 'x', ref: 'a' });
  const ran: string[] = [];
  const from = clock.snapshot();
  clock.stop();
  const next = new Clock({ realTime, run: ({ ref }) => void ran.push(ref), from });
  pass(10);
  expect([ran, next.view().pendingTimers]).toEqual([['a'], 0]);
});

test('a snapshot during an advance counts what it has advanced so far, once', async () => {
  const sums: number[] = [];
  const clock = frozenClock(each => void sums.push(each.snapshot().advancedMs));
  for (const ms of [100, 250]) clock.schedule(START + ms, { kind: 'x', ref: String(ms) });
  await clock.advance(200);
  await clock.advance(200);
  expect([...sums, clock.advancedMs]).toEqual([100, 250, 400]);
});

test('setting the clock back runs no tasks and is not an advance', async () => {
  const clock = frozenClock();
  await clock.advance(100);
  clock.schedule(START + 200, { kind: 'x', ref: 'a' });
  expect(await clock.freeze(START - 1_000)).toMatchObject({ mode: 'frozen', pendingTimers: 1 });
  expect([clock.now(), clock.advancedMs]).toEqual([START - 1_000, 100]);
});

test('the clock advances to the end of sandbox time and no further', async () => {
  const clock = frozenClock();
  await clock.advance(END_OF_TIME - START);
  expect(clock.now()).toBe(END_OF_TIME);
  const rule = { kind: 'assumed', id: 'clock-moves' };
  const message = expect.stringMatching(
    /^the sandbox clock ends at .*; POST \/_sandbox\/reset takes it back$/,
  );
  await expect(clock.advance(1)).rejects.toMatchObject({ status: 400, rule, message });
  expect(clock.now()).toBe(END_OF_TIME);
});

test('what is done at one moment has one time, and a move ends the moment', async () => {
  const { realTime, pass } = manualTime(START);
  const clock = new Clock({ realTime, run: () => undefined });
  const times = clock.hold(() => {
    const first = clock.now();
    pass(5);
    return [first, clock.now()];
  });
  expect(times).toEqual([START, START]);
  expect(clock.now()).toBe(START + 5);
  const frozen = clock.hold(() => {
    const move = clock.freeze(START + 1_000);
    pass(5);
    return move;
  });
  expect((await frozen).now).toBe(new Date(START + 1_000).toISOString());
  expect(clock.now()).toBe(START + 1_000);
});

test('what is due by the moment of a request has begun, and nothing that is due later', () => {
  const { realTime, pass, stall } = manualTime(START);
  const begun: string[] = [];
  const run = ({ ref }: Task) => {
    begun.push(ref);
    // Each start takes 5 ms of wall time.
    stall(5);
  };
  const clock = new Clock({ realTime, run });
  for (const delay of [10, 12, 20]) clock.schedule(START + delay, { kind: 'x', ref: String(delay) });
  stall(11);
  const seen = clock.hold(() => ({ at: clock.now() - START, begun: [...begun] }));
  expect(seen).toEqual({ at: 11, begun: ['10'] });
  expect(clock.hold(() => ({ at: clock.now() - START, begun: [...begun] }))).toEqual({
    at: 16,
    begun: ['10', '12'],
  });
  pass(0);
  expect(begun).toEqual(['10', '12', '20']);
});

test('what falls due while thousands of tasks start has begun at the moment of a request, too', () => {
  const { realTime, pass, stall } = manualTime(START);
  const begun: string[] = [];
  const run = ({ ref }: Task) => {
    begun.push(ref);
    stall(1);
  };
  const clock = new Clock({ realTime, run });
  for (let index = 0; index < 500; index++) clock.schedule(START + 10, { kind: 'x', ref: String(index) });
  clock.schedule(START + 12, { kind: 'x', ref: 'later' });
  pass(10);
  expect(begun.length).toBeLessThan(500);
  stall(2);
  expect(clock.hold(() => begun.length)).toBe(501);
});
