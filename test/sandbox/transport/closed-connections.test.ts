import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { answerOf, post, receive, transportWith } from './receiver.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8');
const TLS = { key: file('key.pem'), cert: file('certificate.pem') };
const CLOSING = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
const SENDS = 40;

/** Collects garbage, and returns how many sockets are still in memory. */
const socketsInMemory = () => queryObjects(Socket, { format: 'count' });

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

test.each(Object.keys(RECEIVERS))('a receiver that %s leaves nothing in memory', async way => {
  const url = (await RECEIVERS[way]?.()) ?? '';
  const transport = transportWith({ insecureTls: true, timeoutMs: 200 });
  // The first send loads what all others share.
  await post(transport, url);
  const before = socketsInMemory();
  for (let wave = 0; wave < 2; wave++) {
    await Promise.all(Array.from({ length: SENDS / 2 }, () => post(transport, url)));
  }
  // Some of the last connections are still closing, at both ends.
  await expect.poll(socketsInMemory).toBeLessThan(before + SENDS / 4);
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
