import { expect, test } from 'vitest';
import { Feed } from '../../../src/kernel/journal/feed.ts';

test('listeners are told all news from then on, with its number, until they end it', () => {
  const feed = new Feed();
  const told: string[] = [];
  feed.publish({ kind: 'reset' });
  const end = feed.subscribe(({ kind }, number) => told.push(`a ${kind} ${number}`));
  feed.publish({ kind: 'reset' });
  feed.subscribe(({ kind }, number) => told.push(`b ${kind} ${number}`));
  feed.publish({ kind: 'reset' });
  end();
  feed.publish({ kind: 'reset' });
  expect(told).toEqual(['a reset 2', 'a reset 3', 'b reset 3', 'b reset 4']);
});
