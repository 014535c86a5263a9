import { expect, test } from 'vitest';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';
import { startInProcess } from '../../support/in-process.ts';

test('a cardholder with approved KYC is added in one call, with the events of the requests it replaces', async () => {
  const { control, api, newEvents } = startCardNetwork();
  const { status, body } = await control('POST', '/cardholders', { identity: { firstName: 'Ida' } });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { firstName: 'Ida', kycStatus: 'approved', status: 'active', partnerId: 'partner_acme' },
  });
  expect(newEvents()).toEqual([
    'cardholder.created active',
    'cardholder.kyc.updated active',
    'cardholder.approved active',
  ]);
  expect(api('GET', `/partner/cardholders/${body.id}`).body).toMatchObject({ kycStatus: 'approved' });
  const fees = api('GET', '/partner/usage/records?type=kyc_verification').body.data;
  expect(fees[0]).toMatchObject({ referenceId: body.id });
  expect((await control('POST', '/clock/advance', { duration: '1h' })).body.pendingTimers).toBe(0);
  expect(newEvents()).toEqual([]);
});

test('an unknown partner or card program is refused, and nothing changes', async () => {
  const { control } = startCardNetwork();
  const before = (await control('GET', '/state')).body;
  for (const body of [{ partnerId: 'partner_nobody' }, { cardProgramId: 'prog_nobody' }]) {
    expect((await control('POST', '/cardholders', body)).status).toBe(404);
  }
  expect((await control('GET', '/state')).body).toEqual(before);
});

test('a partner without a card program gets no cardholder with approved KYC', async () => {
  const bare = new BuiltFixture('bare', { partners: [{ id: 'partner_bare', apiKey: 'sk_test_bare' }] });
  const { control } = startInProcess({ fixtures: [bare] });
  expect(await control('POST', '/cardholders', {})).toMatchObject({
    status: 400,
    body: {
      error: 'body.cardProgramId: partner partner_bare has no card program; add one to its fixture',
    },
  });
});
