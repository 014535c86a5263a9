import { expect, test } from 'vitest';
import { CARD_PROGRAM } from '../../support/cardholders.ts';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const hintsOf = async (sandbox: TestSandbox): Promise<string[]> => (await lastRequest(sandbox)).hints;

test('an unknown field is ignored, and the journal names it and the nearest known one', async () => {
  const sandbox = await startSandbox();
  const body = newCardholder({ postalCod: '10115', favouriteColour: 'blue' });
  const { status, body: cardholder } = await sandbox.api('POST', '/partner/cardholders', body);
  expect(status).toBe(201);
  expect(cardholder).not.toHaveProperty('favouriteColour');
  expect(await hintsOf(sandbox)).toEqual([
    'body.postalCod is unknown and was ignored, did you mean "postalCode"?',
    'body.favouriteColour is unknown and was ignored',
  ]);
});

test('a field of another KYC source is a hint, and is not suggested as itself', async () => {
  const sandbox = await startSandbox();
  const { idp1ShareToken, ...body } = newCardholder({ kycSessionId: 'kycs_1' });
  await sandbox.api('POST', '/partner/cardholders', { ...body, idp1ShareTokn: idp1ShareToken });
  expect(await hintsOf(sandbox)).toEqual([
    'body.kycSessionId is unknown and was ignored',
    'body.idp1ShareTokn is unknown and was ignored, did you mean "idp1ShareToken"?',
  ]);
});

test('a request without unknown members has no hints', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', '/partner/cardholders', newCardholder({ postalCode: '10115' }));
  expect(await hintsOf(sandbox)).toEqual([]);
  await sandbox.api('GET', '/partner/cards?status=active&page=1');
  expect(await hintsOf(sandbox)).toEqual([]);
});

test('nested unknown members are named with their path and the nearest known name', async () => {
  const sandbox = await startSandbox();
  const spendControl = { sale: { daily: 1 }, sales: { dayly: 5, daily: 5 } };
  await sandbox.api('POST', '/partner/cards', {
    cardholderId: 'x',
    cardProgramId: CARD_PROGRAM,
    spendControl,
  });
  expect(await hintsOf(sandbox)).toEqual([
    'body.spendControl.sale is unknown and was ignored, did you mean "sales"?',
    'body.spendControl.sales.dayly is unknown and was ignored, did you mean "daily"?',
  ]);
});

test('at most 20 hints are kept, however deep the members are nested', async () => {
  const sandbox = await startSandbox();
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 1]));
  const spendControl = many(30);
  await sandbox.api('POST', '/partner/cards', { ...many(15), cardholderId: 'x', spendControl });
  const hints = await hintsOf(sandbox);
  expect(hints).toHaveLength(20);
  expect(hints[19]).toMatch(/^body\.spendControl\.x4 /);
});

test('an unknown query parameter is ignored and named, even if it is repeated', async () => {
  const sandbox = await startSandbox();
  const { status } = await sandbox.api('GET', '/partner/cards?statsu=active&verbose&verbose=1');
  expect(status).toBe(200);
  expect(await hintsOf(sandbox)).toEqual([
    'query.statsu is unknown and was ignored, did you mean "status"?',
    'query.verbose is unknown and was ignored',
  ]);
});

test('the body of an operation without one is ignored and named', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', '/partner/cards/card_nothing/freeze', {
    reason: 'lost',
    because: { of: 'that' },
  });
  expect(await hintsOf(sandbox)).toEqual([
    'body.reason is unknown and was ignored',
    'body.because is unknown and was ignored',
  ]);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a field called %s is as unknown as any other',
  async name => {
    const sandbox = await startSandbox();
    const text = `{"${name}":{"admin":true},${JSON.stringify(newCardholder()).slice(1)}`;
    const { status, body } = await sandbox.api('POST', '/partner/cardholders', text);
    expect(status).toBe(201);
    expect(body.admin).toBeUndefined();
    expect(await hintsOf(sandbox)).toEqual([`body.${name} is unknown and was ignored`]);
    const { status: queried } = await sandbox.api('GET', `/partner/cards?${name}=1`);
    expect(queried).toBe(200);
    expect(await hintsOf(sandbox)).toEqual([`query.${name} is unknown and was ignored`]);
  },
);
