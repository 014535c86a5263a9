import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';
import { START } from '../../support/sandbox.ts';

const MERCHANT = { name: 'Tea House', mcc: '5499', city: 'Porto', country: 'PT' };

test('an authorization returns the complete transaction, holds the amount and is billed', async () => {
  const { pay, api, spent } = startCardNetwork();
  const { status, body } = await pay('card_small', 12.34, { merchant: MERCHANT });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^txn_\w+$/),
    cardId: 'card_small',
    cardholderId: 'ch_mia',
    type: 'sale',
    status: 'authorized',
    amount: 12.34,
    settledAmount: null,
    currency: 'EUR',
    merchant: MERCHANT,
    declineReason: null,
    declineDetail: null,
    reversalReason: null,
    createdAt: START,
    updatedAt: START,
  });
  expect(api('GET', `/partner/transactions/${body.id}`)).toEqual({ status: 200, body });
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 987.66, held: 12.34 });
  expect(spent('card_small').sales).toEqual({
    perTransaction: 0,
    daily: 12.34,
    monthly: 12.34,
    allTime: 12.34,
  });
  expect(api('GET', '/partner/usage/records').body.data).toMatchObject([
    { type: 'transaction_processing', amount: 0.15, referenceId: body.id },
  ]);
});

test('what a merchant leaves out is generated from the seed', async () => {
  const merchants = async () => {
    const { pay } = startCardNetwork();
    const sale = await pay('card_large', 1, { merchant: { name: 'Kiosk' } });
    const cash = await pay('card_large', 1, { type: 'cash' });
    return [sale.body.merchant, cash.body.merchant];
  };
  const made = await merchants();
  expect(made).toMatchObject([
    { name: 'Kiosk', mcc: expect.stringMatching(/^\d{4}$/), country: expect.stringMatching(/^[A-Z]{2}$/) },
    { mcc: '6011', city: expect.any(String) },
  ]);
  expect(await merchants()).toEqual(made);
});

test('a settlement reduces the held amount', async () => {
  const { pay, api, control, advance, spent } = startCardNetwork();
  const { id } = (await pay('card_small', 30)).body;
  await advance('1h');
  const settled = await control('POST', `/transactions/${id}/settle`);
  expect(settled).toMatchObject({
    status: 200,
    body: {
      status: 'settled',
      amount: 30,
      settledAmount: 30,
      createdAt: START,
      updatedAt: '2026-03-15T11:00:00.000Z',
    },
  });
  expect(api('GET', '/partner/balance').body).toMatchObject({
    available: 970,
    held: 0,
    updatedAt: '2026-03-15T11:00:00.000Z',
  });
  expect(spent('card_small').sales.daily).toBe(30);
});

test('a settlement for less releases the rest, to the balance and to the windows', async () => {
  const { pay, api, control, spent } = startCardNetwork();
  const { id } = (await pay('card_small', 30)).body;
  const { body } = await control('POST', `/transactions/${id}/settle`, { amount: 29.99 });
  expect(body).toMatchObject({ amount: 30, settledAmount: 29.99 });
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 970.01, held: 0 });
  expect(spent('card_small').sales).toEqual({
    perTransaction: 0,
    daily: 29.99,
    monthly: 29.99,
    allTime: 29.99,
  });
});

test('a reversal releases everything', async () => {
  const { pay, api, control, spent } = startCardNetwork();
  const { id } = (await pay('card_small', 20, { type: 'cash' })).body;
  expect(spent('card_small').cash.allTime).toBe(20);
  const { status, body } = await control('POST', `/transactions/${id}/reverse`);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'reversed', settledAmount: null } });
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 1000, held: 0 });
  expect(spent('card_small').cash).toEqual({ perTransaction: 0, daily: 0, monthly: 0, allTime: 0 });
});

test.each(['freeze', 'cancel'])(
  'transactions can be settled and reversed after %s of the card',
  async transition => {
    const { pay, api, control } = startCardNetwork();
    const first = (await pay('card_large', 10)).body.id;
    const second = (await pay('card_large', 10)).body.id;
    api('POST', `/partner/cards/card_large/${transition}`);
    await control('POST', '/cardholders/ch_mia/status', { status: 'closed' });
    expect((await control('POST', `/transactions/${first}/settle`)).body.status).toBe('settled');
    expect((await control('POST', `/transactions/${second}/reverse`)).body.status).toBe('reversed');
  },
);

test('each step emits card.transaction with the record at that moment', async () => {
  const { pay, api, control, events, newEvents } = startCardNetwork();
  const { id } = (await pay('card_large', 10)).body;
  expect(events.at(-1)).toMatchObject({ partnerId: 'partner_acme', resourceId: id, createdAt: START });
  await control('POST', `/transactions/${id}/settle`);
  expect(events.at(-1)?.data).toEqual(api('GET', `/partner/transactions/${id}`).body);
  await control('POST', `/transactions/${(await pay('card_large', 10)).body.id}/reverse`);
  expect(newEvents()).toEqual([
    'card.transaction authorized',
    'card.transaction settled',
    'card.transaction authorized',
    'card.transaction reversed',
  ]);
});

