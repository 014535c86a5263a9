import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';
import { startInProcess } from '../../support/in-process.ts';
import { START } from '../../support/sandbox.ts';

test('the balance shows available and held amounts, and the thresholds of the settings', () => {
  const { api, globex } = startCardNetwork();
  expect(api('GET', '/partner/balance')).toEqual({
    status: 200,
    body: {
      available: 1000,
      held: 0,
      currency: 'USD',
      lowThreshold: 100,
      alertThreshold: 300,
      updatedAt: START,
    },
  });
  expect(globex('GET', '/partner/balance').body).toMatchObject({ available: 500, lowThreshold: 0 });
});

test('the default balance is 10,000 in the currency of the first program', () => {
  const { api, globex } = startInProcess();
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 10000, held: 0, currency: 'USD' });
  expect(globex('GET', '/partner/balance').body).toMatchObject({ available: 10000 });
});

test('a top-up increases the available balance of a partner, by default the first', async () => {
  const { api, globex, control, events, advance } = startCardNetwork();
  await advance('1h');
  const { status, body } = await control('POST', '/balance/top-up', { amount: 0.01 });
  expect(status).toBe(200);
  expect(body).toEqual(api('GET', '/partner/balance').body);
  expect(body).toMatchObject({ available: 1000.01, updatedAt: '2026-03-15T11:00:00.000Z' });
  expect(events).toMatchObject([{ type: 'balance.top_up', partnerId: 'partner_acme', data: body }]);
  await control('POST', '/balance/top-up', { amount: 7, partnerId: 'partner_globex' });
  expect(globex('GET', '/partner/balance').body.available).toBe(507);
  expect(api('GET', '/partner/balance').body.available).toBe(1000.01);
  expect(await control('POST', '/balance/top-up', { amount: 7, partnerId: 'partner_x' })).toMatchObject({
    status: 404,
    body: { error: 'no partner with id "partner_x"' },
  });
});

test('a balance cannot exceed the largest amount, including what is held', async () => {
  const { control, pay, api, newEvents } = startCardNetwork();
  await pay('card_large', 10);
  newEvents();
  expect(await control('POST', '/balance/top-up', { amount: 1e12 - 999.99 })).toMatchObject({
    status: 400,
    body: { error: 'body.amount: a balance is at most 1000000000000; it can take another 999999999000' },
  });
  expect(newEvents()).toEqual([]);
  expect((await control('POST', '/balance/top-up', { amount: 1e12 - 1000 })).status).toBe(200);
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 999999999990, held: 10 });
});

test('a fall of available below the threshold emits one immediate alert per crossing', async () => {
  const { pay, control, newEvents, events } = startCardNetwork();
  await pay('card_large', 700);
  expect(newEvents()).toEqual(['card.transaction authorized']);
  const { id } = (await pay('card_large', 0.01)).body;
  expect(newEvents()).toEqual(['card.transaction authorized', 'balance.alert 299.99']);
  expect(events.at(-1)).toMatchObject({ data: { held: 700.01, alertThreshold: 300 } });
  await pay('card_large', 100);
  expect(newEvents()).toEqual(['card.transaction authorized']);
  await control('POST', `/transactions/${id}/reverse`);
  await control('POST', '/balance/top-up', { amount: 200 });
  expect(newEvents()).toEqual(['card.transaction reversed', 'balance.top_up 400']);
  await pay('card_large', 150);
  expect(newEvents()).toEqual(['card.transaction authorized', 'balance.alert 250']);
});

test('declines and changes of the threshold emit no alert', async () => {
  const { pay, control, newEvents } = startCardNetwork();
  await pay('card_large', 1000.01);
  await control('PATCH', '/partners/partner_acme/settings', { alertThreshold: 2000 });
  await control('PATCH', '/partners/partner_acme/settings', { alertThreshold: 0 });
  expect(newEvents()).toEqual(['card.transaction declined']);
});

const pendingTimers = async ({ control }: ReturnType<typeof startCardNetwork>) =>
  (await control('GET', '/clock')).body.pendingTimers;

test('the daily check reports a low balance at each midnight UTC until it is no longer low', async () => {
  const { pay, advance, control, newEvents, events } = startCardNetwork();
  await pay('card_large', 900);
  await advance('14h');
  expect(newEvents()).toEqual(['card.transaction authorized', 'balance.alert 100']);
  await pay('card_large', 0.01);
  newEvents();
  await advance('23h');
  expect(newEvents()).toEqual([]);
  await advance('1h');
  expect(newEvents()).toEqual(['balance.low 99.99']);
  expect(events.at(-1)).toMatchObject({ createdAt: '2026-03-17T00:00:00.000Z', resourceId: 'partner_acme' });
  await advance('48h');
  expect(newEvents()).toEqual(['balance.low 99.99', 'balance.low 99.99']);
  await control('POST', '/balance/top-up', { amount: 0.01 });
  await advance('48h');
  expect(newEvents()).toEqual(['balance.top_up 100']);
});

test('the check runs at the next midnight after the clock was set back', async () => {
  const { advance, control, newEvents } = startCardNetwork();
  await control('PATCH', '/partners/partner_acme/settings', { lowThreshold: 1001 });
  await control('POST', '/clock/freeze', { at: '2026-01-10T10:00:00Z' });
  await advance('14h');
  expect(newEvents()).toEqual(['balance.low 1000']);
  await advance('24h');
  expect(newEvents()).toEqual(['balance.low 1000']);
});

test('the check uses the threshold at the time of the check', async () => {
  const { advance, control, newEvents } = startCardNetwork();
  const set = (lowThreshold: number) => control('PATCH', '/partners/partner_acme/settings', { lowThreshold });
  await set(1000.01);
  await advance('14h');
  expect(newEvents()).toEqual(['balance.low 1000']);
  await set(1000);
  await advance('1d');
  expect(newEvents()).toEqual([]);
});

test('each partner with a low balance at the start is checked', async () => {
  const { control, advance, newEvents, events } = startCardNetwork();
  await control('PATCH', '/partners/partner_globex/settings', { lowThreshold: 501 });
  await control('PATCH', '/partners/partner_acme/settings', { lowThreshold: 1001 });
  await advance('1d');
  expect(newEvents()).toEqual(['balance.low 1000', 'balance.low 500']);
  expect(events.map(({ partnerId }) => partnerId)).toEqual(['partner_acme', 'partner_globex']);
});

test('the check is a pending timer only while a balance is low', async () => {
  const network = startCardNetwork({ assume: { 'authorization-ttl': 'never' } });
  const { pay, control, advance } = network;
  expect(await pendingTimers(network)).toBe(0);
  const { id } = (await pay('card_large', 950)).body;
  expect(await pendingTimers(network)).toBe(1);
  await advance('3d');
  expect(await pendingTimers(network)).toBe(1);
  await control('POST', `/transactions/${id}/reverse`);
  expect(await pendingTimers(network)).toBe(0);
  await pay('card_large', 950);
  await control('POST', '/reset');
  expect(await pendingTimers(network)).toBe(0);
});

test('ten years with a low balance run one check per day', async () => {
  const { pay, advance, events, control } = startCardNetwork({ assume: { 'authorization-ttl': 'never' } });
  await pay('card_large', 950);
  await advance('3650d');
  expect((await control('GET', '/clock')).body.now).toMatch(/^2036-/);
  expect(events.filter(({ type }) => type === 'balance.low')).toHaveLength(3650);
});
