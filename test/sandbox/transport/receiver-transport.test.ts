import assert from 'node:assert/strict';
import { expect, test } from 'vitest';
import { createReceiverTransport } from '../../../src/sandbox/transport/receiver-transport.ts';

const WEBHOOK = { url: 'https://hooks.test/in', headers: { 'x-event': 'card.issued' }, body: '{"a":1}' };
const never = new AbortController().signal;

test('a function receives a webhook, and its response is the outcome', async () => {
  const transport = createReceiverTransport(async request => {
    const { method, url, headers } = request;
    return new Response(`${method} ${url} ${headers.get('x-event')} ${await request.text()}`, {
      status: 202,
    });
  });
  expect(await transport.send(WEBHOOK, never)).toMatchObject({
    url: WEBHOOK.url,
    status: 202,
    body: 'POST https://hooks.test/in card.issued {"a":1}',
    cause: null,
  });
});

test('a function that throws is a failed attempt', async () => {
  const transport = createReceiverTransport(() => {
    throw new Error('no such event');
  });
  expect(await transport.send(WEBHOOK, never)).toMatchObject({
    status: null,
    body: null,
    cause: 'the receiver threw: no such event',
  });
});

test('whatever a function throws or returns ends the attempt, also a value that cannot be read', async () => {
  const unreadable = new Proxy({}, { has: () => assert.fail(), get: () => assert.fail() });
  const thrown = [undefined, Symbol('x'), Object.create(null), { code: 7 }, unreadable];
  const causes = thrown.map(async each => {
    const transport = createReceiverTransport(() => {
      throw each;
    });
    return (await transport.send(WEBHOOK, never)).cause;
  });
  expect(await Promise.all(causes)).toEqual([
    'the receiver threw: undefined',
    'the receiver threw: Symbol(x)',
    'the receiver threw: [Object: null prototype] {}',
    'the receiver threw: { code: 7 }',
    'the receiver threw: a value that cannot be read',
  ]);
  const transport = createReceiverTransport(() => unreadable as Response);
  expect(await transport.send(WEBHOOK, never)).toMatchObject({ status: null });
});

test('a function is told by its signal when its transport is closed or takes too long', async () => {
  const reasons: unknown[] = [];
  let calls = 0;
  const transport = createReceiverTransport(
    ({ signal }) =>
      new Promise(() => {
        calls += 1;
        signal.addEventListener('abort', () => reasons.push([signal.reason.name, signal.reason.message]));
      }),
  );
  expect(await transport.send({ ...WEBHOOK, timeoutMs: 1 }, never)).toMatchObject({
    cause: 'timed out after 0.001 s',
  });
  const sending = transport.send(WEBHOOK, never);
  await expect.poll(() => calls).toBe(2);
  transport.close();
  const cancelled = 'cancelled: the sandbox was reset or stopped';
  expect(await sending).toMatchObject({ status: null, body: null, cause: cancelled });
  expect(await transport.send(WEBHOOK, never)).toMatchObject({ cause: cancelled });
  expect(reasons).toEqual([
    ['AbortError', 'timed out after 0.001 s'],
    ['AbortError', cancelled],
  ]);
});
