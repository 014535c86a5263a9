import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../../../support/at-file-end.ts';
import { AUTHENTICATED, exchange, HOST, open, responseTo } from '../raw.ts';
import { type AttackTarget, expectSimpleError, startAttackTarget } from './attack-target.ts';

const KEY = AUTHENTICATED.slice(HOST.length);
const POST = 'POST /v1/partner/cards HTTP/1.1\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const LONG = 'a'.repeat(20_000);
const SHORT = 'a: b\r\n';

/** For requests that change nothing. */
let shared: AttackTarget;
const atEnd = atFileEnd();
beforeAll(async () => {
  shared = await startAttackTarget(atEnd);
});

test.each([
  ['garbage', 'garbage\r\n\r\n'],
  ['a TLS handshake', Buffer.from('16030100050102030405', 'hex')],
  ['a request line without a target', 'GET HTTP/1.1\r\n\r\n'],
  ['a relative target', `GET v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}\r\n`],
  ['an unknown version', `GET / HTTP/3.0\r\n${AUTHENTICATED}\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a space in the target', `GET /v1/partner /cards HTTP/1.1\r\n${AUTHENTICATED}\r\n`],
  ['a byte beyond ASCII in the target', Buffer.from(`GET /\xff HTTP/1.1\r\n${AUTHENTICATED}\r\n`, 'latin1')],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}nothing\r\n\r\n`],
  ['a space before a colon', `GET / HTTP/1.1\r\n${HOST}a : b\r\n\r\n`],
  ['a NUL in a header', `GET / HTTP/1.1\r\n${HOST}a: \0\r\n\r\n`],
  ['a negative length', `${POST}${AUTHENTICATED}${JSON_TYPE}Content-Length: -1\r\n\r\n`],
  ['a length out of range', `${POST}${AUTHENTICATED}Content-Length: ${'9'.repeat(30)}\r\n\r\n`],
  ['a length that is not decimal', `${POST}${AUTHENTICATED}Content-Length: 0x10\r\n\r\n`],
  ['two lengths', `${POST}${AUTHENTICATED}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
  [
    'both a length and chunks',
    `${POST}${AUTHENTICATED}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a length with a sign', `${POST}${AUTHENTICATED}${JSON_TYPE}Content-Length: +2\r\n\r\n{}`],
  ['a list of lengths', `${POST}${AUTHENTICATED}${JSON_TYPE}Content-Length: 2, 2\r\n\r\n{}`],
  [
    'a length and a coding that only ends like chunks',
    `${POST}${AUTHENTICATED}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: xchunked\r\n\r\n{}`,
  ],
  [
    'chunks twice over',
    `${POST}${AUTHENTICATED}${JSON_TYPE}${'Transfer-Encoding: chunked\r\n'.repeat(2)}\r\n0\r\n\r\n`,
  ],
  ['a chunk without a size', `${POST}${AUTHENTICATED}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  [
    'a chunk beyond all numbers',
    `${POST}${AUTHENTICATED}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(18)}\r\n{}`,
  ],
  ['chunks that are not the last coding', `${POST}${AUTHENTICATED}Transfer-Encoding: chunked, gzip\r\n\r\n`],
])('%s is a 400 with the simple body', async (_what, bytes) => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, bytes), 400);
  await expectUnharmed();
});

test('a request without a Host is a 400 with the simple body', async () => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, `GET /v1/partner/nothing HTTP/1.1\r\n${KEY}\r\n`), 400);
  expectSimpleError(await responseTo(origin, `GET /_sandbox/info HTTP/1.1\r\n${KEY}\r\n`), 400);
  await expectUnharmed();
});

test('HTTP/1.0 needs no Host for the API, and cannot reach the control plane without one', async () => {
  const { origin, expectUnharmed } = shared;
  expect((await responseTo(origin, `GET /v1/partner/cards HTTP/1.0\r\n${KEY}\r\n`)).status).toBe(200);
  expectSimpleError(await responseTo(origin, `GET /_sandbox/info HTTP/1.0\r\n${KEY}\r\n`), 400);
  await expectUnharmed();
});

test.each(['Host: \r\n', 'Host: a b\r\n', 'Host: [::1%lo]\r\n', 'Host: evil.example\r\nHost: 127.0.0.1\r\n'])(
  'the header %j does not open the control plane and does not harm the API',
  async host => {
    const { origin, expectUnharmed } = shared;
    expect(
      (await responseTo(origin, `GET /v1/partner/cards HTTP/1.1\r\n${host}${KEY}\r\n`)).status,
    ).toBeLessThan(500);
    const answer = await responseTo(origin, `GET /_sandbox/info HTTP/1.1\r\n${host}${KEY}\r\n`);
    expect(answer.status).toBeLessThan(500);
    if (!host.includes('::1')) expectSimpleError(answer, 400);
    await expectUnharmed();
  },
);

test.each([
  ['a header', `GET /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}X-Long: ${LONG}\r\n\r\n`],
  ['the name of a header', `GET /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}${LONG}: x\r\n\r\n`],
  ['a target', `GET /v1/partner/${LONG} HTTP/1.1\r\n${AUTHENTICATED}\r\n`],
  ['a header section', `GET /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}${SHORT.repeat(10_000)}\r\n`],
])('%s that is too long is a 431', async (_what, bytes) => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, bytes), 431);
  await expectUnharmed();
});

test('headers beyond ASCII are echoed or ignored', async () => {
  const { origin, expectUnharmed } = shared;
  const odd = 'Origin: http://\xff\x80\r\nAccess-Control-Request-Headers: \xfe\t\x80\r\n';
  for (const method of ['GET', 'OPTIONS']) {
    const bytes = Buffer.from(`${method} /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}${odd}\r\n`, 'latin1');
    expect([200, 204]).toContain((await responseTo(origin, bytes)).status);
  }
  await expectUnharmed();
});

test('an unsupported expectation is refused with the simple body', async () => {
  const { origin, expectUnharmed } = shared;
  const bytes = `${POST}${AUTHENTICATED}${JSON_TYPE}Expect: miracles\r\nContent-Length: 0\r\n\r\n`;
  expectSimpleError(await responseTo(origin, bytes), 417);
  await expectUnharmed();
});

test('CONNECT opens no tunnel: it is refused with the simple body', async () => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, `CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`), 400);
  await expectUnharmed();
});

test('a client that resets its connection after CONNECT ends no process', async () => {
  const { origin, expectUnharmed } = shared;
  for (let count = 0; count < 20; count++) {
    const socket = await open(origin);
    socket.write(`CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`, () => void socket.resetAndDestroy());
  }
  await expectUnharmed();
});

test('the connection ends after the response to malformed HTTP', async () => {
  const { origin, expectUnharmed } = shared;
  const two = `garbage\r\n\r\nGET /v1/partner/cards HTTP/1.1\r\n${AUTHENTICATED}\r\n`;
  const answers = await exchange(origin, two, 2);
  expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([[400, 'close']]);
  await expectUnharmed();
});

test('complete requests before malformed HTTP get their responses first', async () => {
  const { origin, api } = await startAttackTarget();
  const open = `POST /v1/partner/kyc-sessions HTTP/1.1\r\n${HOST}${KEY.replace('Connection: close\r\n', '')}${JSON_TYPE}`;
  const bytes = `${open}Content-Length: 2\r\n\r\n{}`;
  const answers = await exchange(origin, `${bytes}${bytes}{"more": "than was announced"}`, 3);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 400]);
  const [first] = answers.map(({ text }) => JSON.parse(text));
  expect((await api('GET', `/partner/kyc-sessions/${first.id}`)).status).toBe(200);
  const cut = `${bytes}${open}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`;
  const statuses = (await exchange(origin, cut, 3)).map(({ status }) => status);
  expect(statuses, 'an incomplete request is only refused').toEqual([201, 400]);
});
