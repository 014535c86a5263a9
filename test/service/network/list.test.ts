import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';

type Listed = { data: { id: string }[]; total: number };

/** Four transactions a minute apart: authorized, settled and declined ones of acme, and one of globex. */
async function fourTransactions() {
  const network = startCardNetwork();
  const { pay, control, advance } = network;
  const authorized = (await pay('card_small', 1)).body.id;
  await advance('1m');
  const settled = (await pay('card_large', 2)).body.id;
  await control('POST', `/transactions/${settled}/settle`);
  await advance('1m');
  const declined = (await pay('card_frozen', 3)).body.id;
  await advance('1m');
  const foreign = (await pay('card_gus', 4)).body.id;
  const list = (query = '') => {
    const { data, total }: Listed = network.api('GET', `/partner/transactions${query}`).body;
    expect(total).toBe(data.length);
    return data.map(({ id }) => id);
  };
  return { ...network, list, ids: { authorized, settled, declined, foreign } };
}

test('a partner lists its own transactions, newest first', async () => {
  const { list, globex, ids } = await fourTransactions();
  expect(list()).toEqual([ids.declined, ids.settled, ids.authorized]);
  expect(globex('GET', '/partner/transactions').body).toMatchObject({
    total: 1,
    data: [{ id: ids.foreign }],
  });
});

test('the filters for card, status and time can be combined', async () => {
  const { list, ids } = await fourTransactions();
  expect(list('?cardId=card_small')).toEqual([ids.authorized]);
  expect(list('?status=settled')).toEqual([ids.settled]);
  expect(list('?status=reversed')).toEqual([]);
  expect(list('?cardId=card_small&status=settled')).toEqual([]);
  expect(list('?from=2026-03-15T10:01:00Z')).toEqual([ids.declined, ids.settled]);
  expect(list('?to=2026-03-15T10:01:00Z')).toEqual([ids.settled, ids.authorized]);
  expect(list('?from=2026-03-15T10:00:00.001Z&to=2026-03-15T10:01:59Z&cardId=card_large')).toEqual([
    ids.settled,
  ]);
});
