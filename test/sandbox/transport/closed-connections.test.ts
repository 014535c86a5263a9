import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { answerOf, post, receive, transportWith } from './receiver.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8');
const TLS = { key: file('key.pem'), cert: file('certificate.pem') };
const CLOSING = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
const SENDS = 40;
const AT_ONCE = 20;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Watches the sockets that connect from now on. Returns a function that counts those that are still in memory. */
function watchSockets(): () => number {
  const sockets: WeakRef<object>[] = [];
  // Messages of the channel have no type.
  const watch = (message: unknown) => void sockets.push(new WeakRef((message as { socket: object }).socket));
  subscribe('net.client.socket', watch);
  onTestFinished(() => void unsubscribe('net.client.socket', watch));
  return () => {
    collectGarbage();
    return sockets.filter(socket => socket.deref() !== undefined).length;
  };
}

/** The URL of a receiver that ends connections in one way. */
const RECEIVERS: Readonly<Record<string, () => Promise<string>>> = {
  'closes after its response': async () => (await receive(socket => socket.end(CLOSING))).url,
  'resets the connection': async () => (await receive(socket => socket.resetAndDestroy())).url,
  refuses: async () => 'http://127.0.0.1:1/hook',
  'never responds': async () => (await receive(() => undefined)).url,
  'speaks TLS': async () => (await receive(socket => socket.end(CLOSING), { tls: TLS })).url,
  'breaks off the handshake': async () =>
    (await receive(() => undefined, { onConnection: socket => socket.destroy() })).url.replace(
      'http',
      'https',
    ),
  'responds without HTTP': async () => (await receive(socket => socket.end('nonsense'))).url,
};

test(`no receiver leaves connections in memory: one that ${Object.keys(RECEIVERS).join(', ')}`, async () => {
  const urls = await Promise.all(Object.values(RECEIVERS).map(listen => listen()));
  const transport = transportWith({ insecureTls: true, timeoutMs: 200 });
  const sendToAll = () => Promise.all(urls.map(url => post(transport, url)));
  // The first sends load what all others share.
  await sendToAll();
  const socketsInMemory = watchSockets();
  for (let count = 0; count < SENDS / AT_ONCE; count++) {
    await Promise.all(Array.from({ length: AT_ONCE }, sendToAll));
  }
  // Some of the last connections are still closing, at both ends. A single way that leaks leaves more than this.
  await expect.poll(socketsInMemory).toBeLessThan(SENDS / 2);
});

test('a receiver that resets a connection after its response ends no process', async () => {
  const { url, accepted } = await receive(socket => {
    socket.write(answerOf(200));
    // By then the response is read, and its connection is not reused yet.
    setImmediate(() => setImmediate(() => socket.resetAndDestroy()));
  });
  const transport = transportWith();
  for (let count = 0; count < SENDS; count++) await post(transport, url);
  expect(accepted()).toBeGreaterThan(1);
});

/** Enough turns of the event loop for what was written to be read. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await new Promise(resolve => setImmediate(resolve));
}

test.each([
  ['a 204 with a length', 'HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n', '{}', 204],
  ['a 304 with chunks', 'HTTP/1.1 304 No\r\ntransfer-encoding: chunked\r\n\r\n', '2\r\n{}\r\n0\r\n\r\n', 304],
  ['a 204 without a length', 'HTTP/1.1 204 No\r\n\r\n', '{}', 204],
  ['a 200 with too short a length', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{', '}', 200],
  ['a 200 without a body', answerOf(200), answerOf(500), 200],
])('what follows %s late is not taken for the next response', async (_what, response, rest, status) => {
  let sendRest = () => {};
  const { url } = await receive(socket => {
    socket.write(response);
    sendRest = () => void socket.write(rest);
  });
  const transport = transportWith();
  for (let count = 0; count < 3; count++) {
    expect((await post(transport, url)).status).toBe(status);
    await turns();
    sendRest();
    await turns();
  }
});

test('sends add one listener to the signal that they wait for, however many there are', async () => {
  const { url } = await receive(socket => socket.write(answerOf(204)));
  const transport = transportWith();
  const { signal } = new AbortController();
  const sending = Array.from({ length: SENDS }, () => post(transport, url, signal));
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
  await Promise.all(sending);
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
});
