import { expect, test } from 'vitest';
import { createApprovedCardholder, createCardholder } from '../../support/cardholders.ts';
import { POPULATED } from '../../support/fixtures/populated.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/usage/records';
const FEES = { cardProgramId: 'prog_fees' };
const read = async ({ api }: TestSandbox, query = '') => (await api('GET', `${PATH}${query}`)).body;

/** Submits KYC at START and issues a card a day later, both in the program with fees. */
async function billTwice(sandbox: TestSandbox) {
  const cardholderId = await createCardholder(sandbox);
  await sandbox.api('POST', `/partner/cardholders/${cardholderId}/kyc`, FEES);
  await sandbox.control('POST', '/clock/advance', { duration: '1d' });
  const { body } = await sandbox.api('POST', '/partner/cards', { cardholderId, ...FEES });
  return { cardholderId, cardId: body.id };
}

test('records have fee, reference and billing period, newest first', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const { cardholderId, cardId } = await billTwice(sandbox);
  const { status, body } = await sandbox.api('GET', PATH);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^use_\w+$/),
        type: 'card_issuance',
        amount: 2.5,
        referenceId: cardId,
        billingPeriod: '2026-03',
        createdAt: '2026-03-16T10:00:00.000Z',
      },
      {
        id: expect.stringMatching(/^use_\w+$/),
        type: 'kyc_verification',
        amount: 1.25,
        referenceId: cardholderId,
        billingPeriod: '2026-03',
        createdAt: START,
      },
    ],
    total: 2,
    page: 1,
    limit: 20,
  });
});

test('a program without fees is recorded with an amount of 0', async () => {
  const sandbox = await startSandbox();
  await createApprovedCardholder(sandbox);
  expect((await read(sandbox)).data).toMatchObject([{ type: 'kyc_verification', amount: 0 }]);
});

const KYC = 'kyc_verification';
const CARD = 'card_issuance';

test.each([
  ['from=2026-03-15T10:00:00.000Z', [CARD, KYC]],
  ['from=2026-03-15T10:00:00.001Z', [CARD]],
  ['to=2026-03-16T10:00:00.000Z', [CARD, KYC]],
  ['to=2026-03-16T09:59:59.999Z', [KYC]],
  ['from=2026-03-15T10:00:00Z&to=2026-03-15T10:00:00Z', [KYC]],
  ['from=2026-03-17T00:00:00Z&to=2026-03-15T00:00:00Z', []],
  ['from=2026-03-15T12:00:00%2B02:00&to=2026-03-15T12:00:00%2B02:00', [KYC]],
  ['from=2026-03-16', [CARD]],
  ['to=2026-03-16', [KYC]],
  ['from=2026-03-15T10:00:00', [CARD, KYC]],
  ['billingPeriod=2026-03', [CARD, KYC]],
  ['billingPeriod=2026-04', []],
  ['type=kyc_verification', [KYC]],
  ['type=card_issuance', [CARD]],
  ['type=transaction_processing', []],
  ['type=card_issuance&to=2026-03-15T23:00:00Z', []],
  ['type=card_issuance&billingPeriod=2026-03&from=2026-03-16', [CARD]],
])('the filter %s finds %j', async (query, found) => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  await billTwice(sandbox);
  const { data, total } = await read(sandbox, `?${query}`);
  expect(data.map(({ type }: Record<string, string>) => type)).toEqual(found);
  expect(total).toBe(found.length);
});

test('the billing period is the month of the record in UTC, to the millisecond', async () => {
  const sandbox = await startSandbox({ clock: '2026-03-31T23:59:59.999Z' });
  const [first, second] = [await createCardholder(sandbox), await createCardholder(sandbox)];
  const submit = (id: string) =>
    sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  await submit(first);
  await sandbox.control('POST', '/clock/advance', { duration: '1ms' });
  await submit(second);
  const inMonth = async (month: string) => (await read(sandbox, `?billingPeriod=${month}`)).data;
  expect(await inMonth('2026-03')).toMatchObject([{ referenceId: first, billingPeriod: '2026-03' }]);
  expect(await inMonth('2026-04')).toMatchObject([{ referenceId: second, billingPeriod: '2026-04' }]);
});

test('a status change of a card is not billed', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const { cardId } = await billTwice(sandbox);
  await sandbox.api('POST', `/partner/cards/${cardId}/activate`);
  expect((await read(sandbox)).total).toBe(2);
});
