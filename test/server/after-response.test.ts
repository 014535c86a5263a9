import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { OutgoingWebhook } from '../../src/core/world/transport.ts';
import { createSandbox } from '../../src/index.ts';
import { ACME_KEY, newCardholder, startSandbox } from '../support/sandbox.ts';

const SUBSCRIBED = {
  webhookSecret: 'whsec_0123456789abcdef',
  subscribedEvents: ['cardholder.created'] as const,
};

test('over HTTP, a webhook leaves after the response of its request, whatever else arrives in the same turn', async () => {
  const order: string[] = [];
  const transport = {
    async send({ url }: OutgoingWebhook) {
      order.push('webhook');
      return { url, status: 200, body: '', cause: null, durationMs: 0 };
    },
    close: () => undefined,
  };
  const { origin, api, control } = await startSandbox({ freeze: false }, { transport });
  await api('PATCH', '/partner/webhooks/config', { ...SUBSCRIBED, webhookUrl: 'https://app.example/hooks' });
  const { end } = ServerResponse.prototype;
  vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse) {
    order.push(`${this.statusCode}`);
    return end.call(this, undefined, 'utf8');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { host, port } = new URL(origin);
  const create = (connection: string) => {
    const body = JSON.stringify(newCardholder());
    const headers = {
      Host: host,
      Connection: connection,
      'X-Service-API-Key': ACME_KEY,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return ['POST /v1/partner/cardholders HTTP/1.1', ...lines, '', body].join('\r\n');
  };
  // Both are handled before either of their responses is written.
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(create('keep-alive') + create('close'));
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201']);
  await control('POST', '/deliveries/settle');
  expect(order.slice(0, 4)).toEqual(['201', '201', 'webhook', 'webhook']);
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
