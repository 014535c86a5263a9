import { expect, test } from 'vitest';
import { ACME_KEY, newCardholder, startSandbox } from '../../support/sandbox.ts';

test('a new world has its own API keys, and its address is that of the server', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { status, body } = await sandbox.control('POST', '/worlds', { id: 'blue' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: 'blue',
    url: sandbox.origin,
    controlUrl: `${sandbox.origin}/_sandbox/worlds/blue`,
    baseUrl: `${sandbox.origin}/v1`,
    dashboardUrl: `${sandbox.origin}/dashboard/blue`,
  });
  expect(body.partners.map(({ id }: { id: string }) => id)).toEqual(['partner_acme', 'partner_globex']);
  const [{ apiKey }] = body.partners;
  expect(apiKey).toMatch(/^sk_test_/);
  expect(apiKey).not.toBe(ACME_KEY);
  const listed = await sandbox.api('GET', '/partner/cardholders', undefined, { 'x-service-api-key': apiKey });
  expect(listed.status).toBe(200);
});

test('what happens in one world is not seen in another', async () => {
  const sandbox = await startSandbox();
  const { body: world } = await sandbox.control('POST', '/worlds', { id: 'blue', fixtures: ['empty'] });
  const key = { 'x-service-api-key': world.partners[0].apiKey };
  const made = await sandbox.api('POST', '/partner/cardholders', newCardholder(), key);
  expect(made.status).toBe(201);
  expect((await sandbox.api('GET', '/partner/cardholders')).body.total).toBe(0);
  expect((await sandbox.api('GET', `/partner/cardholders/${made.body.id}`)).status).toBe(404);
  await sandbox.control('POST', '/worlds/blue/clock/advance', { duration: '1h' });
  expect((await sandbox.control('GET', '/clock')).body.now).toBe('2026-03-15T10:00:00.000Z');
  expect((await sandbox.control('GET', '/worlds/blue/clock')).body.now).toBe('2026-03-15T11:00:00.000Z');
  expect((await sandbox.control('GET', '/worlds/main/clock')).body.now).toBe('2026-03-15T10:00:00.000Z');
  await sandbox.control('POST', '/reset');
  expect((await sandbox.api('GET', '/partner/cardholders', undefined, key)).body.total).toBe(1);
  await sandbox.control('POST', '/worlds/blue/reset');
  expect((await sandbox.api('GET', '/partner/cardholders', undefined, key)).body.total).toBe(0);
});

test('a copy goes on from the state of its source, with keys of its own', async () => {
  const sandbox = await startSandbox();
  const made = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const { status, body: copy } = await sandbox.control('POST', '/worlds', { from: 'main' });
  expect(status).toBe(201);
  const key = { 'x-service-api-key': copy.partners[0].apiKey };
  expect((await sandbox.api('GET', `/partner/cardholders/${made.body.id}`, undefined, key)).status).toBe(200);
  await sandbox.api('POST', '/partner/cardholders', newCardholder(), key);
  expect((await sandbox.api('GET', '/partner/cardholders')).body.total).toBe(1);
  const state = await sandbox.control('GET', `/worlds/${copy.id}/state`);
  expect((await sandbox.control('PUT', '/state', state.body)).status).toBe(204);
  const { body: info } = await sandbox.control('GET', '/info');
  const keys = info.partners.map((partner: { apiKey: string }) => partner.apiKey);
  expect(keys).not.toContain(copy.partners[0].apiKey);
  expect(
    (await sandbox.api('GET', '/partner/cardholders', undefined, { 'x-service-api-key': keys[0] })).body
      .total,
  ).toBe(2);
});

test('a removed world is gone with its keys', async () => {
  const sandbox = await startSandbox();
  const { body: world } = await sandbox.control('POST', '/worlds', { id: 'blue' });
  expect((await sandbox.control('DELETE', '/worlds/blue')).status).toBe(204);
  expect((await sandbox.control('GET', '/worlds/blue')).status).toBe(404);
  expect((await sandbox.control('GET', '/worlds/blue/clock')).status).toBe(404);
  const key = { 'x-service-api-key': world.partners[0].apiKey };
  expect((await sandbox.api('GET', '/partner/balance', undefined, key)).status).toBe(401);
  expect((await sandbox.control('DELETE', '/worlds/main')).status).toBe(400);
});
