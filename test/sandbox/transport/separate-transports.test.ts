import { expect, onTestFinished, test } from 'vitest';
import type { Redirection } from '../../../src/sandbox/transport/destination.ts';
import { type HttpTransportOptions, httpTransports } from '../../../src/sandbox/transport/http-transport.ts';
import { answerOf, post, receive } from './receiver.ts';

const DIRECT: Redirection = { forwardTo: null, map: [] };
const CANCELLED = { status: null, cause: 'cancelled: the sandbox was reset or stopped' };

/** The transports of one server, each closed with the test. */
function transports(options: Partial<HttpTransportOptions> = {}) {
  const create = httpTransports({
    egress: 'private',
    ca: undefined,
    insecureTls: false,
    ownAddress: () => null,
    timeoutMs: 60_000,
    ...options,
  });
  return (redirection = () => DIRECT) => {
    const transport = create(redirection);
    onTestFinished(() => transport.close());
    return transport;
  };
}

/** A receiver that responds to the events of one sender only. */
const receivePolitely = () =>
  receive((socket, request) => {
    if (request.startsWith('POST /polite')) socket.write(answerOf(200));
  });

test('sends that hang and wait for a slot take no slot of another transport of the server', async () => {
  const receiver = await receivePolitely();
  const create = transports({ maxSends: 2 });
  const [busy, other] = [create(), create()];
  const sends = Array.from({ length: 50 }, () => post(busy, receiver.url));
  await expect.poll(() => receiver.requests.length).toBe(2);
  const polite = new URL('/polite', receiver.url).href;
  for (let count = 0; count < 5; count++) expect(await post(other, polite)).toMatchObject({ status: 200 });
  busy.close();
  expect(await Promise.all(sends)).toMatchObject(sends.map(() => CANCELLED));
});

test('closing a transport ends its sends and connections, and none of another transport', async () => {
  const receiver = await receivePolitely();
  const create = transports({ maxSends: 3 });
  const [ending, other] = [create(), create()];
  const sends = Array.from({ length: 10 }, () => post(ending, receiver.url));
  let hasEnded = false;
  const otherSend = post(other, receiver.url).finally(() => {
    hasEnded = true;
  });
  await expect.poll(() => receiver.requests.length).toBe(4);
  ending.close();
  expect(await Promise.all(sends)).toMatchObject(sends.map(() => CANCELLED));
  await expect.poll(() => receiver.open()).toBe(1);
  expect(hasEnded).toBe(false);
  expect(await post(ending, receiver.url)).toMatchObject(CANCELLED);
  expect(receiver.requests).toHaveLength(4);
  other.close();
  expect(await otherSend).toMatchObject(CANCELLED);
  await receiver.allClosed();
});

test('closing a transport ends a connection that is being established', async () => {
  const receiver = await receive(() => {});
  const transport = transports()();
  // The receiver does not speak TLS, so the connection stays incomplete.
  const sent = post(transport, receiver.url.replace('http:', 'https:'));
  await expect.poll(() => receiver.open()).toBe(1);
  transport.close();
  expect(await sent).toMatchObject(CANCELLED);
  await receiver.allClosed();
});

test('the destination of a send follows the redirection of its transport at that moment', async () => {
  const [configured, forwarded] = await Promise.all([receivePolitely(), receivePolitely()]);
  const create = transports();
  let redirection = DIRECT;
  const [changing, other] = [create(() => redirection), create()];
  const [from, to] = [new URL('/polite', configured.url).href, new URL('/polite', forwarded.url).href];
  expect(await post(changing, from)).toMatchObject({ status: 200, url: from });
  redirection = { forwardTo: to, map: [] };
  expect(await post(changing, from)).toMatchObject({ status: 200, url: to });
  redirection = { forwardTo: null, map: [{ from: new URL(from), to: new URL(to) }] };
  expect(await post(changing, from)).toMatchObject({ status: 200, url: to });
  expect(await post(other, from)).toMatchObject({ status: 200, url: from });
  expect([configured.requests.length, forwarded.requests.length]).toEqual([2, 2]);
});

test('closing a transport before its first send is done at once, and it then sends nothing', async () => {
  const receiver = await receivePolitely();
  const transport = transports()();
  transport.close();
  expect(await post(transport, receiver.url)).toMatchObject(CANCELLED);
  expect(receiver.accepted()).toBe(0);
});
