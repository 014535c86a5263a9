import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';
import { startInProcess } from '../../support/in-process.ts';

const MIA = { cardholderId: 'ch_mia' };

test('a card is issued and activated in one call, with the events of both', async () => {
  const { control, api, newEvents } = startCardNetwork();
  const { status, body } = await control('POST', '/cards/issue', {
    ...MIA,
    nameOnCard: 'M KELLER',
    limit: 12.5,
  });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      status: 'active',
      nameOnCard: 'M KELLER',
      limit: 12.5,
      programId: 'prog_everyday',
      cardholderId: 'ch_mia',
      partnerId: 'partner_acme',
      currency: 'USD',
    },
  });
  expect(newEvents()).toEqual(['card.issued created', 'card.status.changed active']);
  expect(api('GET', `/partner/cards/${body.id}`).body.status).toBe('active');
  expect(api('GET', '/partner/usage/records?type=card_issuance').body.data[0]).toMatchObject({
    referenceId: body.id,
  });
});

test('a card stays in status created with activate: false', async () => {
  const { control, newEvents } = startCardNetwork();
  const { body } = await control('POST', '/cards/issue', { ...MIA, activate: false });
  expect(body.status).toBe('created');
  expect(newEvents()).toEqual(['card.issued created']);
});

test('a card that the API would refuse is refused, and nothing changes', async () => {
  const { control } = startInProcess({ fixtures: ['starter'] });
  const before = (await control('GET', '/state')).body;
  const issue = async (body: object) => {
    const response = await control('POST', '/cards/issue', body);
    return `${response.status} ${response.body.error}`;
  };
  expect(await issue({ cardholderId: 'ch_liam_pending' })).toMatch(/^400 .*needs an approved cardholder/);
  expect(await issue({ cardholderId: 'ch_nobody' })).toMatch(/^404 no cardholder/);
  expect(await issue({ cardholderId: 'ch_mia_approved', cardProgramId: 'prog_globex' })).toMatch(
    /^404 no card program/,
  );
  expect(await issue({ cardholderId: 'ch_gus_globex', partnerId: 'partner_acme' })).toMatch(
    /^404 no cardholder/,
  );
  expect(await issue({ cardholderId: 'ch_mia_approved', limit: 0.005 })).toMatch(/^400 body.limit: /);
  expect((await control('GET', '/state')).body).toEqual(before);
});

test('limits are changed one by one, and hold for the next authorization', async () => {
  const { control, pay, newEvents } = startCardNetwork();
  const { body: card } = await control('POST', '/cards/issue', MIA);
  newEvents();
  const { status, body } = await control('PATCH', `/cards/${card.id}/limits`, {
    limit: 80,
    spendControl: { sales: { perTransaction: 20 } },
  });
  expect(status).toBe(200);
  const { sales, cash } = card.spendControl;
  expect(body).toEqual({
    ...card,
    limit: 80,
    spendControl: { ...card.spendControl, sales: { ...sales, perTransaction: 20 }, cash },
  });
  expect(newEvents()).toEqual([]);
  expect((await pay(card.id, 20.01)).body).toMatchObject({ declineReason: 'spend_limit_exceeded' });
  expect((await pay(card.id, 20)).body).toMatchObject({ status: 'authorized' });
});

test('limits of an unknown or a cancelled card are refused', async () => {
  const { control, api } = startCardNetwork();
  const { body: card } = await control('POST', '/cards/issue', MIA);
  api('POST', `/partner/cards/${card.id}/cancel`);
  const { status, body } = await control('PATCH', `/cards/${card.id}/limits`, { limit: 5 });
  expect({ status, error: body.error }).toEqual({
    status: 400,
    error: `card ${card.id} is cancelled; its limits can no longer be changed`,
  });
  expect((await control('PATCH', '/cards/card_nobody/limits', { limit: 5 })).status).toBe(404);
});
