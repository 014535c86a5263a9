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
