import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions, verifyWebhook } from '../../../src/index.ts';
import { handlers } from '../../../src/msw.ts';

const SECRET = 'a-secret-of-more-than-16';
const HOOKS = 'https://hooks.partner.test/events';

/** A sandbox whose first partner is subscribed to some events. */
async function subscribed(options: SandboxOptions, webhookUrl = HOOKS): Promise<Sandbox> {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  await sandbox.webhooks.configure({
    webhookUrl,
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up', 'cardholder.created'],
  });
  return sandbox;
}

test('a receiver in process gets each webhook as over HTTP', async () => {
  const seen: { request: Request; body: string }[] = [];
  const sandbox = await subscribed({
    async webhookReceiver(request) {
      seen.push({ request, body: await request.text() });
      return new Response('thanks');
    },
  });
  await sandbox.simulate.topUp({ amount: 5 });
  const delivery = await sandbox.webhooks.wait({
    eventType: 'balance.top_up',
    status: 'delivered',
    timeoutMs: 60_000,
  });
  const [{ request, body } = { request: new Request(HOOKS), body: '' }] = seen;
  expect(seen).toHaveLength(1);
  expect([request.method, request.url]).toEqual(['POST', HOOKS]);
  expect(verifyWebhook(body, request.headers.get('x-service-signature'), SECRET)).toMatchObject({
    valid: true,
  });
  expect(JSON.parse(body)).toMatchObject({ id: delivery.id, eventType: 'balance.top_up' });
  expect(delivery).toMatchObject({ lastResponseStatus: 200, lastResponseBody: 'thanks', attemptCount: 1 });
});

/** A listener of Node.js that notes what it gets, and responds with a status. */
function listener(status = 200) {
  const seen: { url: string | undefined; body: string; signature: string | string[] | undefined }[] = [];
  const listen = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    seen.push({ url: request.url, body, signature: request.headers['x-service-signature'] });
    response.writeHead(status).end('thanks');
  };
  return { seen, listen };
}

/** An Express app that is not called with `listen`. */
function expressApp({ listen }: ReturnType<typeof listener>) {
  const app = express();
  app.post('/events', listen);
  return app;
}

test.each([
  ['a request listener', ({ listen }: ReturnType<typeof listener>) => listen],
  ['an app of Express', expressApp],
  ['a server', ({ listen }: ReturnType<typeof listener>) => createServer(listen)],
])(
  '%s gets webhooks over loopback at the path of their URL, until the sandbox is closed',
  async (_, create) => {
    const receiver = listener();
    const webhookListener = create(receiver);
    const sandbox = await subscribed({ webhookListener }, `${HOOKS}?tenant=1`);
    await sandbox.simulate.topUp({ amount: 5 });
    const { payload } = await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
    const [{ url, body, signature } = { url: '', body: '', signature: '' }] = receiver.seen;
    expect([url, body]).toEqual(['/events?tenant=1', payload]);
    expect(verifyWebhook(body, signature, SECRET)).toMatchObject({ valid: true });
    const [delivery] = await sandbox.webhooks.list();
    expect(delivery).toMatchObject({ attempts: [{ url: `${HOOKS}?tenant=1`, status: 200 }] });
    await sandbox.close();
    if ('listening' in webhookListener) expect(webhookListener.listening).toBe(false);
  },
);

test('a server that listens already gets webhooks where it does, and goes on after the sandbox', async () => {
  const receiver = listener(500);
  const server = createServer(receiver.listen);
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sandbox = await subscribed({ webhookListener: server, retrySpeed: 1 });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.clock.advance('6m');
  expect(receiver.seen).toHaveLength(3);
  await sandbox.close();
  expect(server.listening).toBe(true);
});

test('a server that listens before the first webhook is left as it is', async () => {
  const receiver = listener();
  const server = createServer(receiver.listen);
  const sandbox = await subscribed({ webhookListener: server });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
  await sandbox.close();
  expect(server.listening).toBe(true);
});

/** Two sandboxes with one server as their listener. */
async function sharing() {
  const server = createServer(listener().listen);
  const sandboxes = await Promise.all([1, 2].map(() => subscribed({ webhookListener: server })));
  const [first, second] = sandboxes as [Sandbox, Sandbox];
  return { server, first, second };
}

/** Sends a webhook, and resolves with the status of its delivery. */
async function deliver(sandbox: Sandbox): Promise<string | undefined> {
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  const [newest] = await sandbox.webhooks.list();
  return newest?.status;
}

