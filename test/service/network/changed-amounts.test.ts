import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';

/** A card network with an authorization, and shortcuts to change it. */
async function startWith(cardId: string, amount: number, fields: object = {}) {
  const network = startCardNetwork();
  const { id } = (await network.pay(cardId, amount, fields)).body;
  const change = (verb: string, body: object) => network.control('POST', `/transactions/${id}/${verb}`, body);
  const balance = () => {
    const { available, held } = network.api('GET', '/partner/balance').body;
    return { available, held };
  };
  const read = () => network.api('GET', `/partner/transactions/${id}`).body;
  network.newEvents();
  return { ...network, id, change, balance, read };
}

test('an increment adds to the amount, holds it and sends the transaction with its new amount', async () => {
  const { change, read, balance, spent, events, api } = await startWith('card_large', 80);
  const { status, body } = await change('increment', { amount: 20.5 });
  expect({ status, body }).toEqual({ status: 200, body: { approved: true, ...read() } });
  expect(body).toMatchObject({
    status: 'authorized',
    amount: 100.5,
    settledAmount: null,
    reversalReason: null,
  });
  expect(balance()).toEqual({ available: 899.5, held: 100.5 });
  expect(spent('card_large').sales).toMatchObject({ daily: 100.5, monthly: 100.5, allTime: 100.5 });
  expect(events.at(-1)).toMatchObject({
    type: 'card.transaction',
    data: { status: 'authorized', amount: 100.5 },
  });
  expect(api('GET', '/partner/usage/records').body.total).toBe(1);
});

test('a declined increment says why, changes nothing and sends nothing', async () => {
  const { change, read, balance, spent, newEvents, api } = await startWith('card_small', 30);
  const state = () => [read(), balance(), spent('card_small')];
  const before = state();
  expect(await change('increment', { amount: 10.01 })).toEqual({
    status: 200,
    body: {
      approved: false,
      declineReason: 'spend_limit_exceeded',
      declineDetail: { kind: 'sales', window: 'perTransaction', limit: 40, spent: 30 },
    },
  });
  api('POST', '/partner/cards/card_small/freeze');
  newEvents();
  const frozen = { approved: false, declineReason: 'card_frozen', declineDetail: null };
  expect((await change('increment', { amount: 1 })).body).toEqual(frozen);
  expect(state()).toEqual(before);
  expect(newEvents()).toEqual([]);
});

test('an increment is declined for the cardholder and for the balance, like an authorization', async () => {
  const { change, control } = await startWith('card_large', 900);
  expect((await change('increment', { amount: 100.01 })).body).toMatchObject({
    declineReason: 'insufficient_funds',
  });
  expect((await change('increment', { amount: 100 })).body).toMatchObject({ approved: true, amount: 1000 });
  await control('POST', '/cardholders/ch_mia/status', { status: 'suspended' });
  expect((await change('increment', { amount: 1 })).body).toMatchObject({
    declineReason: 'cardholder_inactive',
  });
});

test('an increment counts in the day and month of the authorization, also when they are over', async () => {
  const { change, pay, control, spent, advance } = await startWith('card_small', 30);
  const other = (await pay('card_small', 25)).body.id;
  await control('POST', `/transactions/${other}/settle`);
  await advance('1d');
  expect((await change('increment', { amount: 5.01 })).body.declineDetail).toEqual({
    kind: 'sales',
    window: 'daily',
    limit: 60,
    spent: 55,
  });
  expect((await change('increment', { amount: 5 })).body.approved).toBe(true);
  expect(spent('card_small').sales).toMatchObject({ daily: 0, monthly: 60, allTime: 60 });
});

test('an increment that takes the balance below the threshold raises balance.alert', async () => {
  const { change, newEvents } = await startWith('card_large', 650);
  await change('increment', { amount: 60 });
  expect(newEvents()).toEqual(['card.transaction authorized', 'balance.alert 290']);
});

test('a partial reversal gives a part back, and the rest stays authorized', async () => {
  const { change, read, balance, spent, events } = await startWith('card_large', 100);
  const { status, body } = await change('reverse', { amount: 39.99 });
  expect({ status, body }).toEqual({ status: 200, body: read() });
  expect(body).toMatchObject({ status: 'authorized', amount: 60.01, reversalReason: null });
  expect(balance()).toEqual({ available: 939.99, held: 60.01 });
  expect(spent('card_large').sales.daily).toBe(60.01);
  expect(events.at(-1)).toMatchObject({
    type: 'card.transaction',
    data: { status: 'authorized', amount: 60.01 },
  });
  expect((await change('settle', {})).body).toMatchObject({ status: 'settled', settledAmount: 60.01 });
});