test('settled, reversed and declined are final, and further steps are refused', async () => {
  const { pay, api, control, newEvents } = startCardNetwork();
  const settled = (await pay('card_large', 10)).body.id;
  await control('POST', `/transactions/${settled}/settle`, { amount: 4 });
  const reversed = (await pay('card_large', 10)).body.id;
  await control('POST', `/transactions/${reversed}/reverse`);
  const declined = (await pay('card_frozen', 10)).body.id;
  const state = () => [
    api('GET', '/partner/transactions').body,
    api('GET', '/partner/balance').body,
    api('GET', '/partner/cards/card_large').body,
  ];
  const before = state();
  newEvents();
  for (const [id, status] of [
    [settled, 'settled'],
    [reversed, 'reversed'],
    [declined, 'declined'],
  ]) {
    for (const [verb, done] of [
      ['settle', 'settled'],
      ['reverse', 'reversed'],
      ['increment', 'incremented'],
    ]) {
      expect(await control('POST', `/transactions/${id}/${verb}`, { amount: 1 })).toEqual({
        status: 400,
        body: {
          success: false,
          error: `transaction ${id} is ${status}, which is final; only an authorized one can be ${done}`,
        },
      });
    }
  }
  expect(state()).toEqual(before);
  expect(newEvents()).toEqual([]);
});

test('a settlement for more than was authorized is refused', async () => {
  const { pay, api, control } = startCardNetwork();
  const { id } = (await pay('card_large', 10)).body;
  const { status, body } = await control('POST', `/transactions/${id}/settle`, { amount: 10.01 });
  expect({ status, error: body.error }).toEqual({
    status: 400,
    error: `body.amount: transaction ${id} is authorized for 10; it cannot be settled for more without force`,
  });
  expect(api('GET', `/partner/transactions/${id}`).body.status).toBe('authorized');
});

const RULE = 'body.amount: must be an amount above 0, up to 1000000000000, with at most two decimals';

test.each<[unknown, string]>([
  [0, RULE],
  [-1, RULE],
  [-0.01, RULE],
  [1.005, RULE],
  [0.1 + 0.2, RULE],
  [1e12 + 1, RULE],
  [1e300, RULE],
  [1e-9, RULE],
  ['10', 'body.amount: must be a number'],
  [true, 'body.amount: must be a number'],
  [[10], 'body.amount: must be a number'],
])('the amount %j is refused by every operation, and nothing changes', async (amount, error) => {
  const { pay, api, control, newEvents } = startCardNetwork();
  const { id } = (await pay('card_large', 10)).body;
  const before = api('GET', '/partner/transactions').body;
  newEvents();
  for (const [path, body] of [
    ['/transactions', { cardId: 'card_large', amount }],
    [`/transactions/${id}/settle`, { amount }],
    [`/transactions/${id}/settle`, { amount, force: true }],
    [`/transactions/${id}/reverse`, { amount }],
    [`/transactions/${id}/increment`, { amount }],
    ['/balance/top-up', { amount }],
    ['/cards/card_large/3ds', { amount }],
  ] as const) {
    const reply = await control('POST', path, body);
    expect(reply).toEqual({ status: 400, body: { success: false, error } });
  }
  expect(api('GET', '/partner/transactions').body).toEqual(before);
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 990, held: 10 });
  expect(newEvents()).toEqual([]);
});

test.each<[Record<string, unknown>, number, string]>([
  [{ amount: undefined }, 400, 'body.amount: is required'],
  [{ cardId: undefined }, 400, 'body.cardId: is required'],
  [{ cardId: 'card_nobody' }, 404, 'no card with id "card_nobody"'],
  [{ type: 'refund' }, 400, 'body.type: must be one of "sale", "cash"'],
  [{ merchant: { mcc: '541' } }, 400, 'body.merchant.mcc: must be a string of four digits, such as "5411"'],
  [{ merchant: { mcc: 5411 } }, 400, 'body.merchant.mcc: must be a text'],
  [
    { merchant: { country: 'XX' } },
    400,
    'body.merchant.country: must be a two-letter country code (ISO 3166-1) in capitals, such as DE',
  ],
  [{ merchant: { nmae: 'Kiosk' } }, 400, 'body.merchant.nmae: is unknown, did you mean "name"?'],
  [
    { merchant: 'kiosk' },
    400,
    'body.merchant: must be a merchant, or the name of a preset: grocery, fuel, restaurant, hotel, atm, transit, online, subscription, airline, casino',
  ],
])('an authorization with %j is refused', async (members, status, error) => {
  const { pay, api } = startCardNetwork();
  expect(await pay('card_large', 1, members)).toEqual({ status, body: { success: false, error } });
  expect(api('GET', '/partner/transactions').body.total).toBe(0);
});

test('an unknown decline reason is refused with the list of known reasons', async () => {
  const { error } = (await startCardNetwork().pay('card_large', 1, { declineReason: 'bad_mood' })).body;
  expect(error).toMatch(/^body\.declineReason: must be one of "card_not_activated", .* "do_not_honor"$/);
});

test('an unknown transaction is a 404', async () => {
  const { control } = startCardNetwork();
  for (const verb of ['settle', 'reverse', 'increment']) {
    expect(await control('POST', `/transactions/txn_1/${verb}`, { amount: 1 })).toMatchObject({
      status: 404,
      body: { error: 'no transaction with id "txn_1"' },
    });
  }
});
