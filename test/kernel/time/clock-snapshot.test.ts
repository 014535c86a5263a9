import { expect, test } from 'vitest';
import { Clock } from '../../../src/kernel/time/clock.ts';
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
