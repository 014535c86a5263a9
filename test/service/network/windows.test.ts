import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';

const windows = (daily: number, monthly: number, allTime: number) => ({
  perTransaction: 0,
  daily,
  monthly,
  allTime,
});

test('days and months end at midnight UTC of the sandbox clock', async () => {
  const { pay, advance, spent } = startCardNetwork({ clock: '2026-03-30T23:59:59.999Z' });
  await pay('card_large', 10);
  expect(spent('card_large').sales).toEqual(windows(10, 10, 10));
  await advance('1ms');
  expect(spent('card_large').sales).toEqual(windows(0, 10, 10));
  await pay('card_large', 1);
  expect(spent('card_large').sales).toEqual(windows(1, 11, 11));
  await advance('1d');
  expect(spent('card_large').sales).toEqual(windows(0, 0, 11));
});

test("yesterday's spending does not count today", async () => {
  const { pay, advance } = startCardNetwork({ clock: '2026-03-15T23:00:00Z' });
  await pay('card_small', 40);
  await pay('card_small', 20);
  expect((await pay('card_small', 1)).body.declineDetail).toMatchObject({ window: 'daily' });
  await advance('1h');
  expect((await pay('card_small', 1)).body.status).toBe('authorized');
});

test('a late settlement or reversal corrects the windows of the authorization, not those of today', async () => {
  const { pay, advance, control, spent } = startCardNetwork({ clock: '2026-03-31T12:00:00Z' });
  const partly = (await pay('card_large', 50)).body.id;
  const reversed = (await pay('card_large', 7)).body.id;
  await advance('1d');
  await pay('card_large', 5);
  await control('POST', `/transactions/${partly}/settle`, { amount: 20.5 });
  await control('POST', `/transactions/${reversed}/reverse`);
  expect(spent('card_large').sales).toEqual(windows(5, 5, 25.5));
  await control('POST', '/clock/freeze', { at: '2026-03-31T13:00:00Z' });
  expect(spent('card_large').sales).toEqual(windows(20.5, 20.5, 25.5));
});

test('every response with the card shows the same spending', async () => {
  const { pay, api, events, advance } = startCardNetwork();
  await pay('card_large', 10, { type: 'cash' });
  const cash = windows(10, 10, 10);
  const listed = api('GET', '/partner/cards').body.data;
  expect(listed.find(({ id }: { id: string }) => id === 'card_large').spendControl.spent.cash).toEqual(cash);
  expect(api('POST', '/partner/cards/card_large/freeze').body.spendControl.spent.cash).toEqual(cash);
  expect(events.at(-1)?.data).toMatchObject({ spendControl: { spent: { cash } } });
  await advance('1d');
  const later = api('POST', '/partner/cards/card_large/unfreeze').body.spendControl.spent.cash;
  expect(later).toEqual(windows(0, 10, 10));
});

test('a hundred times 0.1 is 10, and three times 0.29 is 0.87', async () => {
  const { pay, spent, api } = startCardNetwork();
  for (let count = 0; count < 100; count++) await pay('card_large', 0.1);
  for (let count = 0; count < 3; count++) await pay('card_large', 0.29, { type: 'cash' });
  expect(spent('card_large')).toMatchObject({ sales: { daily: 10 }, cash: { daily: 0.87 } });
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 989.13, held: 10.87 });
});
