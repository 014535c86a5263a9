import { expect, test } from 'vitest';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { startSandbox } from '../../support/sandbox.ts';

test('requests are answered one after the other while a search over 50,000 records goes on', async () => {
  const people = fixtureFile('cardholders: [{ generate: 50000 }]');
  const { control, api } = await startSandbox({ fixtures: ['empty', people], rateLimit: 0 });
  let isSearching = true;
  const search = control('GET', '/cardholders?q=in-no-record').then(reply => {
    isSearching = false;
    return reply;
  });
  let answered = 0;
  while (isSearching) {
    expect((await api('GET', '/partner/cards')).status).toBe(200);
    if (isSearching) answered += 1;
  }
  expect((await search).body).toEqual([]);
  // The search takes at least 50 turns of the event loop, and an exchange a few.
  expect(answered).toBeGreaterThan(4);
});
