import { expect, test } from 'vitest';
import { answerOf, post, receive, transportWith } from './receiver.ts';

const CANCELLED = 'cancelled: the sandbox was reset or stopped';

test('a response that goes on after 64 KiB is not waited for', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n';
  const receiver = await receive(socket => socket.write(head + 'x'.repeat(70_000)));
  const outcome = await post(transportWith({ timeoutMs: 10_000 }), receiver.url);
  expect(outcome).toMatchObject({ status: 200, cause: null, body: 'x'.repeat(64 * 1024) });
  await receiver.allClosed();
});

test.each([
  ['ends after its status line', 'HTTP/1.1 200 OK\r\n'],
  ['ends within a header', 'HTTP/1.1 200 OK\r\nX-Half: ha'],
  ['ends within a header after an interim one', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 None\r\nX'],
  ['has headers that are too large', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`],
])('a response with a status of 2xx that %s is delivered', async (_what, bytes) => {
  for (const end of ['end', 'resetAndDestroy'] as const) {
    const receiver = await receive(socket => socket.write(bytes, () => setTimeout(() => socket[end](), 20)));
    const { status, cause } = await post(transportWith({ timeoutMs: 10_000 }), receiver.url);
    expect([cause, status]).toEqual([null, Number(bytes.match(/ (20\d) /)?.[1])]);
  }
});

test('a timeout that is longer than a timer of Node.js can be is one', async () => {
  const receiver = await receive(socket => void setTimeout(() => socket.write(answerOf(200)), 20));
  const outcome = await post(transportWith({ timeoutMs: 86_400_000 * 1_000 }), receiver.url);
  expect(outcome).toMatchObject({ status: 200, cause: null });
});

test('a send that is cancelled while it connects is not made once there is a connection', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  let asked = () => {};
  const asking = new Promise<void>(resolve => {
    asked = resolve;
  });
  let found = () => {};
  const transport = transportWith({
    resolve: () =>
      new Promise(resolve => {
        found = () => resolve([{ address: '127.0.0.1', family: 4 }]);
        asked();
      }),
  });
  const url = `http://hooks.test:${receiver.port}/`;
  const cancelling = new AbortController();
  const first = post(transport, `${url}first`, cancelling.signal);
  await asking;
  cancelling.abort();
  expect(await first).toMatchObject({ status: null, cause: CANCELLED });
  found();
  await expect.poll(() => receiver.accepted()).toBe(1);
  const second = post(transport, `${url}second`);
  await expect
    .poll(() => {
      found();
      return receiver.requests.map(text => text.split(' ')[1]);
    })
    .toEqual(['/second']);
  expect(await second).toMatchObject({ status: 200 });
});
