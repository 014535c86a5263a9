import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../src/client/verify-webhook.ts';
import { EVENT_TYPES, RECORDED_TYPES } from '../../../src/service/webhooks/event-types.ts';
import { ALL_TYPES, fakeReceiver, HOOKS, isSigned, SECRET, subscribe } from '../../support/receiver.ts';
import { type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';

async function withReceiver(assume: Json, fixtures = ['starter']) {
  const receiver = fakeReceiver();
  const sandbox = await startSandbox({ fixtures, assume }, { transport: receiver.transport });
  await subscribe(sandbox);
  const run = () => sandbox.control('POST', '/clock/advance', { duration: '2s' });
  return { ...sandbox, seen: receiver.seen, run };
}

test.each(['envelope', 'data'] as const)('the body of a webhook is the %s', async envelope => {
  const { api, control, seen, run } = await withReceiver({ 'webhook-envelope': envelope });
  const { body: card } = await api('POST', '/partner/cards/card_wendy_created/activate');
  await run();
  const [{ event, headers, body }] = seen as [Json];
  expect(headers['X-Service-Event']).toBe('card.status.changed');
  if (envelope === 'data') expect(event).toEqual(card);
  else expect(event).toMatchObject({ eventType: 'card.status.changed', data: card });
  const [{ id }] = (await api('GET', '/partner/webhooks/events')).body.data;
  const { payload } = (await api('GET', `/partner/webhooks/events/${id}`)).body;
  expect(JSON.parse(payload)).toEqual(event);
  await control('POST', '/webhook-faults', { kind: 'tampered_body' });
  await control('POST', `/deliveries/${id}/redeliver`);
  expect(seen.at(-1)?.body).toHaveLength(body.length);
  expect(isSigned(seen.at(-1) as Json)).toBe(false);
});

test.each(['seconds', 'milliseconds'] as const)('signatures have their timestamp in %s', async unit => {
  const { api, seen, run } = await withReceiver({ 'signature-timestamp': unit });
  await api('POST', '/partner/cards/card_wendy_created/activate');
  await run();
  const [{ headers, body }] = seen as [Json];
  const [, timestamp] = /^t=(\d+),/.exec(headers['X-Service-Signature']) ?? [];
  expect(timestamp).toHaveLength(unit === 'seconds' ? 10 : 13);
  expect(isSigned(seen[0] as Json)).toBe(true);
  expect(verifyWebhook(body, headers['X-Service-Signature'], SECRET)).toMatchObject({ valid: true });
});

test.each([
  ['nine', RECORDED_TYPES],
  ['twelve', EVENT_TYPES],
] as const)('with %s, the API lists the deliveries of these types', async (history, types) => {
  const { api, control, run } = await withReceiver({ 'event-history': history });
  for (const eventType of ALL_TYPES) await control('POST', '/events', { eventType });
  await run();
  const all = await api('GET', '/partner/webhooks/events?limit=100');
  const listed: Json[] = all.body.data;
  expect(listed.map(({ eventType }) => eventType).sort()).toEqual([...types].sort());
  expect((await api('GET', '/partner/webhooks/events?status=delivered')).body.total).toBe(all.body.total);
  const otp = await api('GET', '/partner/webhooks/events?eventType=card.3ds_otp');
  expect(otp.body.total).toBe(history === 'nine' ? 0 : 1);
  const [{ hints }] = (await control('GET', '/requests')).body;
  expect(hints).toHaveLength(history === 'nine' ? 1 : 0);
  const [{ id }] = (await control('GET', '/deliveries?eventType=card.3ds_otp')).body;
  expect((await api('GET', `/partner/webhooks/events/${id}`)).status).toBe(history === 'nine' ? 404 : 200);
});

test.each([undefined, '3s'] as const)('an attempt has the time of the setting: %s', async timeout => {
  const receiver = fakeReceiver();
  const sandbox = await startSandbox(
    { fixtures: ['starter'], ...(timeout && { assume: { 'webhook-timeout': timeout } }) },
    { transport: receiver.transport },
  );
  await subscribe(sandbox);
  await sandbox.api('POST', '/partner/cards/card_wendy_created/activate');
  await sandbox.control('POST', '/clock/advance', { duration: '0s' });
  expect(receiver.seen[0]?.timeoutMs).toBe(timeout === undefined ? 10_000 : 3_000);
});

test.each(['merge', 'replace'] as const)('a change of the configuration works by %s', async setting => {
  const { api } = await withReceiver({ 'patch-config': setting });
  const changed = await api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['card.issued'] });
  const kept = { webhookUrl: HOOKS, webhookSecret: SECRET };
  const unset = { webhookUrl: null, webhookSecret: null };
  const expected = { ...(setting === 'merge' ? kept : unset), subscribedEvents: ['card.issued'] };
  expect(changed.body).toEqual(expected);
  expect((await api('GET', '/partner/webhooks/config')).body).toEqual(expected);
  const urlOnly = await api('PATCH', '/partner/webhooks/config', { webhookUrl: HOOKS });
  expect(urlOnly.status).toBe(setting === 'merge' ? 200 : 400);
});

test('a change over the control plane keeps what it omits, whatever the setting of the API', async () => {
  const { control } = await withReceiver({ 'patch-config': 'replace' });
  const change = { subscribedEvents: ['card.issued'] };
  const expected = { webhookUrl: HOOKS, webhookSecret: SECRET, ...change };
  expect((await control('PATCH', '/webhooks/config', change)).body).toEqual(expected);
});

test.each(['null', 'omitted'] as const)('what is not configured is %s', async setting => {
  const { api, control } = await startSandbox({ fixtures: ['empty'], assume: { 'unset-config': setting } });
  const { body } = await control('POST', '/partners', {});
  const key = { 'x-service-api-key': body.apiKey };
  const config = await api('GET', '/partner/webhooks/config', undefined, key);
  const unset = setting === 'null' ? { webhookUrl: null, webhookSecret: null } : {};
  expect(config.body).toEqual({ ...unset, subscribedEvents: [] });
  const changed = await api('PATCH', '/partner/webhooks/config', { subscribedEvents: [] }, key);
  expect(changed.body).toEqual({ ...unset, subscribedEvents: [] });
});

test.each(['insensitive', 'sensitive'] as const)('e-mail addresses are case-%s', async comparison => {
  const { api, control } = await startSandbox({ assume: { 'email-comparison': comparison } });
  const lower = newCardholder({ email: 'mia@example.com' });
  const upper = newCardholder({ email: 'MIA@example.com' });
  await api('POST', '/partner/cardholders', lower);
  const second = await api('POST', '/partner/cardholders', upper);
  expect(second.status).toBe(comparison === 'sensitive' ? 201 : 409);
  const same = await api('POST', '/partner/cardholders', newCardholder({ email: 'mia@example.com' }));
  expect(same.status).toBe(409);
  const found = await api('GET', '/partner/cardholders?email=MIA@example.com');
  expect(found.body.data.map(({ email }: Json) => email)).toEqual([
    comparison === 'sensitive' ? 'MIA@example.com' : 'mia@example.com',
  ]);
  const { body: state } = await control('GET', '/state');
  expect((await control('PUT', '/state', state)).status).toBe(204);
  expect(
    (await api('POST', '/partner/cardholders', newCardholder({ email: 'mia@example.com' }))).status,
  ).toBe(409);
});
