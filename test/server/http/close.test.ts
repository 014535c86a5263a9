import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { type RunningServer, serve } from '../../../src/server/http/server.ts';
import { ACME_KEY } from '../../support/sandbox.ts';
import { HOST, open, readResponses } from './raw.ts';

const GET = `GET /v1/partner/cards HTTP/1.1\r\n${HOST}x-service-api-key: ${ACME_KEY}\r\n\r\n`;
const BODY = '{"cardholderId":"x","cardProgramId":"y"}';
const POST_HEAD = `POST /v1/partner/cards HTTP/1.1\r\n${HOST}x-service-api-key: ${ACME_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
const LONG_GRACE = 60_000;
const SHORT_GRACE = 50;

async function start(): Promise<RunningServer> {
  const sandbox = createSandboxCore({ fixtures: ['empty'] });
  const options = { port: 0, host: '127.0.0.1', trustProxy: false, controlToken: 'token' };
  const running = await serve(sandbox, options);
  onTestFinished(async () => {
    sandbox.stop();
    await running.close(0);
  });
  return running;
}

/** A connection on which the server has read some bytes and sent a number of responses. */
async function connected(origin: string, bytes: string, responses: number): Promise<Socket> {
  const socket = await open(origin);
  if (responses > 0) {
    const received = readResponses(socket, responses);
    socket.write(bytes);
    await received;
    return socket;
  }
  if (bytes !== '') await new Promise(resolve => socket.write(bytes, resolve));
  // Once the server has responded on another connection, it has read the bytes on this one.
  const other = await open(origin);
  const received = readResponses(other);
  other.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await received;
  other.destroy();
  return socket;
}

const ended = (socket: Socket) =>
  new Promise<void>(resolve => {
    socket.once('close', () => resolve());
    socket.once('end', () => socket.end());
    socket.resume();
  });

test('a server without connections closes at once', async () => {
  const { close } = await start();
  await close(LONG_GRACE);
});

test('idle connections are closed at once', async () => {
  const { origin, close } = await start();
  const sockets = await Promise.all([connected(origin, GET, 1), connected(origin, GET + GET, 2)]);
  const gone = Promise.all(sockets.map(ended));
  await close(LONG_GRACE);
  await gone;
});

test('a request in flight finishes, its connection is closed, and no new one is accepted', async () => {
  const { origin, close } = await start();
  const socket = await connected(origin, POST_HEAD, 0);
  const closing = close(LONG_GRACE);
  await expect(open(origin)).rejects.toThrow(/ECONNREFUSED/);
  const answer = readResponses(socket);
  socket.write(BODY);
  const [received] = await answer;
  expect(received?.status).toBe(404);
  // The connection is not kept alive.
  expect(received?.headers.connection).toBe('close');
  await Promise.all([closing, ended(socket)]);
});

test.each([
  ['a body that never ends', POST_HEAD, 0],
  ['headers that never end', 'GET /v1/partner/cards HTTP/1.1\r\nHost: a', 0],
  ['a connection without a request', '', 0],
  ['a body that continues after its refusal', POST_HEAD.replace(/Length: \d+/, 'Length: 9999999'), 1],
  ['a malformed request whose client keeps the connection', 'garbage\r\n\r\n', 1],
])('%s delays the close by at most the grace period', async (_what, bytes, answers) => {
  const closes: (() => Promise<number>)[] = [];
  for (const graceMs of [SHORT_GRACE, LONG_GRACE]) {
    const { origin, close } = await start();
    const socket = await connected(origin, bytes, answers);
    onTestFinished(() => void socket.destroy());
    closes.push(() => close(graceMs).then(() => graceMs));
  }
  // The server with the long grace period does not close first, whatever the speed of this machine is.
  expect(await Promise.race(closes.map(close => close()))).toBe(SHORT_GRACE);
});

test('a refused CONNECT whose client keeps the connection does not delay the close', async () => {
  const { origin, close } = await start();
  const socket = await connected(origin, `CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`, 1);
  onTestFinished(() => void socket.destroy());
  await close(LONG_GRACE);
});

test('a server can be closed twice', async () => {
  const { close } = await start();
  await Promise.all([close(LONG_GRACE), close(LONG_GRACE)]);
  await close(LONG_GRACE);
});

test('a busy port rejects the start and does not end the process', async () => {
  const { origin } = await start();
  const options = {
    port: Number(new URL(origin).port),
    host: '127.0.0.1',
    trustProxy: false,
    controlToken: '',
  };
  await expect(serve(createSandboxCore({ fixtures: ['empty'] }), options)).rejects.toThrow(/EADDRINUSE/);
});
