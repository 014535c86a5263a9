import { expect, test } from 'vitest';
import { CARD_PROGRAM, createApprovedCardholder, createCard } from '../../support/cardholders.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cards';
const ids = (data: { id: string }[]) => data.map(({ id }) => id);
const list = async ({ api }: TestSandbox, query = '') => (await api('GET', `${PATH}${query}`)).body;

async function issueTo({ api }: TestSandbox, cardholderId: string): Promise<string> {
  return (await api('POST', PATH, { cardholderId, cardProgramId: CARD_PROGRAM })).body.id;
}

test('cards are listed newest first, each as its own read shows it', async () => {
  const sandbox = await startSandbox();
  expect(await list(sandbox)).toEqual({ data: [], total: 0, page: 1, limit: 20 });
  const older = await createCard(sandbox);
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  const newer = await createCard(sandbox);
  expect(await list(sandbox)).toEqual({ data: [newer, older], total: 2, page: 1, limit: 20 });
  expect((await sandbox.api('GET', `${PATH}/${older.id}`)).body).toEqual(older);
});

test('a page has 20 cards by default, and at most 100', async () => {
  const sandbox = await startSandbox();
  const owner = await createApprovedCardholder(sandbox);
  const made: string[] = [];
  for (let count = 0; count < 101; count++) made.unshift(await issueTo(sandbox, owner));
  const first = await list(sandbox);
  expect(first).toMatchObject({ total: 101, page: 1, limit: 20 });
  expect(ids(first.data)).toEqual(made.slice(0, 20));
  expect(ids((await list(sandbox, '?limit=100')).data)).toEqual(made.slice(0, 100));
  expect(ids((await list(sandbox, '?limit=100&page=2')).data)).toEqual(made.slice(100));
  expect(ids((await list(sandbox, '?page=6')).data)).toEqual(made.slice(100));
  expect(await list(sandbox, '?page=7')).toEqual({ data: [], total: 101, page: 7, limit: 20 });
  expect((await list(sandbox, '?page=999999999999999&limit=100')).data).toEqual([]);
});

test('the filters status and cardholderId work alone and together', async () => {
  const sandbox = await startSandbox();
  const [mia, ben] = [await createApprovedCardholder(sandbox), await createApprovedCardholder(sandbox)];
  const [one, two, three, four] = [
    await issueTo(sandbox, mia),
    await issueTo(sandbox, ben),
    await issueTo(sandbox, mia),
    await issueTo(sandbox, ben),
  ];
  await sandbox.api('POST', `${PATH}/${one}/activate`);
  await sandbox.api('POST', `${PATH}/${two}/activate`);
  await sandbox.api('POST', `${PATH}/${two}/freeze`);
  await sandbox.api('POST', `${PATH}/${three}/cancel`);
  const expected: Record<string, string[]> = {
    '?status=created': [four],
    '?status=active': [one],
    '?status=frozen': [two],
    '?status=cancelled': [three],
    [`?cardholderId=${mia}`]: [three, one],
    [`?cardholderId=${ben}&status=created`]: [four],
    [`?cardholderId=${mia}&status=frozen`]: [],
    '?cardholderId=ch_none': [],
  };
  for (const [query, found] of Object.entries(expected)) {
    const { data, total } = await list(sandbox, query);
    expect({ query, found: ids(data), total }).toEqual({ query, found, total: found.length });
  }
  const second = await list(sandbox, `?cardholderId=${mia}&limit=1&page=2`);
  expect(second).toMatchObject({ data: [{ id: one }], total: 2, page: 2, limit: 1 });
});
