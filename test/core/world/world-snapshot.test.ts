import { expect, test } from 'vitest';
import { apiKeys } from '../../../src/core/access/partners.ts';
import { createdSince } from '../../../src/core/world/world-snapshot.ts';
import { createWorld } from '../../support/worlds.ts';

test('new records are counted by kind', () => {
  const state = createWorld();
  const add = (id: string) =>
    state.table(apiKeys).insert({ id, partnerId: 'partner_acme', validUntil: null });
  const empty = state.snapshot();
  add('sk_test_0');
  const before = state.snapshot();
  expect(createdSince(before, before)).toEqual({});
  add('sk_test_1');
  add('sk_test_2');
  const after = state.snapshot();
  expect(createdSince(after, before)).toEqual({ 'API key': 2 });
  expect(createdSince(after, empty)).toEqual({ 'API key': 3 });
  expect(createdSince(after, null), 'without an earlier moment').toEqual({ 'API key': 3 });
});
