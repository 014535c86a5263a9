import { expect, test } from 'vitest';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

/** The numbers of an amount in a response, by their names. */
const AMOUNTS = [
  ...['amount', 'settledAmount', 'limit', 'spent', 'perTransaction', 'daily', 'monthly', 'allTime'],
  ...['available', 'held', 'lowThreshold', 'alertThreshold'],
  ...['card_issuance', 'transaction_processing', 'kyc_verification'],
];

/** Returns a JSON value with its amounts in hundredths. */
function inHundredths(value: Json, isPage = false): Json {
  if (Array.isArray(value)) return value.map(each => inHundredths(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, Json]) => {
      const isAmount = typeof member === 'number' && AMOUNTS.includes(name) && !isPage;
      return [name, isAmount ? Math.round(member * 100) : inHundredths(member)];
    }),
  );
}

test('with amount-unit minor every amount of the API is a whole number of hundredths', async () => {
  const major = await startSandbox({ fixtures: ['starter'] });
  const minor = await startSandbox({ fixtures: ['starter'], assume: { 'amount-unit': 'minor' } });
  for (const path of ['cards', 'card-programs', 'transactions', 'usage/records']) {
    const expected = (await major.api('GET', `/partner/${path}?limit=100`)).body;
    expect((await minor.api('GET', `/partner/${path}?limit=100`)).body).toEqual(inHundredths(expected, true));
  }
  for (const path of ['cards/card_mia_active', 'balance', 'transactions/txn_mia_hotel']) {
    const expected = (await major.api('GET', `/partner/${path}`)).body;
    expect((await minor.api('GET', `/partner/${path}`)).body).toEqual(inHundredths(expected));
  }
  const { body } = await minor.api('GET', '/partner/transactions/txn_mia_hotel');
  expect(body).toMatchObject({ amount: 18_000, settledAmount: 16_250 });
});

test('with amount-unit minor a body has whole hundredths, and anything else is invalid', async () => {
  const { api, control } = await startSandbox({
    fixtures: ['starter'],
    assume: { 'amount-unit': 'minor' },
  });
  const issue = (limit: unknown) =>
    api('POST', '/partner/cards', { cardholderId: 'ch_wendy_web', cardProgramId: 'prog_everyday', limit });
  const issued = await issue(150_050);
  expect(issued).toMatchObject({ status: 201, body: { limit: 150_050 } });
  const shown = await control('GET', `/cards?limit=1`);
  expect(shown.body[0]).toMatchObject({ id: issued.body.id, limit: 1500.5 });
  for (const limit of [150.5, '150', -1, 1e14 + 1]) {
    expect((await issue(limit)).status).toBe(400);
  }
  expect((await issue(0.5)).body.error).toBe(
    'body.limit: must be a whole number of hundredths from 0 to 100000000000000',
  );
});

test.each(['major', 'minor'] as const)('webhooks have their amounts in %s units', async unit => {
  const receiver = fakeReceiver();
  const sandbox = await startSandbox(
    { fixtures: ['starter'], assume: { 'amount-unit': unit } },
    { transport: receiver.transport },
  );
  await subscribe(sandbox, ['card.transaction', 'card.3ds_otp', 'balance.top_up']);
  const { control } = sandbox;
  const paid = await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 12.34 });
  expect(paid.body.amount).toBe(12.34);
  await control('POST', '/cards/card_mia_active/3ds', { amount: 0.07 });
  await control('POST', '/clock/advance', { duration: '0s' });
  const amounts = receiver.seen.map(({ event }) => event.data.amount);
  expect(amounts).toEqual(unit === 'major' ? [12.34, 0.07] : [1234, 7]);
});
