import { expect, test } from 'vitest';
import { answerOf, post, receive, transportWith } from './receiver.ts';

test('the duration of a send is the time that it took', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const before = performance.now();
  const { durationMs } = await post(transportWith(), receiver.url);
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - before));
});

test('a send that is cancelled while its turn comes is not made', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith();
  const cancelling = new AbortController();
  const sending = post(transport, receiver.url, cancelling.signal);
  cancelling.abort();
  expect(await sending).toMatchObject({ status: null, cause: 'cancelled: the sandbox was reset or stopped' });
  expect(await post(transport, receiver.url)).toMatchObject({ status: 200 });
  expect(receiver.requests).toHaveLength(1);
});
