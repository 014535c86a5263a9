import { expect, test } from 'vitest';
import { TIMER_KINDS } from '../../src/dashboard/data/enumerations.ts';
import { TASK_KINDS } from '../../src/sandbox/tasks.ts';

test('the page knows every kind of timer of the sandbox, and no other', () => {
  expect(Object.keys(TIMER_KINDS).toSorted()).toEqual(TASK_KINDS.toSorted());
});
