import { expect, test } from 'vitest';
import type { JournalEntry } from '../../src/dashboard/data/response-types.ts';
import { changedMembers } from '../../src/dashboard/views/activity/changed-members.ts';
import { groupRefusals } from '../../src/dashboard/views/activity/refusals.ts';

const request = (id: string, refusal: string | null = null): JournalEntry => ({
  id,
  at: '2026-03-15T10:00:00.000Z',
  partnerId: 'partner_acme',
  method: 'GET',
  path: '/v1/partner/cards/card_1',
  query: '',
  operation: 'cards.get',
  pattern: '/partner/cards/{id}',
  status: refusal === null ? 200 : 404,
  durationMs: 1,
  request: { contentType: null, remoteAddress: '127.0.0.1', body: '' },
  response: { body: '' },
  refusal,
  rule: null,
  fault: null,
  dropped: false,
  hints: [],
  changes: [],
  events: [],
});

test('requests that were refused in the same way are one group, whose text names none of them', () => {
  const rows = [
    request('req_4', 'no card with id "card_a"'),
    request('req_3'),
    request('req_2', 'no card with id "card_b"'),
    request('req_1', 'card_cccc is frozen'),
  ];
  expect(groupRefusals(rows).map(({ id, count, refusal }) => [id, count, refusal])).toEqual([
    ['req_4', 2, 'no card with id …'],
    ['req_1', 1, 'card_cccc is frozen'],
  ]);
});

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