test('a server that the app has closed since is started again, and one that it starts itself is left to it', async () => {
  const { server, first, second } = await sharing();
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  expect(await deliver(first)).toBe('delivered');
  await close();
  expect([await deliver(second), await deliver(first)]).toEqual(['delivered', 'delivered']);
  await close();
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect([await deliver(second), await deliver(first)]).toEqual(['delivered', 'delivered']);
  await first.close();
  await second.close();
  expect(server.listening).toBe(true);
});

test('sandboxes share the server of an app, which ends with the last of them', async () => {
  const { server, first, second } = await sharing();
  expect(await Promise.all([first, second].map(deliver))).toEqual(['delivered', 'delivered']);
  await first.close();
  expect(await deliver(second)).toBe('delivered');
  await second.close();
  expect(server.listening).toBe(false);
});

test.each([
  [
    'breaks off',
    new ReadableStream({
      pull(controller) {
        if (controller.desiredSize === 1) controller.enqueue(Buffer.from('half'));
        else controller.error(new Error('cut'));
      },
    }),
  ],
  ['never ends', new ReadableStream({ pull: controller => controller.enqueue(Buffer.alloc(16_384)) })],
])('the status of a receiver in process decides where its body %s', async (_, body) => {
  const sandbox = await subscribed({ webhookReceiver: () => new Response(body) });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  expect(await sandbox.webhooks.list()).toMatchObject([{ status: 'delivered', cause: null }]);
});

test('half of a character in the error of a receiver is replaced, so that the state can be loaded', async () => {
  const sandbox = await subscribed({
    webhookReceiver() {
      throw new Error('x\ud800y');
    },
  });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  expect(await sandbox.webhooks.list()).toMatchObject([{ cause: 'the receiver threw: x\ufffdy' }]);
  await sandbox.state.import(await sandbox.state.export());
});

test.each([
  ['nothing', undefined],
  ['a response of another kind', { statusCode: 200 }],
  ['a status alone', { status: 200 }],
  ['the function that makes one', Response.json],
])('a receiver in process that returns %s has not accepted the webhook', async (_, returned) => {
  const sandbox = await subscribed({ webhookReceiver: () => returned as unknown as Response });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  const [delivery] = await sandbox.webhooks.list();
  expect(delivery).toMatchObject({ status: 'pending', lastResponseStatus: null });
  expect(delivery?.cause).toMatch('the receiver threw: it returned no Response of the Fetch API; return one');
});

test.each([
  ['a message that is no text', Object.assign(new Error(), { message: { code: 7 } }), '{ code: 7 }'],
  ['no message', Object.assign(new Error(), { message: undefined }), 'undefined'],
  ['an object that has no text', Object.create(null), '[Object: null prototype] {}'],
])('an error of a receiver with %s is the cause of its attempt', async (_, error, text) => {
  const sandbox = await subscribed({ webhookReceiver: () => Promise.reject(error) });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  expect(await sandbox.webhooks.list()).toMatchObject([{ cause: `the receiver threw: ${text}` }]);
});

test('64 KiB of a response in process are kept, without splitting a character', async () => {
  const sandbox = await subscribed({ webhookReceiver: () => new Response('€'.repeat(30_000)) });
  await sandbox.simulate.topUp({ amount: 5 });
  const { lastResponseBody } = await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 });
  expect(lastResponseBody).toBe('€'.repeat(Math.floor((64 * 1_024) / 3)));
});

test('a delivery is retried as the clock advances when the receiver in process refuses, throws or redirects', async () => {
  const answers = [
    () => new Response('busy', { status: 503 }),
    () => {
      throw new Error('no database');
    },
    () => Response.redirect('https://elsewhere.test/', 302),
    () => new Response(null, { status: 204 }),
  ];
  const sandbox = await subscribed({
    webhookReceiver: () => answers.shift()?.() ?? new Response(),
    retrySpeed: 1,
  });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.clock.advance('24h');
  const [delivery] = await sandbox.webhooks.list();
  expect(delivery?.attempts.map(({ status, cause }) => [status, cause])).toEqual([
    [503, 'answered 503'],
    [null, 'the receiver threw: no database'],
    [302, 'redirect refused'],
    [204, null],
  ]);
});

test('expectNone rejects with a list of the deliveries', async () => {
  const sandbox = await subscribed({ webhookReceiver: () => new Response() });
  await sandbox.webhooks.expectNone();
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.expectNone({ eventType: 'cardholder.created' });
  await expect(sandbox.webhooks.expectNone({ eventType: 'balance.top_up' })).rejects.toThrow(
    /^expected no webhook with eventType balance\.top_up, but got 1:\n {2}\S+Z balance\.top_up about partner_acme, delivered: evt_\w+$/,
  );
  const [latest] = await sandbox.webhooks.list();
  await sandbox.webhooks.expectNone(latest && { after: latest });
  await sandbox.simulate.topUp({ amount: 6 });
  await expect(sandbox.webhooks.expectNone(latest && { after: latest })).rejects.toThrow('but got 1');
  await expect(sandbox.webhooks.expectNone()).rejects.toThrow('but got 2');
});

