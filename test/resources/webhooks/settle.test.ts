import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { createCardholder } from '../../support/cardholders.ts';
import { fakeReceiver, SECRET, subscribe } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';

test('settle for a partner does not wait for the receiver of another one', async () => {
  let release: (status: number) => void = () => undefined;
  const { transport, seen } = fakeReceiver(({ url }) =>
    url.includes('hangs')
      ? new Promise<number>(resolve => {
          release = resolve;
        })
      : 500,
  );
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await sandbox.globex('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hangs.example.com/',
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.control('POST', '/balance/top-up', { amount: 1, partnerId: 'partner_globex' });
  await createCardholder(sandbox);
  const settled = await sandbox.control('POST', '/deliveries/settle', { partnerId: 'partner_acme' });
  expect(settled).toMatchObject({ status: 200, body: { pending: 1 } });
  expect(seen).toHaveLength(2);
  release(200);
  expect((await sandbox.control('POST', '/deliveries/settle')).body).toEqual({ pending: 1 });
  const unknown = await sandbox.control('POST', '/deliveries/settle', { partnerId: 'partner_none' });
  expect(unknown).toMatchObject({ status: 404, body: { error: expect.stringContaining('partner_none') } });
});

test('expectNone for a partner does not wait for the receiver of another one', async () => {
  await using sandbox = createSandbox({ webhookReceiver: () => new Promise<Response>(() => undefined) });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://hangs.test/',
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 1 });
  await sandbox.webhooks.expectNone({ partnerId: 'partner_globex' });
  // The attempt is still in flight: had expectNone waited for it, it would have timed out.
  expect(await sandbox.webhooks.list()).toMatchObject([{ status: 'pending', attemptCount: 0 }]);
});
