import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { listen } from '../support/listen.ts';
import { newCardholder, startSandbox } from '../support/sandbox.ts';

const SUBSCRIBED = {
  webhookSecret: 'whsec_0123456789abcdef',
  subscribedEvents: ['cardholder.created'] as const,
};

test('over HTTP, a webhook leaves after the response of its request, whatever else arrives in the same turn', async () => {
  const order: string[] = [];
  const receiver = await listen((_, response) => {
    order.push('webhook');
    response.end();
  });
  const { api, control } = await startSandbox({ freeze: false, allowHttpWebhooks: true });
  await api('PATCH', '/partner/webhooks/config', {
    ...SUBSCRIBED,
    webhookUrl: `${receiver}/hooks`,
  });
  const rounds = 5;
  for (let round = 0; round < rounds; round++) {
    const created = api('POST', '/partner/cardholders', newCardholder()).then(({ status }) =>
      order.push(`${status}`),
    );
    const read = api('GET', '/partner/balance');
    await Promise.all([created, read]);
    await control('POST', '/deliveries/settle');
  }
  expect(order).toEqual(Array.from({ length: rounds }, () => ['201', 'webhook']).flat());
});

test('in process, a receiver is called after the caller has the response, whatever else is asked at once', async () => {
  let responses = 0;
  // The number of responses at each webhook.
  const seen: number[] = [];
  await using sandbox = createSandbox({
    fixtures: ['empty'],
    webhookReceiver() {
      seen.push(responses);
      return new Response();
    },
  });
  await sandbox.webhooks.configure({ ...SUBSCRIBED, webhookUrl: 'https://app.example/hooks' });
  const create = async () => {
    await sandbox.api.cardholders.create(newCardholder() as never);
    responses += 1;
  };
  await Promise.all([create(), create(), create(), create()]);
  await sandbox.webhooks.settle();
  expect(seen).toHaveLength(4);
  expect(seen.filter((count, index) => count <= index)).toEqual([]);
});

test.each([true, false])(
  'what is due has begun before the next request is handled, with the clock frozen: %s',
  async freeze => {
    const urls: string[] = [];
    await using sandbox = createSandbox({
      fixtures: ['empty'],
      freeze,
      webhookReceiver({ url }) {
        urls.push(url);
        return new Response();
      },
    });
    await sandbox.webhooks.configure({ ...SUBSCRIBED, webhookUrl: 'https://app.example/first' });
    await sandbox.api.cardholders.create(newCardholder() as never);
    // In the same turn of the event loop: the webhook is on its way when this changes where webhooks go.
    await sandbox.webhooks.configure({ webhookUrl: 'https://app.example/second' });
    await sandbox.webhooks.settle();
    expect(urls).toEqual(['https://app.example/first']);
  },
);
