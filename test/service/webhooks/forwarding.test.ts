import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { createCardholder } from '../../support/cardholders.ts';
import { ALL_TYPES, fakeReceiver, HOOKS, isSigned, SECRET, subscribe } from '../../support/receiver.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

const forwardTo = 'http://127.0.0.1:3000/webhooks';

test('a partner without a configuration sends all events to the forwarding URL', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ forwardTo }, { transport });
  const { body: config } = await sandbox.api('GET', '/partner/webhooks/config');
  expect(config).toEqual({
    webhookUrl: forwardTo,
    webhookSecret: expect.stringMatching(/^whsec_\w{24}$/),
    subscribedEvents: expect.arrayContaining(ALL_TYPES),
  });
  const { body: others } = await sandbox.globex('GET', '/partner/webhooks/config');
  expect(others.webhookSecret).not.toBe(config.webhookSecret);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen.map(request => isSigned(request, config.webhookSecret))).toEqual([true]);
  await sandbox.control('POST', '/reset');
  expect((await sandbox.api('GET', '/partner/webhooks/config')).body).toEqual(config);
});

test("a partner's own configuration stays unchanged", async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ forwardTo }, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen.map(request => isSigned(request, SECRET))).toEqual([true]);
  const { body } = await sandbox.api('GET', '/partner/webhooks/config');
  expect(body).toEqual({
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created'],
  });
});

test('a change that sets no URL stores none, so that nothing is sent there once forwarding ends', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  const { api, control } = sandbox;
  await control('PUT', '/forwarding', { url: forwardTo });
  const path = '/partner/webhooks/config';
  const subscribedEvents = ['cardholder.created'];
  expect((await api('PATCH', path, { webhookSecret: SECRET })).body).toMatchObject({ webhookUrl: forwardTo });
  expect((await api('PATCH', path, { subscribedEvents })).body).toEqual({
    webhookUrl: forwardTo,
    webhookSecret: SECRET,
    subscribedEvents,
  });
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  expect(seen.map(request => isSigned(request, SECRET))).toEqual([true]);
  await control('PUT', '/forwarding', { url: null });
  const own = { webhookUrl: null, webhookSecret: SECRET, subscribedEvents };
  expect((await api('GET', path)).body).toEqual(own);
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  expect(seen).toHaveLength(1);
});

test('only partners with a generated secret have it reported, and none without forwarding', async () => {
  const sandbox = createSandboxCore({ fixtures: ['empty'], forwardTo });
  onTestFinished(() => sandbox.stop());
  const secret = expect.stringMatching(/^whsec_\w{24}$/);
  expect(sandbox.webhookSecrets()).toEqual({ partner_acme: secret, partner_globex: secret });
  const body = Buffer.from(JSON.stringify({ webhookUrl: HOOKS, webhookSecret: SECRET }));
  const headers = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
  const path = '/v1/partner/webhooks/config';
  sandbox.handle({ method: 'PATCH', path, query: '', headers, body, remoteAddress: '127.0.0.1' });
  expect(sandbox.webhookSecrets()).toEqual({ partner_globex: secret });
  const plain = createSandboxCore({ fixtures: ['empty'] });
  onTestFinished(() => plain.stop());
  expect(plain.webhookSecrets()).toEqual({});
});
