import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';

const MERCHANT = { name: 'Tea House', mcc: '5499', city: 'Porto', country: 'PT' };

/** A challenge, its passcode, and a function that verifies one. */
async function challenged() {
  const network = startCardNetwork();
  const { body } = await network.control('POST', '/cards/card_small/3ds', {
    amount: 25.5,
    merchant: MERCHANT,
  });
  // The data of the event is as documented for card.3ds_otp.
  const { otp } = (network.events.at(-1)?.data ?? {}) as { otp: string };
  const wrong = otp === '000000' ? '000001' : '000000';
  const verify = async (given: unknown) =>
    network.control('POST', `/3ds/${body.challengeId}/verify`, { otp: given });
  return { ...network, challenge: body, otp, wrong, verify };
}

test('only the event of a challenge contains its passcode, no response does', async () => {
  const { challenge, otp, events } = await challenged();
  const shared = {
    challengeId: expect.stringMatching(/^tds_\w+$/),
    cardId: 'card_small',
    cardholderId: 'ch_mia',
    amount: 25.5,
    merchant: MERCHANT,
    expiresAt: '2026-03-15T10:01:00.000Z',
  };
  expect(challenge).toEqual({ ...shared, status: 'pending', attemptsLeft: 3 });
  expect(otp).toMatch(/^\d{6}$/);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ type: 'card.3ds_otp', partnerId: 'partner_acme' });
  expect(events[0]?.data).toEqual({ ...shared, otp });
});

test('a challenge needs no body: amount and merchant have defaults', async () => {
  const { control } = startCardNetwork();
  const { status, body } = await control('POST', '/cards/card_small/3ds');
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { amount: 10, merchant: { name: expect.any(String) } },
  });
});

test('the correct passcode approves until the last millisecond', async () => {
  const { verify, otp, wrong, challenge, advance } = await challenged();
  expect(await verify(wrong)).toEqual({
    status: 200,
    body: { challengeId: challenge.challengeId, status: 'pending', attemptsLeft: 2 },
  });
  await advance('59999ms');
  expect((await verify(otp)).body).toMatchObject({ status: 'approved', attemptsLeft: 2 });
});

test('an approved challenge refuses every passcode', async () => {
  const { verify, otp, wrong, challenge } = await challenged();
  await verify(otp);
  for (const again of [otp, wrong]) {
    expect(await verify(again)).toMatchObject({
      status: 400,
      body: {
        error: `3DS challenge ${challenge.challengeId} is already approved and its OTP is used; start another one`,
      },
    });
  }
});

test('the third incorrect passcode fails the challenge for good', async () => {
  const { verify, otp, wrong } = await challenged();
  const answers = [];
  for (const given of [wrong, 'not digits', wrong, otp, otp]) answers.push((await verify(given)).body);
  expect(answers).toMatchObject([
    { status: 'pending', attemptsLeft: 2 },
    { status: 'pending', attemptsLeft: 1 },
    { status: 'failed', attemptsLeft: 0 },
    { status: 'failed', attemptsLeft: 0 },
    { status: 'failed', attemptsLeft: 0 },
  ]);
});

test('a late passcode fails the challenge for good, even if the clock is set back', async () => {
  const { verify, otp, advance, control } = await challenged();
  await advance('60s');
  expect((await verify(otp)).body).toMatchObject({ status: 'failed', attemptsLeft: 0 });
  await control('POST', '/clock/freeze', { at: '2026-03-15T10:00:30Z' });
  expect((await verify(otp)).body.status).toBe('failed');
});

test.each([
  [{ otp: '' }, 'body.otp: must have at least 1 character'],
  [{ otp: 123456 }, 'body.otp: must be a text'],
  [{}, 'body.otp: is required'],
])('a verification with %j is refused and does not count as an attempt', async (body, error) => {
  const { control, challenge, verify, wrong } = await challenged();
  const reply = await control('POST', `/3ds/${challenge.challengeId}/verify`, body);
  expect(reply).toEqual({ status: 400, body: { success: false, error } });
  expect((await verify(wrong)).body.attemptsLeft).toBe(2);
});

test('unknown cards and challenges are a 404, and a cancelled card is refused', async () => {
  const { control, events } = startCardNetwork();
  expect((await control('POST', '/cards/card_nobody/3ds')).body.error).toBe('no card with id "card_nobody"');
  expect(await control('POST', '/3ds/tds_1/verify', { otp: '1' })).toMatchObject({
    status: 404,
    body: { error: 'no 3DS challenge with id "tds_1"' },
  });
  expect(await control('POST', '/cards/card_cancelled/3ds')).toMatchObject({
    status: 400,
    body: { error: 'card card_cancelled is cancelled; it can no longer be used' },
  });
  expect(events).toEqual([]);
});

test('the control plane reads the passcode of a pending challenge, and no other response contains it', async () => {
  const { control, api, challenge, otp, verify } = await challenged();
  const path = `/3ds/${challenge.challengeId}`;
  expect(await control('GET', path)).toEqual({ status: 200, body: { ...challenge, otp } });
  expect(await control('GET', '/3ds?cardId=card_small')).toEqual({ status: 200, body: [challenge] });
  api('GET', '/partner/cards/card_small');
  expect(JSON.stringify((await control('GET', '/requests')).body)).not.toContain(otp);
  await verify(otp);
  expect((await control('GET', path)).body).toEqual({ ...challenge, status: 'approved' });
});

test('an expired challenge has failed, and its passcode is gone', async () => {
  const { control, challenge, advance } = await challenged();
  await advance('60s');
  const failed = { ...challenge, status: 'failed', attemptsLeft: 0 };
  expect((await control('GET', `/3ds/${challenge.challengeId}`)).body).toEqual(failed);
  expect((await control('GET', '/3ds?cardId=card_small')).body).toEqual([failed]);
});

test('challenges are listed newest first, of one card or of one partner', async () => {
  const { control, challenge } = await challenged();
  const { body: next } = await control('POST', '/cards/card_small/3ds');
  expect((await control('GET', '/3ds')).body).toEqual([next, challenge]);
  expect((await control('GET', '/3ds?cardId=card_nobody')).body).toEqual([]);
  expect((await control('GET', '/3ds?partnerId=partner_globex')).body).toEqual([]);
  expect((await control('GET', '/3ds/tds_nobody')).status).toBe(404);
});
