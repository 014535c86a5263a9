import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const hintsOf = async (sandbox: TestSandbox): Promise<string[]> => (await lastRequest(sandbox)).hints;

test('the id of a record of another partner stays a 404, and the journal says whose it is', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox);
  const theirs = await sandbox.globex('GET', `/partner/cardholders/${id}`);
  const unknown = await sandbox.globex('GET', '/partner/cardholders/ch_none');
  expect(theirs.status).toBe(404);
  expect(theirs.body).toEqual(JSON.parse(JSON.stringify(unknown.body).replace('ch_none', id)));
  expect(await hintsOf(sandbox)).toEqual([]);
  await sandbox.globex('GET', `/partner/cardholders/${id}`);
  expect(await hintsOf(sandbox)).toEqual([
    `cardholder ${id} belongs to partner_acme; the request has the key of another partner`,
  ]);
});

test('a share token of another partner stays a 400, and the journal says whose it is', async () => {
  const sandbox = await startSandbox();
  const minted = await sandbox.control('POST', '/share-tokens', { partnerId: 'partner_globex' });
  const body = newCardholder({ idp1ShareToken: minted.body.token });
  const refused = await sandbox.api('POST', '/partner/cardholders', body);
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatch(/unknown share token/);
  expect(refused.body.error).not.toMatch(/globex/);
  expect(await hintsOf(sandbox)).toEqual([
    'body.idp1ShareToken: is a share token of partner_globex; the request has the key of another partner',
  ]);
});

test.each([
  ['from=2026-03-16&to=2026-03-15', /query.from is later than query.to/],
  ['from=2026-03-15&to=2026-03-15', /the same moment.*end a day with the next date/],
  ['billingPeriod=2026-02&from=2026-03-01', /query.billingPeriod ends before query.from/],
  ['billingPeriod=2026-04&to=2026-03-31T23:59:59.999Z', /query.billingPeriod begins after query.to/],
])('a period in which no record can be (%s) has a hint', async (query, hint) => {
  const sandbox = await startSandbox();
  expect((await sandbox.api('GET', `/partner/usage/records?${query}`)).status).toBe(200);
  expect(await hintsOf(sandbox)).toEqual([expect.stringMatching(hint)]);
});

test('a billing period that has a moment in common with the time of the list has no hint', async () => {
  const sandbox = await startSandbox();
  for (const rest of [
    '',
    '&from=2026-03-31T23:59:59.999Z',
    '&to=2026-03-01',
    '&from=2026-01-01&to=2026-12-31',
  ])
    await sandbox.api('GET', `/partner/usage/records?billingPeriod=2026-03${rest}`);
  const { body } = await sandbox.control('GET', '/requests');
  expect(body.map(({ hints }: { hints: string[] }) => hints)).toEqual([[], [], [], []]);
});

test('a filter for an event type that is never listed has a hint, one that is listed has none', async () => {
  const sandbox = await startSandbox();
  const list = (type: string) => sandbox.api('GET', `/partner/webhooks/events?eventType=${type}`);
  for (const type of ['card.3ds_otp', 'cardholder.approved', 'balance.alert']) {
    expect((await list(type)).status).toBe(200);
    expect(await hintsOf(sandbox)).toEqual([expect.stringContaining(`${type} is never listed`)]);
  }
  await list('card.issued');
  expect(await hintsOf(sandbox)).toEqual([]);
});

test.each([
  ['/v1/partner/cards', '/v1/partner/cards'],
  ['/cards', '/v1/partner/cards'],
  ['//partner/cards', '/v1/partner/cards'],
  ['/partner/partner/cards/card_1', '/v1/partner/cards/card_1'],
  ['/partner//cards', '/v1/partner/cards'],
  ['/partner/cardholders//kyc', '/v1/partner/cardholders/{id}/kyc', 'POST'],
  ['/partner/cards//freeze', '/v1/partner/cards/{id}/freeze', 'POST'],
])(
  'a doubled or missing segment, as in /v1%s, is a 404 with the path that was meant',
  async (path, meant, method = 'GET') => {
    const sandbox = await startSandbox();
    expect((await sandbox.api(method, path)).status).toBe(404);
    expect(await hintsOf(sandbox)).toEqual([
      expect.stringContaining(`${method} ${meant} was probably meant`),
    ]);
  },
);
