import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimerQueue } from '../../../src/core/time/timers.ts';

interface Planned {
  readonly key: string;
  readonly at: number;
  readonly value: number;
}

const step = fc.record({
  key: fc.nat(40).map(number => `key ${number}`),
  at: fc.nat(30),
  action: fc.constantFrom('set', 'set', 'set', 'delete', 'take'),
});

test('any sequence of set, delete and take leaves the queue equal to a sorted list', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), steps => {
      const queue = new TimerQueue<number>();
      let plan: Planned[] = [];
      // Sorting is stable: timers due at the same time stay in the order in which they were added.
      const sorted = () => plan.toSorted((a, b) => a.at - b.at);
      for (const [value, { key, at, action }] of steps.entries()) {
        if (action === 'take') {
          const next = sorted().find(timer => timer.at <= at);
          plan = plan.filter(timer => timer !== next);
          expect(queue.takeDue(at)).toEqual(next === undefined ? null : { at: next.at, value: next.value });
        } else {
          plan = plan.filter(timer => timer.key !== key);
          if (action === 'set') plan.push({ key, at, value });
          if (action === 'set') queue.set(key, at, value);
          else queue.delete(key);
        }
        expect(queue.size).toBe(plan.length);
        expect(queue.nextDue()).toBe(sorted()[0]?.at ?? null);
        expect([...queue.list()]).toEqual(sorted().map(({ at, value }) => ({ at, value })));
      }
    }),
  );
});

test('after many deletes, the other timers are taken in order', () => {
  const queue = new TimerQueue<number>();
  const times = Array.from({ length: 1000 }, (_, index) => (index * 389) % 1000);
  for (const at of times) queue.set(`key ${at}`, at, at);
  for (const at of times) if (at % 7 !== 0) queue.delete(`key ${at}`);
  const taken: number[] = [];
  for (let next = queue.takeDue(1000); next !== null; next = queue.takeDue(1000)) taken.push(next.value);
  expect(taken).toEqual(Array.from({ length: 143 }, (_, index) => index * 7));
  expect(queue.takeDue(1000)).toBeNull();
});
