import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionSlots } from '../../../src/sandbox/transport/http-transport.ts';
import { answerOf, post, receive, transportWith } from './receiver.ts';

const CANCELLED = { status: null, body: null, cause: 'cancelled: the sandbox was reset or stopped' };
const never = new AbortController().signal;

test('consecutive sends reuse a connection', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith();
  for (let count = 0; count < 5; count += 1) await post(transport, receiver.url);
  expect(receiver.requests).toHaveLength(5);
  // The next send may begin a moment before the connection is ready again.
  expect(receiver.accepted()).toBeLessThanOrEqual(2);
});

test('bytes after a response are not mistaken for the next response', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200) + answerOf(500)));
  const transport = transportWith();
  const statuses: (number | null)[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await post(transport, receiver.url)).status);
  expect(statuses).toEqual(Array(5).fill(200));
});

test('a receiver that closes the connection after each response receives every request', async () => {
  const receiver = await receive(socket => socket.end(answerOf(200)));
  const transport = transportWith();
  for (let count = 0; count < 20; count += 1) {
    expect(await post(transport, receiver.url)).toMatchObject({ status: 200, cause: null });
  }
  expect(receiver.requests).toHaveLength(20);
});

test('an aborted signal ends a send at once, whether it waits for a slot or for a response', async () => {
  const hanging = await receive(() => {});
  const transport = transportWith({ timeoutMs: 60_000, maxSends: 1 });
  const reset = new AbortController();
  const sent = post(transport, hanging.url, reset.signal);
  const queued = post(transport, hanging.url, reset.signal);
  await expect.poll(() => hanging.requests.length).toBe(1);
  reset.abort();
  expect(await sent).toMatchObject(CANCELLED);
  expect(await queued).toMatchObject(CANCELLED);
  await hanging.allClosed();
  expect(await post(transport, hanging.url, reset.signal)).toMatchObject(CANCELLED);
  expect(hanging.requests).toHaveLength(1);
});

test.each([
  ['while the first send still loads the client', async () => {}],
  ['while it waits for a response', async (received: () => number) => expect.poll(received).toBe(1)],
])('a send that is cancelled %s gives its slot back', async (_name, reached) => {
  const hanging = await receive(() => {});
  const healthy = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith({ timeoutMs: 60_000, maxSends: 1 });
  const reset = new AbortController();
  const sent = post(transport, hanging.url, reset.signal);
  const queued = post(transport, hanging.url, reset.signal);
  await reached(() => hanging.requests.length);
  reset.abort();
  expect(await Promise.all([sent, queued])).toMatchObject([CANCELLED, CANCELLED]);
  expect(await post(transport, healthy.url)).toMatchObject({ status: 200 });
});

test('closing a transport ends sends in flight and idle connections, and prevents further sends', async () => {
  const [hanging, healthy] = await Promise.all([
    receive(() => {}),
    receive(socket => socket.write(answerOf(200))),
  ]);
  const transport = transportWith({ timeoutMs: 60_000 });
  await post(transport, healthy.url);
  const sent = post(transport, hanging.url);
  // The receiver does not speak TLS, so this send is still connecting.
  const connecting = post(transport, hanging.url.replace('http:', 'https:'));
  await expect.poll(() => hanging.accepted()).toBe(2);
  expect(healthy.open()).toBe(1);
  transport.close();
  expect(await sent).toMatchObject(CANCELLED);
  expect(await connecting).toMatchObject(CANCELLED);
  await Promise.all([hanging.allClosed(), healthy.allClosed()]);
  expect(await post(transport, healthy.url)).toMatchObject(CANCELLED);
  transport.close();
});

test('a request that cannot be sent is an outcome, not an error', async () => {
  const transport = transportWith();
  const outcome = await transport.send({ url: 'nonsense', headers: {}, body: '' }, never);
  expect(outcome).toEqual({
    url: 'nonsense',
    status: null,
    body: null,
    cause: 'not an http:// or https:// URL',
    durationMs: 0,
  });
  const { url } = await receive(() => {});
  const header = await transport.send({ url, headers: { 'x-bad': 'a\r\nb' }, body: '' }, never);
  expect(header).toMatchObject({ status: null, cause: expect.stringMatching(/^could not be sent: ./) });
});

test('the timeout starts with the send, not with the wait for a slot', async () => {
  const receiver = await receive(socket => setTimeout(() => socket.write(answerOf(200)), 100));
  const transport = transportWith({ timeoutMs: 3_000, maxSends: 1 });
  const outcomes = await Promise.all(Array.from({ length: 35 }, () => post(transport, receiver.url)));
  for (const { status, durationMs } of outcomes) {
    expect(status).toBe(200);
    expect(durationMs).toBeGreaterThanOrEqual(99);
  }
});

test('100,000 sends can wait for a slot', async () => {
  const slots = new ConnectionSlots(10, 10);
  let done = 0;
  const work = async (index: number) => {
    const release = await slots.take(`origin ${index % 50}`, never);
    done += 1;
    release?.();
  };
  await Promise.all(Array.from({ length: 100_000 }, (_, index) => work(index)));
  expect(done).toBe(100_000);
});

test('idle connections to many receivers close by themselves', async () => {
  const receivers = await Promise.all(
    Array.from({ length: 40 }, () => receive(socket => socket.write(answerOf(200)))),
  );
  const transport = transportWith();
  await Promise.all(receivers.map(({ url }) => post(transport, url)));
  await expect.poll(() => receivers.filter(each => each.open() > 0).length).toBe(0);
});

test('a process can exit after a send without closing the transport', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const outdir = mkdtempSync(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  await build({
    entryPoints: [join(import.meta.dirname, '../../../src/sandbox/transport/http-transport.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const script = `
    import { createHttpTransport } from ${JSON.stringify(pathToFileURL(join(outdir, 'http-transport.mjs')).href)};
    const transport = createHttpTransport({ forwardTo: null, map: [], egress: 'private', ca: undefined,
      insecureTls: false, ownAddress: () => null });
    const request = { url: '${receiver.url}', headers: {}, body: '{}' };
    console.log((await transport.send(request, new AbortController().signal)).status);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 30_000,
  });
  expect(stdout).toBe('200\n');
});
