import { expect, test } from 'vitest';
import { recordPage } from '../../src/dashboard/data/record-page.ts';
import { slowServer } from './slow-server.ts';

/** Loads a page of three rows of a list of 100. */
async function loaded({ isSearch = false, ids = ['d', 'c', 'b', 'a'] } = {}) {
  const server = slowServer();
  const page = recordPage<string>({
    read: async limit => ({
      records: await server.read<readonly string[]>(`/items?limit=${limit}`),
      total: isSearch ? null : 100,
    }),
    isSearch,
    limit: 3,
  });
  void page.load();
  const next = () => server.next('/items?limit=4');
  await (await next()).respond(ids);
  return { page, server, next };
}

test('a page has its rows, the number of all records, and whether the list continues', async () => {
  const { page } = await loaded();
  expect(page.rows.value).toEqual(['d', 'c', 'b']);
  expect([page.total.value, page.hasMore.value]).toEqual([100, true]);
  expect((await loaded({ ids: ['b', 'a'] })).page.hasMore.value).toBe(false);
});

test('a page is read again after a change', async () => {
  const { page, next } = await loaded();
  void page.refresh();
  await (await next()).respond(['e', 'd', 'c', 'b']);
  expect(page.rows.value).toEqual(['e', 'd', 'c']);
});

test('a search is not made again after a change: it says that it is outdated, and is made on request', async () => {
  const { page, server, next } = await loaded({ isSearch: true });
  await page.refresh();
  expect(server.isIdle()).toBe(true);
  expect([page.isOutdated.value, page.total.value, page.hasMore.value]).toEqual([true, null, true]);
  void page.load();
  await (await next()).respond(['e', 'd']);
  expect([page.isOutdated.value, page.hasMore.value]).toEqual([false, false]);
});
