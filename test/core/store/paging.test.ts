import { beforeEach, describe, expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const LISTS = ['/partner/cardholders', '/partner/cards', '/partner/card-programs', '/partner/usage/records'];
const WRONG_PAGES = ['0', '-1', '1.5', '1.0', 'ten', '', '+1', '%201', '0x1', '1e1', 'NaN'];
const WRONG_LIMITS = ['0', '101', '-1', 'ten', '', '20.0', '1e1', '%00'];

describe('a list of 25', () => {
  let sandbox: TestSandbox;
  let ids: string[];

  beforeEach(async () => {
    sandbox = await startSandbox();
    ids = [];
    for (let index = 0; index < 25; index++) ids.unshift(await createCardholder(sandbox));
  });

  const list = async (query: string) => {
    const { status, body } = await sandbox.api('GET', `/partner/cardholders${query}`);
    expect(status).toBe(200);
    const { data, ...rest } = body;
    return { ids: data.map(({ id }: { id: string }) => id), ...rest };
  };

  test('has pages of 20 by default, newest first, with the total of all pages', async () => {
    expect(await list('')).toEqual({ ids: ids.slice(0, 20), total: 25, page: 1, limit: 20 });
    expect(await list('?page=2')).toEqual({ ids: ids.slice(20), total: 25, page: 2, limit: 20 });
    expect(await list('?page=3&limit=10')).toEqual({ ids: ids.slice(20), total: 25, page: 3, limit: 10 });
    expect(await list('?limit=100')).toEqual({ ids, total: 25, page: 1, limit: 100 });
    expect(await list('?limit=1&page=25')).toEqual({ ids: [ids[24]], total: 25, page: 25, limit: 1 });
  });

  test('is empty beyond its end, with the same total', async () => {
    for (const page of [3, 26, 999_999_999_999_999]) {
      expect(await list(`?page=${page}`)).toEqual({ ids: [], total: 25, page, limit: 20 });
    }
    for (const digits of [16, 400]) expect((await list(`?page=${'9'.repeat(digits)}`)).ids).toEqual([]);
  });

  test('pages a filtered list like any other', async () => {
    for (const id of [ids[3], ids[10], ids[24]]) {
      await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'suspended' });
    }
    const filter = '?status=suspended&limit=2';
    expect(await list(filter)).toEqual({ ids: [ids[3], ids[10]], total: 3, page: 1, limit: 2 });
    expect(await list(`${filter}&page=2`)).toEqual({ ids: [ids[24]], total: 3, page: 2, limit: 2 });
    expect(await list(`${filter}&page=3`)).toEqual({ ids: [], total: 3, page: 3, limit: 2 });
    expect(await list('?status=closed')).toEqual({ ids: [], total: 0, page: 1, limit: 20 });
  });

  test('is empty for another partner', async () => {
    expect(await sandbox.globex('GET', '/partner/cardholders')).toMatchObject({
      status: 200,
      body: { data: [], total: 0, page: 1, limit: 20 },
    });
  });
});

test.each(LISTS)('%s refuses invalid page numbers and sizes', async path => {
  const { api } = await startSandbox();
  for (const page of WRONG_PAGES) {
    const { status, body } = await api('GET', `${path}?page=${page}`);
    expect({ page, status, body }).toEqual({
      page,
      status: 400,
      body: { success: false, error: 'query.page: must be a whole number from 1 up' },
    });
  }
  for (const limit of WRONG_LIMITS) {
    const { status, body } = await api('GET', `${path}?limit=${limit}`);
    expect({ limit, status, body }).toEqual({
      limit,
      status: 400,
      body: { success: false, error: 'query.limit: must be a whole number from 1 to 100' },
    });
  }
});

test('a refusal names every invalid parameter', async () => {
  const { api } = await startSandbox();
  const { body } = await api('GET', '/partner/cards?page=0&limit=101&status=nope');
  expect(body.error.split('; ')).toEqual([
    'query.page: must be a whole number from 1 up',
    'query.limit: must be a whole number from 1 to 100',
    'query.status: must be one of "created", "active", "frozen", "cancelled"',
  ]);
});

test.each([
  'page=1&page=2',
  'page=1&page=1',
  'limit=5&status=active&limit=5',
  'status=active&status=frozen',
  'p%61ge=1&page=1',
])('a repeated parameter (%s) is refused by name', async query => {
  const { api } = await startSandbox();
  const { status, body } = await api('GET', `/partner/cards?${query}`);
  expect(status).toBe(400);
  expect(body.error).toMatch(/^query\.(page|limit|status): must be given once, is repeated$/);
});
