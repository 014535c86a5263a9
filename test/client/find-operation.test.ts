import { expect, test } from 'vitest';
import { findOperation } from '../../src/client/find-operation.ts';

test('finds operations by plane, method and path', () => {
  expect(findOperation('partner', 'GET', '/partner/cards/card_1?page=1')?.id).toBe('cards.get');
  expect(findOperation('partner', 'HEAD', '/partner/cards')?.id).toBe('cards.list');
  expect(findOperation('partner', 'GET', '/partner/cards/')).toBeNull();
  expect(findOperation('partner', 'GET', '/clock')).toBeNull();
  expect(findOperation('control', 'GET', '/requests/req_1')?.id).toBe('requests.get');
  // A path without parameters comes first.
  expect(findOperation('control', 'GET', '/requests/count')?.id).toBe('requests.count');
});
