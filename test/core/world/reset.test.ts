import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

const LISTS = ['/partner/cardholders', '/partner/cards', '/partner/card-programs', '/partner/usage/records'];

test('a reset restores every record of the seeded world', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  const state = async () => {
    const replies = await Promise.all([...LISTS, '/partner/webhooks/config'].map(path => api('GET', path)));
    return replies.map(({ body }) => body);
  };
  const before = await state();
  const cardholderId = await createApprovedCardholder(sandbox);
  await api('POST', '/partner/cards', { cardholderId, cardProgramId: CARD_PROGRAM });
  const subscribedEvents = ['card.issued'];
  await api('PATCH', '/partner/webhooks/config', { subscribedEvents });
  expect(await state()).not.toEqual(before);
  expect(await control('POST', '/reset')).toMatchObject({ status: 204, body: null });
  expect(await state()).toEqual(before);
  expect((await api('GET', `/partner/cardholders/${cardholderId}`)).status).toBe(404);
});

test('after a reset the same requests get the same ids, and used tokens can be used again', async () => {
  const { api, control } = await startSandbox();
  const person = newCardholder();
  const ask = async () => {
    const { body, headers } = await api('POST', '/partner/cardholders', person);
    return { body, request: headers.get('x-sandbox-request') };
  };
  const first = await ask();
  expect(first.body.id).toMatch(/^ch_/);
  await control('POST', '/reset');
  expect(await ask()).toEqual(first);
});

test('a reset empties the journal', async () => {
  const { api, control } = await startSandbox();
  await api('GET', '/partner/cards');
  await control('POST', '/reset');
  expect((await control('GET', '/requests')).body).toEqual([]);
});

test('a reset sets the clock back to its start and drops its timers', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  const person = newCardholder();
  await createSubmittedCardholder(sandbox, person);
  await control('POST', '/clock/advance', { duration: '1s' });
  expect((await control('GET', '/clock')).body.pendingTimers).toBe(1);
  await control('POST', '/clock/resume');
  await control('POST', '/reset');
  expect((await control('GET', '/clock')).body).toEqual({ now: START, mode: 'frozen', pendingTimers: 0 });

  const id = await createCardholder(sandbox, person);
  await control('POST', '/clock/advance', { duration: '1h' });
  expect((await api('GET', `/partner/cardholders/${id}`)).body.kycStatus).toBe('pending');
});

test('a reset restores settings, keys and rate limits', async () => {
  const { api, control } = await startSandbox({ rateLimit: 3 });
  const settings = () => control('GET', '/partners/partner_acme/settings');
  const partners = () => control('GET', '/partners');
  const before = { settings: (await settings()).body, partners: (await partners()).body };
  await control('PATCH', '/partners/partner_acme/settings', {
    ipAllowList: ['203.0.113.7'],
    allowedOrigins: ['https://app.example'],
    rateLimitPerMinute: 1,
    lowThreshold: 5,
  });
  const { body } = await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '0s' });
  expect((await api('GET', '/partner/cards')).status).toBe(401);

  await control('POST', '/reset');
  expect({ settings: (await settings()).body, partners: (await partners()).body }).toEqual(before);
  const response = await api('GET', '/partner/cards');
  expect(response.status).toBe(200);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('2');
  const rotated = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': body.apiKey });
  expect(rotated.status).toBe(401);

  await api('GET', '/partner/cards');
  await control('POST', '/reset');
  expect((await api('GET', '/partner/cards')).headers.get('x-ratelimit-remaining')).toBe('2');
});

test('a reset changes neither the options nor the address', async () => {
  const { control } = await startSandbox({ documentedOnly: true });
  const before = await control('GET', '/info');
  await control('POST', '/reset');
  expect((await control('GET', '/info')).body).toEqual(before.body);
});
