// A sandbox in the process of the test: the card is issued before the provider has decided about the KYC.
import { sandboxTest } from 'card-sandbox/vitest';
import { expect } from 'vitest';

const test = sandboxTest();

test('a new cardholder gets a card', async ({ sandbox, partner }) => {
  const send = (path, body) =>
    sandbox.fetch(`/v1/partner${path}`, {
      method: 'POST',
      headers: { 'x-service-api-key': partner.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const person = {
    externalUserId: 'user-1',
    email: 'mia@example.com',
    phoneNumber: '+4915112345678',
    kycSource: 'idp1',
    idp1ShareToken: 'idp1_test_approve_mia',
  };
  const { id } = await (await send('/cardholders', person)).json();
  await send(`/cardholders/${id}/kyc`, { cardProgramId: partner.programId });
  const response = await send('/cards', { cardholderId: id, cardProgramId: partner.programId });
  expect(response.status).toBe(201);
});
