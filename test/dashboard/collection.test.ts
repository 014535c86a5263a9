import { expect, test } from 'vitest';
import { cachedValue } from '../../src/dashboard/data/cached-value.ts';
import { collection, type Read } from '../../src/dashboard/data/collection.ts';

interface Item {
  readonly id: string;
  readonly text: string;
}

/** A server that responds when the test says so. */
function slowServer() {
  const pending: { readonly path: string; respond(body: unknown): Promise<void>; fail(): Promise<void> }[] =
    [];
  // The test decides what each path returns, so that the type is its own claim.
  const read: Read = <T>(path: string) =>
    new Promise<T>((resolve, reject) => {
      pending.push({
        path,
        async respond(body) {
          resolve(body as T);
          await settled();
        },
        async fail() {
          reject(new Error('no connection'));
          await settled();
        },
      });
    });
  /** Takes the oldest request off the queue. */
  async function next(path: string) {
    await settled();
    const request = pending.shift();
    expect(request?.path).toBe(path);
    if (request === undefined) throw new Error(`no request for ${path}`);
    return request;
  }
  return { read, next, isIdle: () => pending.length === 0 };
}

/** Lets every promise that is already resolved call its listeners. */
const settled = () => new Promise<void>(resolve => void setImmediate(resolve));

function itemsOf(read: Read) {
  return collection<Item>(read, { all: () => '/items', one: id => `/items/${id}`, idOf: ({ id }) => id });
}

async function loaded(...ids: readonly string[]) {
  const server = slowServer();
  const items = itemsOf(server.read);
  void items.load();
  await (await server.next('/items')).respond(ids.map(id => ({ id, text: 'first' })));
  return { items, server };
}

test('a refresh replaces the records that it read and adds new ones at the top', async () => {
  const { items, server } = await loaded('b', 'a');
  void items.refresh(new Set(['a', 'c']));
  const [a, c] = [await server.next('/items/a'), await server.next('/items/c')];
  await a.respond({ id: 'a', text: 'second' });
  await c.respond([{ id: 'c', text: 'first' }]);
  expect(items.rows.value?.map(({ id, text }) => `${id} ${text}`)).toEqual([
    'c first',
    'b first',
    'a second',
  ]);
  expect(items.find('a')?.text).toBe('second');
});

test('a refresh whose response arrives after clear() does not fill the collection again', async () => {
  const { items, server } = await loaded('a');
  void items.refresh(new Set(['a']));
  const slow = await server.next('/items/a');
  items.clear();
  await slow.respond({ id: 'a', text: 'of another partner' });
  expect(items.rows.value).toBeNull();
  expect(server.isIdle()).toBe(true);
});

test('a refresh that waits for another one when clear() is called sends no request', async () => {
  const { items, server } = await loaded('a');
  void items.refresh(new Set(['a']));
  void items.refresh(new Set(['a']));
  const slow = await server.next('/items/a');
  items.clear();
  await slow.respond({ id: 'a', text: 'of another partner' });
  expect(items.rows.value).toBeNull();
  expect(server.isIdle()).toBe(true);
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

test('a refresh waits for the load that is in flight, whose rows may be older', async () => {
  const { items, server } = await loaded('a');
  void items.load();
  const load = await server.next('/items');
  void items.refresh(new Set(['a']));
  await load.respond([{ id: 'a', text: 'older' }]);
  await (await server.next('/items/a')).respond({ id: 'a', text: 'newer' });
  expect(items.find('a')?.text).toBe('newer');
});

test('a refresh that a load overtakes leaves the rows of that load', async () => {
  const { items, server } = await loaded('a');
  void items.refresh(new Set(['a']));
  const slow = await server.next('/items/a');
  void items.load();
  await (await server.next('/items')).respond([{ id: 'a', text: 'newer' }]);
  await slow.respond({ id: 'a', text: 'older' });
  expect(items.rows.value).toEqual([{ id: 'a', text: 'newer' }]);
});

test('a record that cannot be read stays as it is', async () => {
  const { items, server } = await loaded('a');
  void items.refresh(new Set(['a']));
  await (await server.next('/items/a')).fail();
  expect(items.rows.value).toEqual([{ id: 'a', text: 'first' }]);
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
