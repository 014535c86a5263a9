import { expect, test } from 'vitest';
import { oneRecord, type PageSource, recordPage } from '../../src/dashboard/data/record-page.ts';
import { slowServer } from './slow-server.ts';

interface Item {
  readonly id: string;
  readonly text: string;
}

const items = (text: string, ...ids: readonly string[]): readonly Item[] => ids.map(id => ({ id, text }));
const updated = (...ids: readonly string[]) => new Map(ids.map(id => [id, 'updated'] as const));
const created = (...ids: readonly string[]) => new Map(ids.map(id => [id, 'created'] as const));
const deleted = (...ids: readonly string[]) => new Map(ids.map(id => [id, 'deleted'] as const));

/** Loads a page of three rows of a list of 100. */
async function loaded(source: Partial<PageSource<Item>> = {}, ...ids: readonly string[]) {
  const server = slowServer();
  const page = recordPage<Item>({
    readList: async (offset, limit) => ({
      records: await server.read<readonly Item[]>(`/items?${offset}+${limit}`),
      total: source.isSearch === true ? null : 100,
    }),
    readOne: id => server.read(`/items/${id}`),
    idOf: ({ id }) => id,
    isSearch: false,
    isFiltered: false,
    hasChangeIds: true,
    offset: 0,
    limit: 3,
    ...source,
  });
  void page.load();
  const first = ids.length === 0 ? ['d', 'c', 'b', 'a'] : ids;
  await (await server.next(`/items?${source.offset ?? 0}+${(source.limit ?? 3) + 1}`)).respond(
    items('first', ...first),
  );
  const texts = () => page.rows.value?.map(({ id, text }) => `${id} ${text}`);
  return { page, server, texts };
}

test('a page has its rows, the number of all records, and whether the list goes on', async () => {
  const { page, texts } = await loaded();
  expect(texts()).toEqual(['d first', 'c first', 'b first']);
  expect([page.total.value, page.hasMore.value]).toEqual([100, true]);
  expect((await loaded({}, 'b', 'a')).page.hasMore.value).toBe(false);
});

test('a record that changed is read by its id; one that is not on the page is not read', async () => {
  const { page, server, texts } = await loaded();
  const updating = page.update(updated('c', 'elsewhere'));
  await (await server.next('/items/c')).respond({ id: 'c', text: 'second' });
  await updating;
  expect(texts()).toEqual(['d first', 'c second', 'b first']);
  expect(server.isIdle()).toBe(true);
});

test('of many changed records the page is read once', async () => {
  const { page, server, texts } = await loaded({ limit: 5 }, 'a', 'b', 'c', 'd', 'e');
  void page.update(updated('a', 'b', 'c', 'd', 'e'));
  await (await server.next('/items?0+6')).respond(items('second', 'a', 'b', 'c', 'd', 'e'));
  expect(texts()).toEqual(['a second', 'b second', 'c second', 'd second', 'e second']);
  expect(server.isIdle()).toBe(true);
});

test('any number of created records costs one read of the first page', async () => {
  const { page, server, texts } = await loaded();
  void page.update(created(...Array.from({ length: 300 }, (_, index) => `new_${index}`)));
  await (await server.next('/items?0+4')).respond(
    items('second', 'new_299', 'new_298', 'new_297', 'new_296'),
  );
  expect(texts()).toEqual(['new_299 second', 'new_298 second', 'new_297 second']);
  expect(server.isIdle()).toBe(true);
});

test('further down the list, a created record moves no row: only the number of all is read', async () => {
  const { page, server, texts } = await loaded({ offset: 3 });
  void page.update(created('new'));
  await (await server.next('/items?0+1')).respond(items('new', 'new'));
  expect(texts()).toEqual(['d first', 'c first', 'b first']);
  expect(server.isIdle()).toBe(true);
});

test('a deleted record makes room for the next one', async () => {
  const { page, server, texts } = await loaded();
  void page.update(deleted('c'));
  await (await server.next('/items?0+4')).respond(items('first', 'd', 'b', 'a'));
  expect(texts()).toEqual(['d first', 'b first', 'a first']);
});

test('a filtered list is read when a record may have entered or left it', async () => {
  const { page, server } = await loaded({ isFiltered: true });
  void page.update(updated('elsewhere'));
  await (await server.next('/items?0+4')).respond(items('first', 'elsewhere', 'd', 'c', 'b'));
  expect(page.rows.value?.[0]?.id).toBe('elsewhere');
});

test('a search is not made again for a created record: it says that it is outdated, and is made on request', async () => {
  const { page, server, texts } = await loaded({ isSearch: true, isFiltered: true });
  void page.update(created('new'));
  void page.update(updated('c'));
  await (await server.next('/items/c')).respond({ id: 'c', text: 'second' });
  expect(texts()).toEqual(['d first', 'c second', 'b first']);
  expect([page.isOutdated.value, page.total.value, page.hasMore.value]).toEqual([true, null, true]);
  void page.load();
  await (await server.next('/items?0+4')).respond(items('third', 'new', 'd'));
  expect([page.isOutdated.value, page.hasMore.value]).toEqual([false, false]);
});

test('without the ids of changes any changed record may be on the page, so it is read', async () => {
  const { page, server, texts } = await loaded({ hasChangeIds: false });
  void page.update(updated('internal'));
  await (await server.next('/items?0+4')).respond(items('second', 'd'));
  expect(texts()).toEqual(['d second']);
});

test('an update that a load overtakes leaves the rows of that load', async () => {
  const { page, server, texts } = await loaded();
  void page.update(updated('c'));
  const slow = await server.next('/items/c');
  void page.load();
  await (await server.next('/items?0+4')).respond(items('newer', 'c'));
  await slow.respond({ id: 'c', text: 'older' });
  expect(texts()).toEqual(['c newer']);
});

test('an update waits for the load that is in flight, whose rows may be older', async () => {
  const { page, server, texts } = await loaded();
  void page.load();
  const load = await server.next('/items?0+4');
  void page.update(updated('a'));
  await load.respond(items('older', 'a'));
  await (await server.next('/items/a')).respond({ id: 'a', text: 'newer' });
  expect(texts()).toEqual(['a newer']);
});

test('a page that is left sends nothing more and shows nothing that arrives', async () => {
  const { page, server, texts } = await loaded();
  void page.update(updated('c'));
  void page.update(updated('d'));
  const slow = await server.next('/items/c');
  page.stop();
  await slow.respond({ id: 'c', text: 'late' });
  expect(texts()).toEqual(['d first', 'c first', 'b first']);
  expect(server.isIdle()).toBe(true);
});

test('a record that cannot be read stays as it is; a list that cannot be read says why', async () => {
  const { page, server, texts } = await loaded();
  void page.update(updated('c'));
  await (await server.next('/items/c')).fail();
  expect(texts()).toEqual(['d first', 'c first', 'b first']);
  void page.load();
  await (await server.next('/items?0+4')).fail();
  expect(page.error.value).toBe('no connection');
});

test('one record is read again when it changes, and is null when there is none', async () => {
  const server = slowServer();
  const one = oneRecord<Item>(server.read, 'a', '/items/a', true);
  expect(one.row.value).toBeUndefined();
  void one.load();
  await (await server.next('/items/a')).respond({ id: 'a', text: 'first' });
  void one.update(updated('b'));
  expect(server.isIdle()).toBe(true);
  void one.update(updated('a'));
  await (await server.next('/items/a')).fail();
  expect(one.row.value).toBeNull();
});