test.each([[{}], [{ amount: 20 }]])('a reversal with %j reverses all of 20, by the merchant', async body => {
  const { change, balance, newEvents } = await startWith('card_large', 20);
  expect((await change('reverse', body)).body).toMatchObject({
    status: 'reversed',
    amount: 20,
    reversalReason: 'merchant',
  });
  expect(balance()).toEqual({ available: 1000, held: 0 });
  expect(newEvents()).toEqual(['card.transaction reversed']);
});

test('a reversal of more than is authorized is refused, and nothing changes', async () => {
  const { id, change, read, newEvents } = await startWith('card_large', 20);
  expect(await change('reverse', { amount: 20.01 })).toEqual({
    status: 400,
    body: {
      success: false,
      error: `body.amount: transaction ${id} is authorized for 20; no more can be reversed`,
    },
  });
  expect(read()).toMatchObject({ status: 'authorized', amount: 20 });
  expect(newEvents()).toEqual([]);
});

test('a forced settlement takes more than was authorized, whatever the limits', async () => {
  const { change, balance, spent } = await startWith('card_small', 40);
  expect((await change('settle', { amount: 46.5, force: true })).body).toMatchObject({
    status: 'settled',
    amount: 40,
    settledAmount: 46.5,
  });
  expect(balance()).toEqual({ available: 953.5, held: 0 });
  expect(spent('card_small').sales).toMatchObject({ daily: 46.5, monthly: 46.5, allTime: 46.5 });
});

test('a forced settlement can make the balance negative, which a top-up balances and a state keeps', async () => {
  const { change, pay, balance, control, newEvents } = await startWith('card_large', 1000);
  await change('settle', { amount: 1200, force: true });
  expect(balance()).toEqual({ available: -200, held: 0 });
  expect(newEvents()).toEqual(['card.transaction settled']);
  expect((await pay('card_large', 0.01)).body.declineReason).toBe('insufficient_funds');
  expect((await control('PUT', '/state', (await control('GET', '/state')).body)).status).toBe(204);
  await control('POST', '/balance/top-up', { amount: 250 });
  expect(balance()).toEqual({ available: 50, held: 0 });
});

test('a forced settlement that takes the balance below the threshold raises balance.alert', async () => {
  const { change, newEvents } = await startWith('card_large', 600);
  await change('settle', { amount: 750, force: true });
  expect(newEvents()).toEqual(['card.transaction settled', 'balance.alert 250']);
});

test('a forced settlement that would take the balance below its smallest amount is refused', async () => {
  const { change, pay, control, balance } = await startWith('card_large', 10);
  const { id } = (await pay('card_large', 10)).body;
  expect((await change('settle', { amount: 1e12, force: true })).status).toBe(200);
  const before = balance();
  expect(before).toEqual({ available: 990 - 1e12, held: 10 });
  const refused = await control('POST', `/transactions/${id}/settle`, { amount: 1000.01, force: true });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^body\.amount: a balance is at least -1000000000000; .* by 990$/) },
  });
  expect(balance()).toEqual(before);
  const settled = await control('POST', `/transactions/${id}/settle`, { amount: 1000, force: true });
  expect(settled.status).toBe(200);
  expect(balance()).toEqual({ available: -1e12, held: 0 });
});

test.each([
  ['grocery', '5411'],
  ['fuel', '5542'],
  ['restaurant', '5812'],
  ['hotel', '7011'],
  ['atm', '6011'],
  ['transit', '4111'],
  ['online', '5964'],
  ['subscription', '5968'],
  ['airline', '4511'],
  ['casino', '7995'],
])('the merchant preset %s is a merchant with category %s', async (preset, mcc) => {
  const { pay, control } = startCardNetwork();
  const { merchant } = (await pay('card_large', 1, { merchant: preset })).body;
  expect(merchant).toEqual({
    name: expect.stringMatching(/\w/),
    mcc,
    city: expect.stringMatching(/\w/),
    country: expect.stringMatching(/^[A-Z]{2}$/),
  });
  const challenge = await control('POST', '/cards/card_large/3ds', { merchant: preset });
  expect(challenge.body.merchant).toEqual(merchant);
});
