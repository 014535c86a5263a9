import { expect, test } from 'vitest';
import { cachedValue } from '../../src/dashboard/data/cached-value.ts';
import { collection } from '../../src/dashboard/data/collection.ts';
import { slowServer } from './slow-server.ts';

interface Item {
  readonly id: string;
  readonly text: string;
}

async function loaded(...ids: readonly string[]) {
  const server = slowServer();
  const items = collection<Item>(
    async () => ({ records: await server.read<readonly Item[]>('/items'), total: 100 }),
    ({ id }) => id,
  );
  void items.load();
  await (await server.next('/items')).respond(ids.map(id => ({ id, text: 'first' })));
  return { items, server };
}

test('a list is the newest records, with the number of all', async () => {
  const { items } = await loaded('b', 'a');
  expect(items.find('a')?.text).toBe('first');
  expect(items.total.value).toBe(100);
});

test('a load whose response arrives after clear() is ignored, and so is its failure', async () => {
  for (const outcome of ['respond', 'fail'] as const) {
    const { items, server } = await loaded('a');
    void items.load();
    const slow = await server.next('/items');
    items.clear();
    await slow[outcome]([{ id: 'a', text: 'of another partner' }]);
    expect(items.rows.value).toBeNull();
    expect(items.error.value).toBeNull();
  }
});

test('of two loads that overlap, the later one counts', async () => {
  const { items, server } = await loaded('a');
  void items.load();
  void items.load();
  const [earlier, later] = [await server.next('/items'), await server.next('/items')];
  await later.respond([{ id: 'new', text: 'later' }]);
  await earlier.respond([{ id: 'old', text: 'earlier' }]);
  expect(items.rows.value).toEqual([{ id: 'new', text: 'later' }]);
});

test('a single value ignores responses that arrive after clear() or set()', async () => {
  const server = slowServer();
  const balance = cachedValue<number>(server.read, () => '/balance');
  void balance.load();
  const beforeClear = await server.next('/balance');
  balance.clear();
  await beforeClear.respond(1);
  expect(balance.data.value).toBeNull();
  void balance.load();
  const beforeSet = await server.next('/balance');
  balance.set(3);
  await beforeSet.respond(2);
  expect(balance.data.value).toBe(3);
});
