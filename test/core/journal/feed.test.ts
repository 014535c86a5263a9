import { expect, test } from 'vitest';
import { Feed } from '../../../src/core/journal/feed.ts';

test('a listener gets every message after it subscribes, with its number, until it unsubscribes', () => {
  const feed = new Feed();
  const received: string[] = [];
  feed.publish({ kind: 'reset' });
  const unsubscribe = feed.subscribe(({ kind }, number) => received.push(`a ${kind} ${number}`));
  feed.publish({ kind: 'reset' });
  feed.subscribe(({ kind }, number) => received.push(`b ${kind} ${number}`));
  feed.publish({ kind: 'reset' });
  unsubscribe();
  feed.publish({ kind: 'reset' });
  expect(received).toEqual(['a reset 2', 'a reset 3', 'b reset 3', 'b reset 4']);
});
