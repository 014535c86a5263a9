import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { ALL_TYPES, fakeReceiver, HOOKS, isSigned, SECRET, subscribe } from '../support/receiver.ts';
import { startSandbox } from '../support/sandbox.ts';

const forwardTo = 'http://127.0.0.1:3000/webhooks';

test('a partner without a configuration gets one that sends everything to where webhooks are forwarded', async () => {
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
  await created(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen.map(request => isSigned(request, config.webhookSecret))).toEqual([true]);
  await sandbox.control('POST', '/reset');
  expect((await sandbox.api('GET', '/partner/webhooks/config')).body).toEqual(config);
});

test('a configuration of its own stays as it is', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ forwardTo }, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await created(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen.map(request => isSigned(request, SECRET))).toEqual([true]);
  const { body } = await sandbox.api('GET', '/partner/webhooks/config');
  expect(body).toEqual({
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ['cardholder.created'],
  });
});
