import { expect, test } from 'vitest';
import { cachedList, cachedValue } from '../../src/dashboard/data/cached-value.ts';
import { slowServer } from './slow-server.ts';

interface Item {
  readonly id: string;
  readonly text: string;
}

async function loaded(...ids: readonly string[]) {
  const server = slowServer();
  const items = cachedList(() => server.read<readonly Item[]>('/items'), 4);
  void items.load();
  await (await server.next('/items')).respond(ids.map(id => ({ id, text: 'first' })));
  return { items, server };
}

test('a list finds its records by their ids', async () => {
  const { items } = await loaded('b', 'a');
  expect(items.find('a')?.text).toBe('first');
  expect(items.find('c')).toBeUndefined();
});

test('a load whose response arrives after clear() is ignored, and so is its failure', async () => {
  for (const outcome of ['respond', 'fail'] as const) {
    const { items, server } = await loaded('a');
    void items.load();
    const slow = await server.next('/items');
    items.clear();
    await slow[outcome]([{ id: 'a', text: 'of another partner' }]);
    expect(items.data.value).toBeNull();
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
  expect(items.data.value).toEqual([{ id: 'new', text: 'later' }]);
});

test('refreshes during a read are one more read after it, which they do not overtake', async () => {
  const { items, server } = await loaded('a');
  void items.load();
  const slow = await server.next('/items');
  void items.refresh();
  void items.refresh();
  expect(server.isIdle()).toBe(true);
  await slow.respond([{ id: 'a', text: 'second' }]);
  expect(items.find('a')?.text).toBe('second');
  await (await server.next('/items')).respond([{ id: 'a', text: 'third' }]);
  expect(items.find('a')?.text).toBe('third');
  expect(server.isIdle()).toBe(true);
});

test('refreshes end with the read that they ask for, not with the one before it', async () => {
  const { items, server } = await loaded('a');
  void items.load();
  const slow = await server.next('/items');
  const shown = [items.refresh(), items.refresh()].map(end => end.then(() => items.find('a')?.text));
  await slow.respond([{ id: 'a', text: 'second' }]);
  await (await server.next('/items')).respond([{ id: 'a', text: 'third' }]);
  expect(await Promise.all(shown)).toEqual(['third', 'third']);
});

test('what is added while the list is read is in the list that arrives, which may be older', async () => {
  const { items, server } = await loaded('b', 'a');
  void items.load();
  const slow = await server.next('/items');
  items.put([{ id: 'c', text: 'new' }]);
  items.put([{ id: 'a', text: 'changed' }]);
  const shown = () => items.data.value?.map(({ id, text }) => `${id} ${text}`);
  expect(shown()).toEqual(['c new', 'b first', 'a changed']);
  await slow.respond(['b', 'a'].map(id => ({ id, text: 'older' })));
  expect(shown()).toEqual(['c new', 'b older', 'a changed']);
  items.put(['d', 'e'].map(id => ({ id, text: 'new' })));
  expect(shown()).toEqual(['e new', 'd new', 'c new', 'b older']);
});

test('a list that cannot be read stays as it is and says why', async () => {
  const { items, server } = await loaded('a');
  void items.load();
  await (await server.next('/items')).fail();
  expect([items.data.value?.length, items.error.value]).toEqual([1, 'no connection']);
});

test('a single value ignores responses that arrive after clear() or set()', async () => {
  const server = slowServer();
  const balance = cachedValue(() => server.read<number>('/balance'));
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
