import { expect, test } from 'vitest';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const PERSON = { externalUserId: 'user_1', email: 'mia@example.com' };

test('a corrected KYC is re-imported with a fresh share token until the identity has left the service', async () => {
  const { api, control } = await startSandbox();
  const first = await control('POST', '/share-tokens', { identity: { firstName: 'Mya', lastName: 'Wong' } });
  const created = await api(
    'POST',
    '/partner/cardholders',
    newCardholder({ ...PERSON, idp1ShareToken: first.body.token }),
  );
  expect(created).toMatchObject({
    status: 201,
    body: { firstName: 'Mya', lastName: 'Wong', kycStatus: 'pending' },
  });

  const fresh = await control('POST', '/share-tokens', { identity: { firstName: 'Mia', lastName: 'Wong' } });
  const corrected = newCardholder({ ...PERSON, idp1ShareToken: fresh.body.token });
  const reimported = await api('POST', '/partner/cardholders', corrected);
  expect(reimported).toMatchObject({ status: 200, body: { ...created.body, firstName: 'Mia' } });

  const spare = await control('POST', '/share-tokens', {});
  const { id } = created.body;
  await api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  const afterKyc = await api('POST', '/partner/cardholders', {
    ...corrected,
    idp1ShareToken: spare.body.token,
  });
  expect(afterKyc).toMatchObject({
    status: 409,
    body: {
      success: false,
      error: { code: 'CARDHOLDER_KYC_LOCKED', cardholderId: id, reason: 'provider_submitted' },
    },
  });

  await control('POST', '/clock/advance', { duration: '2s' });
  const card = await api('POST', '/partner/cards', { cardholderId: id, cardProgramId: 'prog_everyday' });
  expect(card.status).toBe(201);
  const afterCard = await api('POST', '/partner/cardholders', {
    ...corrected,
    idp1ShareToken: spare.body.token,
  });
  expect(afterCard).toMatchObject({ status: 409, body: { error: { reason: 'card_issued' } } });

  const other = await api(
    'POST',
    '/partner/cardholders',
    newCardholder({ idp1ShareToken: spare.body.token }),
  );
  expect(other.status).toBe(201);
});
