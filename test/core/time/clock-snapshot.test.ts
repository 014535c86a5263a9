import { expect, test } from 'vitest';
import type { ClockSnapshot } from '../../../src/core/time/clock.ts';
import { Clock } from '../../../src/core/time/clock.ts';
import { manualTime } from '../../support/manual-time.ts';

test('a snapshot lists tasks in flight before the scheduled ones, unless they are scheduled again', () => {
  const { realTime, pass } = manualTime(0);
  const run = () => new Promise<void>(() => undefined);
  const clock = new Clock({ realTime, run, frozen: true });
  const task = (ref: string) => ({ kind: 'decision', ref });
  clock.schedule(0, task('ben'));
  clock.schedule(0, task('mia'));
  pass(0);
  clock.schedule(3, task('mia'));
  clock.schedule(4, task('ada'));
  expect([...clock.snapshot().timers]).toEqual([
    { at: 0, value: task('ben') },
    { at: 3, value: task('mia') },
    { at: 4, value: task('ada') },
  ]);
});

test('a snapshot keeps the tasks that were in flight, however many start and end after it', async () => {
  const { realTime, pass } = manualTime(0);
  const ends: (() => void)[] = [];
  const run = () => new Promise<void>(resolve => ends.push(resolve));
  const clock = new Clock({ realTime, run, frozen: true });
  const startTasks = (from: number, count: number) => {
    for (let number = from; number < from + count; number++) {
      clock.schedule(0, { kind: 'decision', ref: String(number) });
    }
    pass(0);
  };
  const endTasks = async (count: number) => {
    for (const end of ends.splice(0, count)) end();
    await Promise.resolve();
  };
  const refsOf = ({ timers }: ClockSnapshot) => Array.from(timers, ({ value }) => Number(value.ref));
  startTasks(0, 3);
  const early = clock.snapshot();
  await endTasks(1);
  startTasks(3, 1);
  const late = clock.snapshot();
  for (let started = 4; started < 404; started += 4) {
    startTasks(started, 4);
    await endTasks(4);
  }
  expect(refsOf(early)).toEqual([0, 1, 2]);
  expect(refsOf(late)).toEqual([1, 2, 3]);
  expect(refsOf(clock.snapshot())).toEqual([401, 402, 403]);
});
