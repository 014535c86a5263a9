import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Answer, answerOf, post, receive, transportWith } from './receiver.ts';

/** The time-out of receivers that reach it, that of the others, and how much later than it a verdict may come. */
const TIMEOUT_MS = 600;
const PATIENCE_MS = 10_000;
const SLACK_MS = 5_000;
const TIMED_OUT = { status: null, body: null, cause: 'timed out after 0.6 s' };

const dripBody: Answer = socket => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), 50);
  socket.on('close', () => clearInterval(timer));
};
const dripHead: Answer = socket => {
  const timer = setInterval(() => socket.write('HTTP/1.1 200 OK'[socket.bytesWritten] ?? 'K'), 50);
  socket.on('close', () => clearInterval(timer));
};
const endless =
  (opening: string, piece: string): Answer =>
  socket => {
    socket.write(opening);
    const more = () => {
      // The receiver shares its thread with the sender, so it must leave it some time.
      if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
    };
    more();
  };
const say =
  (...texts: (string | Buffer)[]): Answer =>
  socket => {
    for (const text of texts) socket.write(text);
  };
const sayAndClose =
  (text: string): Answer =>
  socket =>
    socket.end(text);

const resetAfter =
  (text: string): Answer =>
  socket =>
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));

const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
const DELIVERED = { status: 200, cause: null };

type Case = [what: string, answer: Answer, verdict: { status: number | null; cause: unknown }];

const CASES: Case[] = [
  ['hangs', () => {}, TIMED_OUT],
  ['sends empty lines for ever', endless('', '\r\n'), TIMED_OUT],
  ['drips its head a byte at a time', dripHead, TIMED_OUT],
  ['drips its body a byte at a time', dripBody, TIMED_OUT],
  [
    'closes the connection',
    socket => socket.end(),
    { status: null, cause: 'connection closed before a response' },
  ],
  ['resets the connection', socket => socket.resetAndDestroy(), { status: null, cause: 'connection reset' }],
  ['answers 500', say(answerOf(500, 'no')), { status: 500, cause: 'answered 500' }],
  ['answers 404', say(answerOf(404)), { status: 404, cause: 'answered 404' }],
  ['answers 999', say(answerOf(999)), { status: 999, cause: 'answered 999' }],
  ['answers 304', say('HTTP/1.1 304 No\r\n\r\n'), { status: 304, cause: 'redirect refused' }],
  [
    'answers a status of four digits',
    say(answerOf(2000)),
    { status: null, cause: /^not an HTTP response: ./ },
  ],
  ['answers 103 and then nothing', say('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), TIMED_OUT],
  ['answers 103 for ever', endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), TIMED_OUT],
  ['answers 100 and then nothing', say('HTTP/1.1 100 Continue\r\n\r\n'), TIMED_OUT],
  ['answers 100 and then 200', say('HTTP/1.1 100 Continue\r\n\r\n', answerOf(200)), DELIVERED],
  ...['000', '001', '099'].map(
    (status): Case => [
      `answers ${status}`,
      say(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`),
      { status: null, cause: `not an HTTP response: status ${status}` },
    ],
  ),
  [
    'answers 204 with a length',
    say('HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n'),
    { status: 204, cause: null },
  ],
  [
    'answers 204 with a body',
    say('HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n{}'),
    { status: 204, cause: null },
  ],
  [
    'has two equal lengths after an interim response',
    say(
      'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 201 OK\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\na',
    ),
    { status: 201, cause: null },
  ],
  [
    'answers 500 and cuts its body',
    sayAndClose('HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\nhalf'),
    { status: 500, cause: 'answered 500' },
  ],
  [
    'answers 200 and resets the connection',
    resetAfter('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    DELIVERED,
  ],
  ['answers 200 and a body without end', say('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'), TIMED_OUT],
  [
    'changes the protocol',
    say('HTTP/1.1 101 Switching Protocols\r\nupgrade: chat\r\nconnection: upgrade\r\n\r\n'),
    { status: null, cause: 'not an HTTP response: unexpected protocol upgrade' },
  ],
  [
    'answers 103 and then 200',
    say('HTTP/1.1 103 Early Hints\r\n\r\n', answerOf(204)),
    { status: 204, cause: null },
  ],
  [
    'sends a header without end',
    endless('HTTP/1.1 200 OK\r\nx-long: ', 'x'.repeat(10_000)),
    { status: 200, cause: null },
  ],
  [
    'sends headers without end',
    endless('HTTP/1.1 200 OK\r\n', 'x-more: yes\r\n'.repeat(100)),
    { status: 200, cause: null },
  ],
  [
    'sends a reason without end',
    endless('HTTP/1.1 200 ', 'x'.repeat(10_000)),
    { status: null, cause: 'not an HTTP response: its headers are too large' },
  ],
  [
    'sends trailers without end',
    endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'x-more: yes\r\n'.repeat(100)),
    DELIVERED,
  ],
  [
    'cuts its chunks',
    sayAndClose('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n100\r\nhalf'),
    DELIVERED,
  ],
  ['cuts its body', sayAndClose('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'), DELIVERED],
  [
    'cuts its body and says close',
    sayAndClose('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nhalf'),
    DELIVERED,
  ],
  ['sends a chunk of no size', say('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'), DELIVERED],
  ['has two lengths', say('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'), DELIVERED],
  ['speaks something else', say('220 smtp ready\r\n'), { status: null, cause: /^not an HTTP response: ./ }],
  [
    'sends bytes without meaning',
    say(Buffer.alloc(100_000, 0xff)),
    { status: null, cause: /^not an HTTP response: ./ },
  ],
];

test.each(CASES)(
  'a receiver that %s gets its verdict in time, with the cause in words',
  async (_, answer, verdict) => {
    const { url } = await receive(answer);
    // Others need the time that a busy machine takes to read what they send.
    const timeoutMs = verdict === TIMED_OUT ? TIMEOUT_MS : PATIENCE_MS;
    const outcome = await post(transportWith({ timeoutMs }), url);
    const cause = verdict.cause instanceof RegExp ? expect.stringMatching(verdict.cause) : verdict.cause;
    expect(outcome).toMatchObject({ ...verdict, cause, url });
    expect(outcome.durationMs).toBeLessThan(timeoutMs + SLACK_MS);
  },
);

test.each([301, 302, 303, 307, 308])('a redirect %i is refused and not followed', async status => {
  const receiver = await receive(socket => {
    socket.write(`HTTP/1.1 ${status} Moved\r\nlocation: /hook\r\ncontent-length: 2\r\n\r\nno`);
  });
  const outcome = await post(transportWith(), receiver.url);
  expect(outcome).toMatchObject({ status, cause: 'redirect refused', body: 'no' });
  expect(receiver.requests).toHaveLength(1);
});

test.each([
  ['a length', (body: Buffer) => [`content-length: ${body.length}\r\n\r\n`, body]],
  [
    'chunks',
    (body: Buffer) => [
      `transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
      body,
      '\r\n0\r\n\r\n',
    ],
  ],
  ['the end of the connection', (body: Buffer) => ['\r\n', body]],
])('of 5 MB sent with %s 64 KiB are kept; the status stands and the connection ends', async (_, parts) => {
  const body = Buffer.alloc(5 * 1024 * 1024, 'x');
  const receiver = await receive(socket => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (const part of parts(body)) socket.write(part);
  });
  const outcome = await post(transportWith(), receiver.url);
  expect(outcome).toMatchObject({ status: 200, cause: null, body: 'x'.repeat(64 * 1024) });
  await receiver.allClosed();
});

