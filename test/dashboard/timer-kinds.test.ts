import { expect, test } from 'vitest';
import { TIMER_LABELS } from '../../src/dashboard/data/enumerations.ts';
import { tasks } from '../../src/sandbox/tasks.ts';

test('the page knows every kind of timer of the sandbox, and no other', () => {
  expect(Object.keys(TIMER_LABELS).toSorted()).toEqual(Object.keys(tasks).toSorted());
});
