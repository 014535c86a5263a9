import { expect, test } from 'vitest';
import { toDo } from '../../../src/kernel/time/clock-snapshot.ts';

const due = (at: number, ref: string) => ({ at, value: { kind: 'decision', ref } });

test('a clock that goes on does again first what was under way, unless it has been scheduled anew', () => {
  const scheduled = [due(3, 'mia'), due(4, 'ada')];
  expect(toDo([due(1, 'ben'), due(2, 'mia')], scheduled)).toEqual([due(1, 'ben'), ...scheduled]);
  expect(toDo([], scheduled)).toEqual(scheduled);
  expect(toDo([due(1, 'ben')], [])).toEqual([due(1, 'ben')]);
});
