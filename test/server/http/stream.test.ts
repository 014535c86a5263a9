import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { serve } from '../../../src/server/http/server.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { manualTime } from '../../support/manual-time.ts';
import { ACME_KEY, START } from '../../support/sandbox.ts';
import { HOST, open, readResponses } from './raw.ts';

const STREAM = `GET /_sandbox/stream HTTP/1.1\r\n${HOST}\r\n`;
const LONG_GRACE = 60_000;

/** A served sandbox that counts its open streams: each has one timer, and a frozen clock has none. */
async function start() {
  const { realTime } = manualTime();
  const timers = new Set<object>();
  const sandbox = createSandboxCore(
    { fixtures: ['empty'], clock: START, freeze: true, rateLimit: 0 },
    {
      realTime: {
        ...realTime,
        after(delayMs, task) {
          const end = realTime.after(delayMs, task);
          timers.add(end);
          return () => {
            timers.delete(end);
            end();
          };
        },
      },
    },
  );
  const options = { port: 0, host: '127.0.0.1', trustProxy: false, controlToken: 'token' };
  const running = await serve(sandbox, options);
  onTestFinished(async () => {
    sandbox.stop();
    await running.close(0);
  });
  const health = () => fetch(`${running.origin}/_sandbox/health`).then(response => response.text());
  const streams = async (count: number) => {
    while (timers.size !== count) await health();
  };
  const api = (bodyLength = 0) =>
    sandbox.handle({
      method: 'POST',
      path: '/v1/partner/cards',
      query: '',
      headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ cardholderId: 'x'.repeat(bodyLength) })),
      remoteAddress: '127.0.0.1',
    });
  return { ...running, streams, api };
}

async function connected(origin: string, bytes: string): Promise<Socket> {
  const socket = await open(origin);
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return socket;
}

const gone = (socket: Socket) => new Promise<void>(resolve => socket.once('close', () => resolve()));

test('a stream ends with its connection, however that is closed', async () => {
  const { origin, streams, api } = await start();
  const reader = await openEventStream(origin);
  const sockets = await Promise.all(Array.from({ length: 3 }, () => connected(origin, STREAM)));
  await streams(4);
  reader.disconnect();
  await streams(3);
  const [ends, destroys, resets] = sockets;
  ends?.end();
  await streams(2);
  destroys?.destroy();
  await streams(1);
  resets?.resetAndDestroy();
  await streams(0);
  expect(api().status).toBe(400);
});

test('hundreds of readers that connect and disconnect leave nothing behind', async () => {
  const { origin, streams, api } = await start();
  for (let round = 0; round < 10; round++) {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(origin)));
    const greetings = sockets.map(socket => new Promise(resolve => socket.once('data', resolve)));
    for (const socket of sockets) socket.write(STREAM);
    await Promise.all(greetings);
    api();
    for (const socket of sockets) socket.destroy();
  }
  await streams(0);
});

test('the connection of a reader that does not read is closed before its backlog reaches a few mebibytes', async () => {
  const { origin, streams, api } = await start();
  const stuck = await connected(origin, STREAM);
  await new Promise(resolve => stuck.once('data', resolve));
  stuck.pause();
  const reader = await openEventStream(origin, '?kinds=reset');
  await streams(2);
  // More than any system buffers for a connection.
  for (let count = 0; count < 3_000; count++) {
    api(16_000);
    if (count % 100 === 0) await fetch(`${origin}/_sandbox/health`);
  }
  await streams(1);
  reader.disconnect();
  await streams(0);
});

test('a stream behind a response that is never sent is not started, and is released with its connection', async () => {
  const { origin, streams, api } = await start();
  const socket = await connected(origin, STREAM + STREAM.repeat(20));
  await streams(1);
  for (let count = 0; count < 20; count++) api(16_000);
  socket.destroy();
  await streams(0);
});

test('the messages of one turn are written in a few pieces', async () => {
  const { origin, streams, api } = await start();
  const socket = await connected(origin, STREAM);
  await streams(1);
  let text = '';
  const received = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      text += chunk;
      if (text.split('event: request').length > 50) resolve();
    });
  });
  for (let count = 0; count < 50; count++) api();
  await received;
  // The head of each chunk is its size, between line ends.
  const chunks = text.match(/\r\n[\da-f]+\r\n(?=event: )/g);
  expect(chunks?.length).toBeLessThan(10);
});

test('messages that are not written yet are sent when the server closes', async () => {
  const { origin, streams, api, close } = await start();
  const reader = await openEventStream(origin, '?kinds=request');
  await streams(1);
  await reader.nextBlock();
  api();
  await reader.next(1);
  api();
  const closing = close(LONG_GRACE);
  expect(await reader.ended()).toMatch(/^event: request/);
  await closing;
});

test('a client of HTTP/1.0 can read a stream', async () => {
  const { origin, api, streams } = await start();
  const socket = await connected(origin, 'GET /_sandbox/stream HTTP/1.0\r\nHost: localhost\r\n\r\n');
  await streams(1);
  let text = '';
  const received = new Promise<void>(resolve => {
    socket.on('data', bytes => {
      text += bytes;
      if (text.includes('event: request\ndata: {')) resolve();
    });
  });
  api();
  await received;
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('open streams end when the server closes, and do not delay it', async () => {
  const { origin, streams, close } = await start();
  const reader = await openEventStream(origin);
  const sockets = await Promise.all([connected(origin, STREAM), connected(origin, STREAM)]);
  await streams(3);
  const all = Promise.all(sockets.map(gone));
  for (const socket of sockets) socket.resume().once('end', () => socket.end());
  const ended = reader.ended();
  await close(LONG_GRACE);
  await all;
  expect(await ended).toMatch(/^: hello/);
});

test('delayed responses are sent at once when the server closes, and are the last on their connection', async () => {
  const { origin, close } = await start();
  const socket = await open(origin);
  const answers = readResponses(socket);
  const key = `x-service-api-key: ${ACME_KEY}\r\n`;
  socket.write(`GET /v1/partner/cards HTTP/1.1\r\n${HOST}${key}X-Sandbox-Fault: delay=60s\r\n\r\n`);
  const handled = async () => {
    const response = await fetch(`${origin}/_sandbox/requests`);
    return ((await response.json()) as unknown[]).length === 1;
  };
  while (!(await handled()));
  socket.once('end', () => socket.end());
  await close(LONG_GRACE);
  const [answer] = await answers;
  expect(answer?.status).toBe(200);
  expect(answer?.headers.connection).toBe('close');
});
