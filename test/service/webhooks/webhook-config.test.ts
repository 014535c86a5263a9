import { expect, test } from 'vitest';
import { ALL_TYPES, SECRET } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/webhooks/config';
const URL = 'https://hooks.example.com/events';
const EMPTY = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] };

test('the configuration is empty until it is set', async () => {
  const { api } = await startSandbox();
  const reply = await api('GET', PATH);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(EMPTY);
});

test('a change and a read return the complete configuration, including the secret', async () => {
  const { api } = await startSandbox();
  const config = { webhookUrl: URL, webhookSecret: SECRET, subscribedEvents: ['card.issued'] };
  const changed = await api('PATCH', PATH, config);
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual(config);
  expect((await api('GET', PATH)).body).toEqual(config);
});

test('what a change leaves out stays', async () => {
  const { api } = await startSandbox();
  const config = { webhookUrl: URL, webhookSecret: SECRET, subscribedEvents: ['card.issued'] };
  await api('PATCH', PATH, config);
  expect((await api('PATCH', PATH, {})).body).toEqual(config);
  expect((await api('PATCH', PATH)).body).toEqual(config);
  const other = 'https://other.example.com/';
  expect((await api('PATCH', PATH, { webhookUrl: other })).body).toEqual({ ...config, webhookUrl: other });
  const secret = { webhookSecret: 'another-secret-0123' };
  expect((await api('PATCH', PATH, secret)).body).toEqual({ ...config, webhookUrl: other, ...secret });
  expect((await api('PATCH', PATH, { subscribedEvents: [] })).body.subscribedEvents).toEqual([]);
});

test('null clears only the URL; the stored secret works for a new one', async () => {
  const { api } = await startSandbox();
  await api('PATCH', PATH, { webhookUrl: URL, webhookSecret: SECRET, subscribedEvents: ['balance.low'] });
  const cleared = await api('PATCH', PATH, { webhookUrl: null });
  expect(cleared.body).toEqual({
    webhookUrl: null,
    webhookSecret: SECRET,
    subscribedEvents: ['balance.low'],
  });
  expect((await api('PATCH', PATH, { webhookUrl: URL })).status).toBe(200);
});

test('a URL is accepted only with a secret, stored or sent', async () => {
  const { api } = await startSandbox();
  const refused = await api('PATCH', PATH, { webhookUrl: URL });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatch(/^body\.webhookSecret: is required with the first webhookUrl/);
  expect((await api('GET', PATH)).body).toEqual(EMPTY);
  expect((await api('PATCH', PATH, { webhookSecret: SECRET })).status).toBe(200);
  expect((await api('PATCH', PATH, { webhookUrl: URL })).status).toBe(200);
});

test('all event types can be subscribed to, and duplicates are dropped', async () => {
  const { api } = await startSandbox();
  const all = await api('PATCH', PATH, { subscribedEvents: ALL_TYPES });
  expect(all.body.subscribedEvents).toEqual(ALL_TYPES);
  const twice = await api('PATCH', PATH, {
    subscribedEvents: ['card.issued', 'balance.low', 'card.issued', 'balance.low'],
  });
  expect(twice.body.subscribedEvents).toEqual(['card.issued', 'balance.low']);
});

test('a secret of exactly 16 characters is long enough', async () => {
  const { api } = await startSandbox();
  expect((await api('PATCH', PATH, { webhookSecret: 'sixteen-letters!' })).status).toBe(200);
});

test('http:// is accepted when the sandbox allows it, but never with credentials', async () => {
  const { api } = await startSandbox({ allowHttpWebhooks: true });
  const webhookUrl = 'http://127.0.0.1:3000/hooks';
  const reply = await api('PATCH', PATH, { webhookUrl, webhookSecret: SECRET });
  expect(reply).toMatchObject({ status: 200, body: { webhookUrl } });
  expect((await api('PATCH', PATH, { webhookUrl: 'http://a:b@127.0.0.1/' })).status).toBe(400);
  expect((await api('PATCH', PATH, { webhookUrl: 'ftp://127.0.0.1/' })).status).toBe(400);
});

test('each partner has its own configuration', async () => {
  const { api, globex } = await startSandbox();
  await api('PATCH', PATH, { webhookUrl: URL, webhookSecret: SECRET, subscribedEvents: ALL_TYPES });
  expect((await globex('GET', PATH)).body).toEqual(EMPTY);
  await globex('PATCH', PATH, { subscribedEvents: ['balance.low'] });
  expect((await api('GET', PATH)).body.subscribedEvents).toEqual(ALL_TYPES);
});

test('the secret is masked in the journal', async () => {
  const { api, control } = await startSandbox();
  await api('PATCH', PATH, { webhookSecret: SECRET });
  await api('GET', PATH);
  expect(JSON.stringify((await control('GET', '/requests')).body)).not.toContain(SECRET);
});

test.each([
  [{ webhookSecret: null }, 'webhookSecret: is required with a webhookUrl'],
  [{ webhookUrl: 'ftp://hooks.example.com/' }, 'webhookUrl: must be an absolute https:// URL'],
  [{ id: 'partner_globex' }, "id: must be the partner's id"],
])('a state with a configuration that has %j is refused', async (members, reason) => {
  const { api, control } = await startSandbox();
  await api('PATCH', PATH, { webhookUrl: URL, webhookSecret: SECRET });
  const { body: state } = await control('GET', '/state');
  expect((await control('PUT', '/state', state)).status).toBe(204);
  Object.assign(state.tables.webhookConfigs[0], members);
  const refused = await control('PUT', '/state', state);
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(reason) } });
});

test('with patch-config replace, a URL without a secret is refused with the rule', async () => {
  const { api } = await startSandbox({ assume: { 'patch-config': 'replace' } });
  expect((await api('PATCH', PATH, { webhookUrl: URL })).body.error).toBe(
    'body.webhookSecret: is required with a webhookUrl, because it signs deliveries',
  );
});
