import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { POPULATED } from '../../support/fixtures/populated.ts';
import { lastRequest } from '../../support/journal.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cards';
const NOTHING = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };

test('a card gets type, brand and limits from its program, and the name of its cardholder', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const identity = { firstName: 'Mia', lastName: 'Wong' };
  const { token } = (await sandbox.control('POST', '/share-tokens', { identity })).body;
  const cardholderId = await createApprovedCardholder(sandbox, { idp1ShareToken: token });
  const reply = await sandbox.api('POST', PATH, { cardholderId, cardProgramId: 'prog_fees' });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^card_\w+$/),
    type: 'physical',
    brand: 'mastercard',
    status: 'created',
    nameOnCard: 'Mia Wong',
    limit: 500.5,
    last4: expect.stringMatching(/^\d{4}$/),
    programId: 'prog_fees',
    createdAt: START,
    spendControl: {
      sales: { perTransaction: 10, daily: 20, monthly: 30, allTime: 40.01 },
      cash: { perTransaction: 1, daily: 2, monthly: 3, allTime: 4 },
      spent: { sales: NOTHING, cash: NOTHING },
    },
  });
  expect(await lastRequest(sandbox)).toEqual({
    events: [`card.issued ${reply.body.id}`],
    changes: ['created vault entry', 'created card', 'updated cardholder', 'created usage record'],
    hints: [],
  });
});

test('limits in the body override those of the program, window by window, including 0', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const cardholderId = await createApprovedCardholder(sandbox);
  const { status, body } = await sandbox.api('POST', PATH, {
    cardholderId,
    cardProgramId: 'prog_fees',
    type: 'virtual',
    nameOnCard: 'M WONG',
    limit: 0,
    spendControl: { sales: { daily: 12.34, allTime: 0 } },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    type: 'virtual',
    brand: 'mastercard',
    nameOnCard: 'M WONG',
    limit: 0,
    spendControl: {
      sales: { perTransaction: 10, daily: 12.34, monthly: 30, allTime: 0 },
      cash: { perTransaction: 1, daily: 2, monthly: 3, allTime: 4 },
    },
  });
});

test('amounts keep their two decimals exactly, up to the largest', async () => {
  const sandbox = await startSandbox();
  const cardholderId = await createApprovedCardholder(sandbox);
  for (const limit of [0.01, 0.1, 0.29, 1.1, 4.35, 1.15, 1_000_000_000_000, 999_999_999_999.99]) {
    const body = {
      cardholderId,
      cardProgramId: CARD_PROGRAM,
      limit,
      spendControl: { cash: { daily: limit } },
    };
    const reply = await sandbox.api('POST', PATH, body);
    expect(reply).toMatchObject({ status: 201, body: { limit, spendControl: { cash: { daily: limit } } } });
    expect((await sandbox.api('GET', `${PATH}/${reply.body.id}`)).body).toEqual(reply.body);
  }
});

test('an unknown member of a spend control is ignored and hinted at', async () => {
  const sandbox = await startSandbox();
  const cardholderId = await createApprovedCardholder(sandbox);
  const spendControl = { sales: { dayly: 5 } };
  const reply = await sandbox.api('POST', PATH, { cardholderId, cardProgramId: CARD_PROGRAM, spendControl });
  expect(reply.status).toBe(201);
  const { hints } = await lastRequest(sandbox);
  expect(hints).toEqual(['body.spendControl.sales.dayly is unknown and was ignored, did you mean "daily"?']);
});

test('a card needs an active cardholder with approved KYC', async () => {
  const sandbox = await startSandbox();
  const rejected = await createSubmittedCardholder(sandbox);
  await sandbox.control('POST', `/cardholders/${rejected}/kyc/reject`);
  const [suspended, closed] = [
    await createApprovedCardholder(sandbox),
    await createApprovedCardholder(sandbox),
  ];
  await sandbox.control('POST', `/cardholders/${suspended}/status`, { status: 'suspended' });
  await sandbox.control('POST', `/cardholders/${closed}/status`, { status: 'closed' });
  for (const [cardholderId, state] of [
    [await createCardholder(sandbox), 'KYC status pending'],
    [await createSubmittedCardholder(sandbox), 'KYC status pending'],
    [rejected, 'KYC status rejected'],
    [suspended, 'suspended'],
    [closed, 'closed'],
  ]) {
    const before = await sandbox.control('GET', `/cardholders/${cardholderId}`);
    const reply = await sandbox.api('POST', PATH, { cardholderId, cardProgramId: CARD_PROGRAM });
    expect(reply.status).toBe(400);
    expect(reply.body.error).toContain(state);
    expect(await lastRequest(sandbox)).toMatchObject({ events: [], changes: [] });
    expect((await sandbox.control('GET', `/cardholders/${cardholderId}`)).body).toEqual(before.body);
  }
});

test('no response and no journal entry contains a card number', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const cardholderId = await createApprovedCardholder(sandbox);
  const texts: unknown[] = [];
  for (const cardProgramId of [CARD_PROGRAM, 'prog_fees']) {
    const { body } = await sandbox.api('POST', PATH, { cardholderId, cardProgramId });
    texts.push(body, (await sandbox.api('POST', `${PATH}/${body.id}/activate`)).body);
    texts.push((await sandbox.api('GET', `${PATH}/${body.id}`)).body);
  }
  texts.push((await sandbox.api('GET', PATH)).body, (await sandbox.control('GET', '/requests')).body);
  texts.push((await sandbox.control('GET', `/cardholders/${cardholderId}`)).body);
  expect(JSON.stringify(texts)).not.toMatch(/(?<![\d.])(?:424242|555555)\d{10}(?!\d)/);
});
