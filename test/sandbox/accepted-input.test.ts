import { expect, test } from 'vitest';
import { exampleValue } from '../../src/sandbox/accepted-input.ts';
import { startInProcess } from '../support/in-process.ts';
import { newCardholder } from '../support/sandbox.ts';

/** What would have been accepted instead of the last request. */
async function wouldPass({ control }: Pick<ReturnType<typeof startInProcess>, 'control'>) {
  const [{ id }] = (await control('GET', '/requests')).body;
  return (await control('GET', `/requests/${id}`)).body.wouldPass;
}

test('instead of a request beyond the rate limit, the same one is accepted later', async () => {
  const sandbox = startInProcess({ rateLimit: 1 });
  sandbox.api('GET', '/partner/cards');
  expect(sandbox.api('GET', '/partner/cards').status).toBe(429);
  expect(await wouldPass(sandbox)).toEqual([
    'the same request after Retry-After seconds, or after card-sandbox clock advance 60s',
  ]);
});

test('instead of a path or a body that cannot be read, one that can is accepted', async () => {
  const sandbox = startInProcess();
  expect(sandbox.api('GET', '/partner/cards/%ZZ').status).toBe(400);
  expect(await wouldPass(sandbox)).toEqual(['a path in valid percent-encoding, without control characters']);
  for (const [method, path] of [
    ['POST', '/partner/cards/card_x/freeze'],
    ['GET', '/partner/cards'],
  ] as const) {
    expect(sandbox.api(method, path, 'text').status).toBe(400);
    expect(await wouldPass(sandbox)).toEqual(['the same request without a body']);
  }
});

test('instead of a request that a fault refused with the body of a conflict, it is accepted without the fault', async () => {
  const sandbox = startInProcess();
  const body = { success: false, error: { code: 'EMAIL_ALREADY_REGISTERED', message: 'no' } };
  await sandbox.control('POST', '/faults', { status: 409, body });
  expect(sandbox.api('GET', '/partner/cards').status).toBe(409);
  expect(await wouldPass(sandbox)).toEqual([
    'the same request without the fault (card-sandbox faults clear)',
  ]);
});

test.each([
  ['allowed', 'an active cardholder whose KYC has not been submitted, or was rejected'],
  ['refused', 'an active cardholder whose KYC has not been submitted'],
] as const)(
  'instead of a second submission, that after a rejection is named where it is %s',
  async (setting, accepted) => {
    const sandbox = startInProcess({ assume: { 'kyc-after-rejection': setting } });
    const { id } = sandbox.api('POST', '/partner/cardholders', newCardholder()).body;
    const submit = () =>
      sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' }).status;
    expect([submit(), submit()]).toEqual([200, 400]);
    expect(await wouldPass(sandbox)).toEqual([accepted]);
  },
);

test('a request that passed has nothing that would have been accepted instead', async () => {
  const sandbox = startInProcess();
  expect(sandbox.api('GET', '/partner/cards').status).toBe(200);
  expect(await wouldPass(sandbox)).toEqual([]);
});

test('an example is the first of the valid values that is a choice, else the first choice or the default', () => {
  const member = {
    kind: 'text',
    isRequired: true,
    about: null,
    defaultValue: 1,
    path: ['card', 'type'],
  } as const;
  const example = (choices: readonly string[] | null, ...types: readonly string[]) =>
    exampleValue([undefined, ...types.map(type => ({ card: { type } }))], { ...member, choices });
  expect(example(['web', 'idp1'], 'idp1')).toBe('idp1');
  expect(example(['web', 'idp2'], 'idp1', 'idp2')).toBe('idp2');
  expect(example(['frozen', 'active'])).toBe('frozen');
  expect(example(null, 'idp1')).toBe('idp1');
  expect(example(null)).toBe(1);
});
