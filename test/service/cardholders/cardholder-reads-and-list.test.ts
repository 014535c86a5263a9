import { expect, test } from 'vitest';
import {
  createApprovedCardholder,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { POPULATED } from '../../support/fixtures/populated.ts';
import { startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cardholders';
const TEN_FIELDS = [
  'createdAt',
  'email',
  'externalUserId',
  'firstName',
  'id',
  'kycSource',
  'kycStatus',
  'lastName',
  'phoneNumber',
  'status',
];
const ids = (data: { id: string }[]) => data.map(({ id }) => id);

test('a read and a list return exactly the ten fields of a cardholder', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox, { residenceCity: 'Bonn' });
  const one = await sandbox.api('GET', `${PATH}/${id}`);
  expect(one.status).toBe(200);
  expect(Object.keys(one.body).sort()).toEqual(TEN_FIELDS);
  const list = await sandbox.api('GET', PATH);
  expect(list).toMatchObject({ status: 200 });
  expect(list.body).toEqual({ data: [one.body], total: 1, page: 1, limit: 20 });
});

test('a phone number that was not provided is null', async () => {
  const { api } = await startSandbox({ fixtures: POPULATED });
  expect(await api('GET', `${PATH}/ch_api`)).toMatchObject({
    status: 200,
    body: { kycSource: 'api', phoneNumber: null },
  });
});

test('the list is newest first across pages, also for equal timestamps', async () => {
  const sandbox = await startSandbox();
  const made: string[] = [];
  for (let count = 0; count < 5; count++) made.unshift(await createCardholder(sandbox));
  const page = async (query: string) => (await sandbox.api('GET', `${PATH}?${query}`)).body;
  const [first, second, third, fourth] = [
    await page('limit=2'),
    await page('limit=2&page=2'),
    await page('limit=2&page=3'),
    await page('limit=2&page=4'),
  ];
  expect(first).toMatchObject({ total: 5, page: 1, limit: 2 });
  expect([first, second, third].flatMap(({ data }) => ids(data))).toEqual(made);
  expect(fourth).toEqual({ data: [], total: 5, page: 4, limit: 2 });
  expect(ids((await page('limit=100')).data)).toEqual(made);
});

test.each([
  ['status=suspended', ['suspended']],
  ['status=active', ['approved', 'submitted', 'mia']],
  ['status=closed', []],
  ['kycStatus=approved', ['approved']],
  ['kycStatus=pending', ['suspended', 'submitted', 'mia']],
  ['kycStatus=rejected', []],
  ['externalUserId=mia', ['mia']],
  ['externalUserId=MIA', []],
  ['externalUserId=', []],
  ['email=MIA%40example.com', ['mia']],
  ['email=nobody%40example.com', []],
  ['email=mia%40example.com&externalUserId=mia', ['mia']],
  ['email=mia%40example.com&externalUserId=approved', []],
  ['email=mia%40example.com&status=closed', []],
  ['externalUserId=mia&kycStatus=approved', []],
  ['externalUserId=mia&status=active&kycStatus=pending', ['mia']],
  ['status=active&kycStatus=pending', ['submitted', 'mia']],
])('the filter %s finds %j', async (query, found) => {
  const sandbox = await startSandbox();
  await createCardholder(sandbox, { externalUserId: 'mia', email: 'Mia@Example.com' });
  await createSubmittedCardholder(sandbox, { externalUserId: 'submitted' });
  await createApprovedCardholder(sandbox, { externalUserId: 'approved' });
  const id = await createCardholder(sandbox, { externalUserId: 'suspended' });
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'suspended' });
  const { body } = await sandbox.api('GET', `${PATH}?${query}`);
  expect(body.data.map(({ externalUserId }: Record<string, string>) => externalUserId)).toEqual(found);
  expect(body.total).toBe(found.length);
});

test("the filters never match another partner's cardholders", async () => {
  const sandbox = await startSandbox();
  await createCardholder(sandbox, { externalUserId: 'mia', email: 'mia@example.com' });
  for (const query of ['externalUserId=mia', 'email=mia%40example.com', 'status=active']) {
    expect((await sandbox.globex('GET', `${PATH}?${query}`)).body.total).toBe(0);
  }
});

test('an unknown query parameter is ignored', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox);
  expect(ids((await sandbox.api('GET', `${PATH}?state=closed`)).body.data)).toEqual([id]);
});
