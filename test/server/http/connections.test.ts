import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ACME_KEY, newCardholder } from '../../support/sandbox.ts';
import { expectSimpleError, startAttackTarget } from './hostile/attack-target.ts';
import { AUTHENTICATED, exchange, HOST, open, readResponses, responseTo } from './raw.ts';

/** The channel on which Node reports requests that arrive. */
const REQUEST_STARTS = 'http.server.request.start';

const KEPT_ALIVE = `${HOST}x-service-api-key: ${ACME_KEY}\r\n`;
const get = (path: string, head = KEPT_ALIVE) => `GET ${path} HTTP/1.1\r\n${head}\r\n`;
const post = (path: string, body: string, head = KEPT_ALIVE, extra = '') =>
  `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`;

test('responses to pipelined requests keep their order, a delayed one included', async () => {
  const { origin } = await startAttackTarget();
  const person = JSON.stringify(newCardholder());
  const requests = [
    post('/v1/partner/cardholders', person),
    post('/v1/partner/cardholders', person),
    get('/v1/partner/cardholders?limit=1'),
    post('/_sandbox/clock/advance', '{"duration":"1h"}'),
    get('/nothing'),
    get('/v1/partner/nothing'),
  ];
  const answers = await exchange(origin, requests.join(''), requests.length);
  expect(answers.map(({ status }) => status)).toEqual([201, 400, 200, 200, 404, 404]);
  const [created, , list, advanced] = answers.map(({ text }) => JSON.parse(text));
  expect(list.data).toEqual([created]);
  expect(advanced.now).toBe('2026-03-15T11:00:00.000Z');
});

test('a request has its own headers, however alike those of the request before are', async () => {
  const { origin } = await startAttackTarget();
  const path = '/v1/partner/cards';
  const wrong = ACME_KEY.replace(/.$/, last => (last === '0' ? '1' : '0'));
  const withKey = (key: string) => get(path, `${HOST}x-service-api-key: ${key}\r\n`);
  const keys = [ACME_KEY, wrong, ACME_KEY, wrong];
  const answers = await exchange(origin, keys.map(withKey).join(''), keys.length);
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 401]);
});

test('a connection is kept alive, also after a refusal', async () => {
  const { origin, expectUnharmed } = await startAttackTarget();
  const socket = await open(origin);
  for (const [request, status] of [
    [get('/v1/partner/cards'), 200],
    [post('/v1/partner/cards', '['), 400],
    [get('/v1/partner/cards', HOST), 401],
    [get('/v1/partner/cards'), 200],
  ] as const) {
    const answer = readResponses(socket);
    socket.write(request);
    expect((await answer)[0]?.status).toBe(status);
  }
  socket.destroy();
  await expectUnharmed();
});

test('an idle connection is closed when its time is over, but not when a request has arrived meanwhile', async () => {
  const { origin } = await startAttackTarget();
  for (const isUsed of [false, true]) {
    const served = connectionServed();
    const socket = await open(origin);
    const first = readResponses(socket);
    socket.write(get('/v1/partner/cards'));
    expect((await first)[0]?.status).toBe(200);
    const second = readResponses(socket);
    // The server ends the idle time now, and is busy until a request has arrived.
    (await served).setTimeout(1);
    await setImmediate();
    if (isUsed) socket.write(get('/v1/partner/cards'));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    expect((await second).map(({ status }) => status)).toEqual(isUsed ? [200] : []);
    socket.destroy();
  }
});

/** Resolves with the server's side of the connection of the next request that any server gets. */
function connectionServed(): Promise<Socket> {
  return new Promise(resolve => {
    const note = (message: unknown) => {
      unsubscribe(REQUEST_STARTS, note);
      // Messages of the channel have no type.
      resolve((message as { socket: Socket }).socket);
    };
    subscribe(REQUEST_STARTS, note);
  });
}

test('a request may arrive byte by byte', async () => {
  const { origin, expectUnharmed } = await startAttackTarget();
  const socket = await open(origin);
  socket.setNoDelay(true);
  const answer = readResponses(socket);
  for (const byte of Buffer.from(
    post('/v1/partner/cards/card_nothing/freeze', '{"a":"ü"}'.replace('ü', 'u')),
  )) {
    await new Promise(resolve => socket.write(Buffer.of(byte), resolve));
  }
  const [received] = await answer;
  socket.destroy();
  expectSimpleError(received ?? { status: 0, text: '' }, 404);
  await expectUnharmed();
});

test('a client that closes its own side still gets its response', async () => {
  const { origin, expectUnharmed } = await startAttackTarget();
  const socket = await open(origin);
  const answer = readResponses(socket);
  socket.end(get('/v1/partner/cards', AUTHENTICATED));
  expect((await answer)[0]?.status).toBe(200);
  await expectUnharmed();
});

test.each([
  ['a body of known length', 'Content-Length: 100\r\n\r\n{"cardholderId":'],
  ['a body in chunks', 'Transfer-Encoding: chunked\r\n\r\n10\r\n{"cardholderId":'],
  ['its headers', 'Content-Len'],
])('a client that disconnects in the middle of %s leaves nothing behind', async (_what, tail) => {
  const { origin, expectUnharmed, control } = await startAttackTarget();
  const head = `POST /v1/partner/cards HTTP/1.1\r\n${KEPT_ALIVE}Content-Type: application/json\r\n`;
  const { body: before } = await control('GET', '/requests');
  for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
    const socket = await open(origin);
    const closed = new Promise(resolve => socket.once('close', resolve));
    await new Promise(resolve => socket.write(head + tail, resolve));
    // Once the server has responded on another connection, it has read the bytes on this one.
    await responseTo(origin, get('/nothing', AUTHENTICATED));
    socket[leave]();
    socket.resume();
    await closed;
  }
  expect((await control('GET', '/requests')).body).toEqual(before);
  await expectUnharmed();
});

test('a client that disconnects before its response does no harm', async () => {
  const { origin, expectUnharmed } = await startAttackTarget();
  for (let round = 0; round < 20; round++) {
    const socket = await open(origin);
    await new Promise(resolve => socket.write(get('/v1/partner/cards').repeat(20), resolve));
    socket.resetAndDestroy();
  }
  await expectUnharmed();
});

test('Expect: 100-continue gets an interim response before the body, and then the response', async () => {
  const { origin } = await startAttackTarget();
  const socket = await open(origin);
  const body = JSON.stringify(newCardholder());
  const [head = ''] = post('/v1/partner/cardholders', body, AUTHENTICATED, 'Expect: 100-continue\r\n').split(
    '\r\n\r\n',
  );
  const interim = readResponses(socket);
  socket.write(`${head}\r\n\r\n`);
  expect((await interim)[0]?.status).toBe(100);
  const final = readResponses(socket);
  socket.write(body);
  expect((await final)[0]?.status).toBe(201);
  socket.destroy();
});

test('a client that sends too much gets its response while it still sends', async () => {
  const { origin, expectUnharmed } = await startAttackTarget();
  const socket = await open(origin);
  const answer = readResponses(socket);
  socket.write(
    `POST /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  for (let sent = 0; sent < 17; sent++) socket.write(chunk);
  const [received] = await answer;
  expectSimpleError(received ?? { status: 0, text: '' }, 400);
  socket.destroy();
  await expectUnharmed();
});