test('expectNone after a delivery, after a moment and after now leaves out what was recorded before', async () => {
  const sandbox = await subscribed({ webhookReceiver: () => new Response(), clock: '2026-03-15T10:00:00Z' });
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.settle();
  const [last] = await sandbox.webhooks.list();
  for (const after of ['now', '2026-03-15T10:00:00Z', last ?? ''])
    await sandbox.webhooks.expectNone({ after });
  await expect(sandbox.webhooks.expectNone({ after: '2026-03-15T09:59' })).rejects.toThrow('balance.top_up');
  await sandbox.clock.advance('1s');
  await sandbox.simulate.topUp({ amount: 5 });
  for (const after of ['2026-03-15T10:00:00Z', last ?? ''])
    await expect(sandbox.webhooks.expectNone({ after })).rejects.toThrow('balance.top_up');
});

test('wait and expectNone after what is not a delivery reject, and do not take every delivery for a later one', async () => {
  const sandbox = await subscribed({ webhookReceiver: () => new Response() });
  await sandbox.simulate.topUp({ amount: 5 });
  const notDelivered = await sandbox.webhooks.trigger({ eventType: 'card.3ds_otp' });
  for (const after of [notDelivered, new Date(), null, 5] as never[]) {
    for (const method of ['wait', 'expectNone'] as const)
      await expect(sandbox.webhooks[method]({ after })).rejects.toThrow(/^after: must be a delivery, its id/);
  }
});

test('wait after a delivery resolves with the next one, never with the same again', async () => {
  const sandbox = await subscribed({ webhookReceiver: () => new Response() });
  await sandbox.simulate.topUp({ amount: 5 });
  const first = await sandbox.webhooks.wait({ eventType: 'balance.top_up', timeoutMs: 60_000 });
  const again = sandbox.webhooks.wait({ eventType: 'balance.top_up', after: first, timeoutMs: 1 });
  await expect(again).rejects.toMatchObject({ status: 408, message: expect.stringContaining(first.id) });
  const next = sandbox.webhooks.wait({ eventType: 'balance.top_up', after: first.id, timeoutMs: 60_000 });
  await sandbox.simulate.topUp({ amount: 6 });
  expect((await next).id).not.toBe(first.id);
  await expect(sandbox.webhooks.expectNone({ eventType: 'card.issued', after: first.id })).resolves.toBe(
    undefined,
  );
});

test('an event can be triggered, affected by a fault, and retried', async () => {
  let status = 500;
  const sandbox = await subscribed({ webhookReceiver: () => new Response(null, { status }), retrySpeed: 1 });
  const fault = await sandbox.webhookFaults.add({ kind: 'duplicate', times: 1 });
  expect(await sandbox.webhookFaults.list()).toMatchObject([{ id: fault.id, kind: 'duplicate' }]);
  await sandbox.webhookFaults.clear();
  const raised = await sandbox.webhooks.trigger({ eventType: 'balance.top_up' });
  expect(raised).toMatchObject({ eventType: 'balance.top_up' });
  await sandbox.clock.advance('48h');
  const failed = await sandbox.webhooks.wait({ status: 'failed', timeoutMs: 60_000 });
  status = 200;
  await sandbox.webhooks.retry(failed.id);
  expect(await sandbox.webhooks.wait({ status: 'delivered', timeoutMs: 60_000 })).toMatchObject({
    id: failed.id,
  });
  expect(await sandbox.webhooks.trigger({ eventType: 'card.3ds_otp' })).toMatchObject({ delivered: false });
});

test('webhooks reach a real receiver although MSW intercepts all requests', async () => {
  const { url, received } = await receiver();
  const sandbox = await subscribed({ allowHttpWebhooks: true }, url);
  const intercepted: string[] = [];
  const server = setupServer(
    ...handlers(sandbox, { baseUrl: 'https://api.partner.test/v1' }),
    http.all('*', ({ request }) => {
      intercepted.push(request.url);
      return HttpResponse.error();
    }),
  );
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  await sandbox.simulate.topUp({ amount: 5 });
  await sandbox.webhooks.wait({ eventType: 'balance.top_up', status: 'delivered', timeoutMs: 60_000 });
  expect(intercepted).toEqual([]);
  expect(received).toEqual([expect.stringContaining('"eventType":"balance.top_up"')]);
  await expect(fetch(url)).rejects.toThrow();
  expect(intercepted).toEqual([url]);
});

/** A server, and the bodies that it receives. */
async function receiver() {
  const received: string[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    received.push(await text(request));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}
