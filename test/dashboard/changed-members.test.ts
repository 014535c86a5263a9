import { expect, test } from 'vitest';
import { changedMembers } from '../../src/dashboard/views/traffic/changed-members.ts';

test('of an updated record, the members that differ are listed with the values before and after', () => {
  const before = { id: 'card_1', status: 'active', limits: { limit: 100, daily: 10 }, tags: ['a'] };
  const after = { id: 'card_1', status: 'frozen', limits: { limit: 200, daily: 10 }, tags: ['a'] };
  expect(changedMembers(before, after)).toEqual([
    { path: 'status', before: 'active', after: 'frozen' },
    { path: 'limits.limit', before: 100, after: 200 },
  ]);
});

test('of a created or deleted record, every member is listed', () => {
  expect(changedMembers(null, { id: 'a', limits: {} })).toEqual([
    { path: 'id', before: undefined, after: 'a' },
    { path: 'limits', before: undefined, after: {} },
  ]);
  expect(changedMembers({ id: 'a' }, undefined)).toEqual([{ path: 'id', before: 'a', after: undefined }]);
});
