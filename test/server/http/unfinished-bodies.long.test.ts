import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ACME_KEY, newCardholder } from '../../support/sandbox.ts';
import { expectSimpleError, startAttackTarget } from './hostile/attack-target.ts';
import { HOST, open, type RawResponse, readResponses } from './raw.ts';

const MEBIBYTE = 1024 * 1024;
const HEAD = `${HOST}x-service-api-key: ${ACME_KEY}\r\nContent-Type: application/json\r\n`;

/** Sends the head of a request and part of its body. */
async function sendPart(origin: string, line: string, length: number, part: number): Promise<Socket> {
  const socket = await open(origin);
  onTestFinished(() => void socket.destroy());
  socket.write(`${line} HTTP/1.1\r\n${HEAD}Content-Length: ${length}\r\n\r\n{"x":"`);
  socket.write(Buffer.alloc(part - 6, 'y'));
  return socket;
}

/** The channel on which Node reports requests that arrive. */
const ARRIVED = 'http.server.request.start';

/** Lifts the limits on the time of a request for all servers of this test: a busy machine exceeds them. */
function liftTimeLimits(): void {
  // Messages of the channel have no type.
  const lift = (message: unknown) => {
    const { server } = message as { server: Server };
    server.headersTimeout = 0;
    server.requestTimeout = 0;
  };
  subscribe(ARRIVED, lift);
  onTestFinished(() => void unsubscribe(ARRIVED, lift));
}

/** The first response of any of these connections. */
function firstResponse(sockets: readonly Socket[]): Promise<RawResponse | undefined> {
  return Promise.race(sockets.map(async socket => (await readResponses(socket))[0]));
}

test('beyond 64 MiB of unfinished bodies, a large body is a 503 and small ones are read', async () => {
  liftTimeLimits();
  const { origin, api, control, expectUnharmed } = await startAttackTarget();
  const sockets: Socket[] = [];
  for (let client = 0; client < 80; client++) {
    sockets.push(await sendPart(origin, 'POST /v1/partner/cards', MEBIBYTE, 900 * 1024));
  }
  const refused = await firstResponse(sockets);
  expectSimpleError(refused ?? { status: 0, text: '' }, 503);
  expect(refused?.headers.connection).toBe('close');
  expect(refused?.text).toContain('64 MiB');
  await expectUnharmed();
  expect((await api('POST', '/partner/cardholders', newCardholder())).status).toBe(201);
  expect((await control('POST', '/clock/advance', { duration: '1s' })).status).toBe(200);
});

test('unfinished state documents share the 64 MiB', async () => {
  liftTimeLimits();
  const { origin, api, control, expectUnharmed } = await startAttackTarget();
  const part = 8 * MEBIBYTE;
  const sockets: Socket[] = [];
  for (let client = 0; client < 12; client++) {
    sockets.push(await sendPart(origin, 'PUT /_sandbox/state', 60 * MEBIBYTE, part));
  }
  expectSimpleError((await firstResponse(sockets)) ?? { status: 0, text: '' }, 503);
  await expectUnharmed();
  expect((await api('POST', '/partner/cardholders', newCardholder())).status).toBe(201);
  expect((await control('POST', '/clock/advance', { duration: '1s' })).status).toBe(200);
});

test('a state document in chunks is refused once it exceeds 64 MiB', async () => {
  liftTimeLimits();
  const { origin, expectUnharmed } = await startAttackTarget();
  const socket = await open(origin);
  onTestFinished(() => void socket.destroy());
  socket.write(`PUT /_sandbox/state HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
  const answer = readResponses(socket);
  for (let sent = 0; sent <= 64; sent++) {
    socket.write(`${MEBIBYTE.toString(16)}\r\n${' '.repeat(MEBIBYTE)}\r\n`);
    await new Promise(setImmediate);
  }
  const [refused] = await answer;
  expectSimpleError(refused ?? { status: 0, text: '' }, 400);
  expect(refused?.text).toContain('must be at most 67108864 bytes (64 MiB)');
  await expectUnharmed();
});

test('bodies that are finished or given up make room for others', async () => {
  const { origin, control } = await startAttackTarget();
  const part = 900 * 1024;
  // Two rounds together exceed 64 MiB.
  for (let round = 0; round < 2; round++) {
    const sockets: Socket[] = [];
    for (let client = 0; client < 60; client++) {
      sockets.push(await sendPart(origin, 'POST /v1/partner/cards', MEBIBYTE, part));
    }
    const closed = sockets.map(socket => new Promise(resolve => socket.once('close', resolve)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    // A request of its own gives the server a turn to notice.
    expect((await control('GET', '/health')).status).toBe(200);
  }
  const whole = await sendPart(origin, 'POST /v1/partner/cards', part, part);
  expectSimpleError((await readResponses(whole))[0] ?? { status: 0, text: '' }, 400);
});
