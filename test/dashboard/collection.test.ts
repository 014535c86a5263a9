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
  return collection<Item>({
    read,
    readList: async path => {
      // The test decides what each path returns.
      const records = await read<readonly never[]>(path);
      return { records, total: 100 };
    },
    newest: limit => (limit === undefined ? '/items' : `/items?limit=${limit}`),
    one: id => `/items/${id}`,
    matching: text => `/items?q=${text}`,
    idOf: ({ id }) => id,
  });
}

const updated = (...ids: readonly string[]) => new Map(ids.map(id => [id, 'updated'] as const));
const created = (...ids: readonly string[]) => new Map(ids.map(id => [id, 'created'] as const));

async function loaded(...ids: readonly string[]) {
  const server = slowServer();
  const items = itemsOf(server.read);
  void items.load();
  await (await server.next('/items')).respond(ids.map(id => ({ id, text: 'first' })));
  return { items, server };
}

test('an update reads the records that were changed by id, and those that were created from the top', async () => {
  const { items, server } = await loaded('b', 'a');
  const complete = items.update(new Map([...updated('a', 'not-in-the-copy'), ...created('c')]));
  const [a, newest] = [await server.next('/items/a'), await server.next('/items?limit=22')];
  await a.respond({ id: 'a', text: 'second' });
  await newest.respond(['d', 'c', 'b', 'a'].map(id => ({ id, text: 'third' })));
  expect(items.rows.value?.map(({ id, text }) => `${id} ${text}`)).toEqual([
    'd third',
    'c third',
    'b third',
    'a third',
  ]);
  expect(items.find('c')?.text).toBe('third');
  expect(items.total.value).toBe(100);
  expect(await complete).toBe(true);
  expect(server.isIdle()).toBe(true);
});

test('of many changed records only some are read, and the update reports that the copy is not complete', async () => {
  const { items, server } = await loaded(...'abcdef');
  const complete = items.update(updated(...'abcdef'));
  for (const id of 'abcd') await (await server.next(`/items/${id}`)).respond({ id, text: 'second' });
  expect(await complete).toBe(false);
  expect(server.isIdle()).toBe(true);
  expect(items.rows.value?.map(({ text }) => text)).toEqual([...Array(4).fill('second'), 'first', 'first']);
});

test('a burst of created records costs one read of the newest, and reports those that are missing', async () => {
  const { items, server } = await loaded('a');
  const ids = Array.from({ length: 300 }, (_, index) => `new_${index}`);
  const complete = items.update(created(...ids));
  const newest = ids.slice(-200).reverse();
  await (await server.next('/items?limit=200')).respond(newest.map(id => ({ id, text: 'first' })));
  expect(await complete).toBe(false);
  expect(items.rows.value?.map(({ id }) => id)).toEqual([...newest, 'a']);
  expect(server.isIdle()).toBe(true);
});

test('deleted records disappear', async () => {
  const { items, server } = await loaded('b', 'a');
  void items.update(new Map([['b', 'deleted']]));
  await (await server.next('/items?limit=20')).respond([{ id: 'a', text: 'first' }]);
  expect(items.rows.value?.map(({ id }) => id)).toEqual(['a']);
});

test('what a search found can be found by id and is kept up to date, outside the list', async () => {
  const { items, server } = await loaded('b', 'a');
  const search = items.search('old', new AbortController().signal);
  await (await server.next('/items?q=old')).respond([{ id: 'old', text: 'first' }]);
  expect(await search).toEqual([{ id: 'old', text: 'first' }]);
  void items.update(updated('old'));
  await (await server.next('/items/old')).respond({ id: 'old', text: 'second' });
  expect(items.find('old')?.text).toBe('second');
  expect(items.rows.value?.map(({ id }) => id)).toEqual(['b', 'a']);
});

test('an update whose response arrives after clear() does not fill the collection again', async () => {
  const { items, server } = await loaded('a');
  void items.update(updated('a'));
  const slow = await server.next('/items/a');
  items.clear();
  await slow.respond({ id: 'a', text: 'of another partner' });
  expect(items.rows.value).toBeNull();
  expect(server.isIdle()).toBe(true);
});

test('an update that waits for another one when clear() is called sends no request', async () => {
  const { items, server } = await loaded('a');
  void items.update(updated('a'));
  void items.update(updated('a'));
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

test('an update waits for the load that is in flight, whose rows may be older', async () => {
  const { items, server } = await loaded('a');
  void items.load();
  const load = await server.next('/items');
  void items.update(updated('a'));
  await load.respond([{ id: 'a', text: 'older' }]);
  await (await server.next('/items/a')).respond({ id: 'a', text: 'newer' });
  expect(items.find('a')?.text).toBe('newer');
});

test('an update that a load overtakes leaves the rows of that load', async () => {
  const { items, server } = await loaded('a');
  void items.update(updated('a'));
  const slow = await server.next('/items/a');
  void items.load();
  await (await server.next('/items')).respond([{ id: 'a', text: 'newer' }]);
  await slow.respond({ id: 'a', text: 'older' });
  expect(items.rows.value).toEqual([{ id: 'a', text: 'newer' }]);
});

test('a record that cannot be read stays as it is', async () => {
  const { items, server } = await loaded('a');
  void items.update(updated('a'));
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
