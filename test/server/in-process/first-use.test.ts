import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

test('a sandbox whose first call is made while MSW intercepts requests works on after MSW is closed', async () => {
  const Intercepted = globalThis.Request;
  const mock = setupServer();
  mock.listen({ onUnhandledRequest: 'bypass' });
  let received = 0;
  await using sandbox = createSandbox({
    webhookReceiver: () => new Response(null, { status: received++ === 0 ? 500 : 204 }),
  });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://app.test/hooks',
    webhookSecret: 'whsec_0123456789abcdef',
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  mock.close();
  expect(globalThis.Request).toBe(Intercepted);

  const { status } = await sandbox.fetch('/v1/partner/cards', {
    headers: { 'x-service-api-key': sandbox.apiKey },
  });
  await sandbox.clock.advance('1m');
  await sandbox.reset();
  await using second = createSandbox();

  expect(status).toBe(200);
  expect(received).toBe(2);
  await expect(second.worlds.list()).resolves.toHaveLength(1);
});
