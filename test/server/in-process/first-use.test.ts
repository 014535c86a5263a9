import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

test('a sandbox whose first call is made while MSW intercepts requests uses the classes of Node.js once MSW is closed', async () => {
  const { Request } = globalThis;
  const mock = setupServer();
  mock.listen({ onUnhandledRequest: 'bypass' });
  const received: Request[] = [];
  await using sandbox = createSandbox({
    webhookReceiver: request => new Response(null, { status: received.push(request) === 1 ? 500 : 204 }),
  });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://app.test/hooks',
    webhookSecret: 'whsec_0123456789abcdef',
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  mock.close();
  expect(globalThis.Request).toBe(Request);

  const response = await sandbox.fetch('/v1/partner/cards', {
    headers: { 'x-service-api-key': sandbox.apiKey },
  });
  await sandbox.clock.advance('1m');
  await sandbox.reset();
  await using second = createSandbox();

  expect(response).toBeInstanceOf(Response);
  expect(response.status).toBe(200);
  expect(received).toHaveLength(2);
  expect(received[1]).toBeInstanceOf(Request);
  await expect(second.worlds.list()).resolves.toHaveLength(1);
});
