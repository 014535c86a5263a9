import { expect, test } from 'vitest';
import { POPULATED } from '../../support/fixtures/populated.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/card-programs';
const FEES = {
  id: 'prog_fees',
  name: 'Fees',
  type: 'physical',
  brand: 'mastercard',
  currency: 'EUR',
  status: 'active',
  fees: { card_issuance: 2.5, transaction_processing: 0.1, kyc_verification: 1.25 },
  createdAt: '2026-03-13T10:00:00.000Z',
};
const EVERYDAY = {
  id: 'prog_everyday',
  name: 'Everyday',
  type: 'virtual',
  brand: 'visa',
  currency: 'USD',
  status: 'active',
  fees: { card_issuance: 0, transaction_processing: 0, kyc_verification: 0 },
  createdAt: START,
};

test('programs are listed newest first, each with its type, brand, currency and fees', async () => {
  const { api } = await startSandbox({ fixtures: POPULATED });
  const { status, body } = await api('GET', PATH);
  expect(status).toBe(200);
  expect(body).toEqual({ data: [EVERYDAY, FEES], total: 2, page: 1, limit: 20 });
  const second = await api('GET', `${PATH}?limit=1&page=2`);
  expect(second.body).toEqual({ data: [FEES], total: 2, page: 2, limit: 1 });
});

test('a program is read by its id', async () => {
  const { api } = await startSandbox({ fixtures: POPULATED });
  const { status, body } = await api('GET', `${PATH}/prog_fees`);
  expect(status).toBe(200);
  expect(body).toEqual(FEES);
});
