import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';

test.each([
  ['card_new', 'card_not_activated'],
  ['card_frozen', 'card_frozen'],
  ['card_cancelled', 'card_cancelled'],
])('%s declines with %s, before any other check', async (cardId, declineReason) => {
  const { pay, control } = startCardNetwork();
  await control('POST', '/cardholders/ch_mia/status', { status: 'suspended' });
  expect(await pay(cardId, 1e6)).toMatchObject({
    status: 201,
    body: { status: 'declined', declineReason, declineDetail: null, settledAmount: null },
  });
});

test('a card is valid until the last millisecond of its month, and then expired, whatever its cardholder', async () => {
  const { pay, control } = startCardNetwork({ clock: '2026-03-31T23:59:59.999Z' });
  expect((await pay('card_expiring', 1)).body.status).toBe('authorized');
  await control('POST', '/clock/advance', { duration: '1ms' });
  await control('POST', '/cardholders/ch_mia/status', { status: 'suspended' });
  expect((await pay('card_expiring', 1)).body.declineReason).toBe('card_expired');
});

test.each(['suspended', 'closed'])(
  'the card of a %s cardholder is declined before any limit',
  async status => {
    const { pay, control } = startCardNetwork();
    await control('POST', '/cardholders/ch_mia/status', { status });
    expect((await pay('card_small', 1e6)).body).toMatchObject({
      declineReason: 'cardholder_inactive',
      declineDetail: null,
    });
  },
);

test('the windows are checked in order, each with its limit and the previous spending', async () => {
  const { pay, control, advance } = startCardNetwork();
  const detail = async (amount: number) => {
    const { body } = await pay('card_small', amount);
    // An authorization alone would expire within the month.
    if (body.status === 'authorized') await control('POST', `/transactions/${body.id}/settle`);
    return body.declineDetail ?? body.status;
  };
  const sales = { kind: 'sales' };
  expect(await detail(40.01)).toEqual({ ...sales, window: 'perTransaction', limit: 40, spent: 0 });
  expect(await detail(40)).toBe('authorized');
  expect(await detail(20.01)).toEqual({ ...sales, window: 'daily', limit: 60, spent: 40 });
  expect(await detail(20)).toBe('authorized');
  await advance('1d');
  expect(await detail(20.01)).toEqual({ ...sales, window: 'monthly', limit: 80, spent: 60 });
  expect(await detail(20)).toBe('authorized');
  await advance('31d');
  expect(await detail(20.01)).toEqual({ ...sales, window: 'allTime', limit: 100, spent: 80 });
  expect(await detail(20)).toBe('authorized');
});

test("sales and cash have separate windows, and the card's limit caps both together", async () => {
  const { pay: authorize, control, advance } = startCardNetwork();
  const pay = async (...use: Parameters<typeof authorize>) => {
    const transaction = await authorize(...use);
    await control('POST', `/transactions/${transaction.body.id}/settle`);
    return transaction;
  };
  const cash = { type: 'cash' };
  expect((await pay('card_small', 20, cash)).body.status).toBe('authorized');
  expect((await pay('card_small', 0.01, cash)).body.declineDetail).toEqual({
    kind: 'cash',
    window: 'daily',
    limit: 20,
    spent: 20,
  });
  expect((await pay('card_small', 40)).body.status).toBe('authorized');
  await advance('31d');
  expect((await pay('card_small', 40)).body.status).toBe('authorized');
  expect((await pay('card_small', 10.01)).body).toMatchObject({
    declineReason: 'card_limit_exceeded',
    declineDetail: { limit: 110, spent: 100 },
  });
  expect((await pay('card_small', 10)).body.status).toBe('authorized');
});

test('a limit of 0 allows nothing', async () => {
  const { api, pay } = startCardNetwork();
  const issue = (members: object) => {
    const card = { cardholderId: 'ch_mia', cardProgramId: 'prog_eur', ...members };
    const { id } = api('POST', '/partner/cards', card).body;
    api('POST', `/partner/cards/${id}/activate`);
    return id;
  };
  expect((await pay(issue({ limit: 0 }), 0.01)).body).toMatchObject({
    declineReason: 'card_limit_exceeded',
    declineDetail: { limit: 0, spent: 0 },
  });
  const withoutCash = issue({ spendControl: { cash: { monthly: 0 } } });
  expect((await pay(withoutCash, 0.01, { type: 'cash' })).body).toMatchObject({
    declineReason: 'spend_limit_exceeded',
    declineDetail: { kind: 'cash', window: 'monthly', limit: 0, spent: 0 },
  });
  expect((await pay(withoutCash, 0.01)).body.status).toBe('authorized');
});

test('the balance is checked last, and can be spent completely', async () => {
  const { pay, api } = startCardNetwork();
  expect((await pay('card_large', 1000.01)).body).toMatchObject({
    declineReason: 'insufficient_funds',
    declineDetail: null,
  });
  expect((await pay('card_large', 1000)).body.status).toBe('authorized');
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 0, held: 1000 });
});

test.each([
  'card_frozen',
  'insufficient_funds',
  'merchant_category_not_allowed',
  'country_not_allowed',
  'incorrect_pin',
  'incorrect_cvv',
  'three_ds_failed',
  'suspected_fraud',
  'do_not_honor',
])('%s can be forced whether or not the card could pay', async declineReason => {
  const { pay } = startCardNetwork();
  for (const cardId of ['card_large', 'card_cancelled']) {
    expect((await pay(cardId, 5, { declineReason })).body).toMatchObject({
      status: 'declined',
      declineReason,
      declineDetail: null,
    });
  }
});

test('a forced limit decline reports the exceeded limit, or else the first', async () => {
  const { pay } = startCardNetwork();
  await pay('card_small', 30);
  const forced = async (amount: number, declineReason: string) =>
    (await pay('card_small', amount, { declineReason })).body.declineDetail;
  const first = { kind: 'sales', window: 'perTransaction', limit: 40, spent: 0 };
  expect(await forced(1, 'spend_limit_exceeded')).toEqual(first);
  const daily = { kind: 'sales', window: 'daily', limit: 60, spent: 30 };
  expect(await forced(31, 'spend_limit_exceeded')).toEqual(daily);
  expect(await forced(1, 'card_limit_exceeded')).toEqual({ limit: 110, spent: 30 });
});

test('a decline changes neither spending, balance nor usage, and emits an event', async () => {
  const { pay, api, spent, newEvents } = startCardNetwork();
  const state = () => [
    spent('card_small'),
    api('GET', '/partner/balance').body,
    api('GET', '/partner/usage/records').body,
  ];
  const before = state();
  const { body } = await pay('card_small', 500);
  expect(state()).toEqual(before);
  expect(newEvents()).toEqual(['card.transaction declined']);
  expect(api('GET', `/partner/transactions/${body.id}`).body).toEqual(body);
});