test('a character that the cut splits is dropped; invalid UTF-8 is replaced', async () => {
  const long = await receive(say(answerOf(200, `x${'ü'.repeat(40_000)}`)));
  expect((await post(transportWith(), long.url)).body).toBe(`x${'ü'.repeat(32_767)}`);
  const broken = await receive(
    say('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n', Buffer.from([0x61, 0xff, 0xc3])),
  );
  expect((await post(transportWith(), broken.url)).body).toBe('a\ufffd\ufffd');
});

test.each(['4242424242424242', '4242 4242 4242 4242'])('%s at the cut is not kept in part', async number => {
  for (const place of [1, 5, 13, number.length - 1]) {
    const filler = 'x'.repeat(64 * 1024 - place);
    const { url } = await receive(say(answerOf(200, `${filler}${number} and more`)));
    expect((await post(transportWith(), url)).body).toBe(`${filler}***`);
  }
});

test('a gzip bomb is not decompressed', async () => {
  const { url } = await receive(
    say(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
  );
  const outcome = await post(transportWith(), url);
  expect(outcome).toMatchObject({ status: 200, cause: null });
  expect(outcome.body?.length).toBeLessThanOrEqual(64 * 1024);
});

test('an endless response is cut and does not accumulate in memory', async () => {
  const { url, allClosed } = await receive(
    endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `10000\r\n${'x'.repeat(65_536)}\r\n`),
  );
  const transport = transportWith({ timeoutMs: 15_000 });
  const before = process.memoryUsage().rss;
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => post(transport, url)));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]));
  await allClosed();
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test('a receiver that closes each connection before a request gets one attempt per send', async () => {
  const receiver = await receive(() => {}, { onConnection: socket => socket.destroy() });
  const outcome = await post(transportWith(), receiver.url);
  expect(outcome.cause).toMatch(/^connection (reset|closed before a response)$/);
  expect(receiver.accepted()).toBe(1);
});

test('sends are not delayed by hanging receivers', async () => {
  const [hanging, healthy] = await Promise.all([receive(() => {}), receive(say(answerOf(200)))]);
  const transport = transportWith({ timeoutMs: 60_000 });
  const stuck = Array.from({ length: 300 }, () => post(transport, hanging.url));
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => post(transport, healthy.url)));
  expect(outcomes.every(({ status, durationMs }) => status === 200 && durationMs < 5_000)).toBe(true);
  await expect.poll(() => hanging.requests.length).toBe(128);
  expect(hanging.accepted()).toBe(128);
  transport.close();
  expect(new Set((await Promise.all(stuck)).map(({ cause }) => cause))).toEqual(
    new Set(['cancelled: the sandbox was reset or stopped']),
  );
});
