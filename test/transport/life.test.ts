import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionSlots } from '../../src/transport/connection-slots.ts';
import { answerOf, post, receive, transportWith } from './receiver.ts';

const CALLED_OFF = { status: null, body: null, cause: 'called off: the sandbox was reset or stopped' };
const never = new AbortController().signal;

test('a connection serves one send after the other', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const transport = transportWith();
  for (let count = 0; count < 5; count += 1) await post(transport, receiver.url);
  expect(receiver.requests).toHaveLength(5);
  // The next send may begin a moment before the connection is ready again.
  expect(receiver.accepted()).toBeLessThanOrEqual(2);
});

test('bytes that come after an answer are not taken for the next one', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200) + answerOf(500)));
  const transport = transportWith();
  const statuses: (number | null)[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await post(transport, receiver.url)).status);
  expect(statuses).toEqual(Array(5).fill(200));
});

test('a receiver that closes the connection after each answer misses nothing', async () => {
  const receiver = await receive(socket => socket.end(answerOf(200)));
  const transport = transportWith();
  for (let count = 0; count < 20; count += 1) {
    expect(await post(transport, receiver.url)).toMatchObject({ status: 200, cause: null });
  }
  expect(receiver.requests).toHaveLength(20);
});

test('a signal ends a send at once, whether it waits for its turn or for an answer', async () => {
  const hanging = await receive(() => {});
  const transport = transportWith({ timeoutMs: 60_000, mostAtOnce: 1 });
  const calling = new AbortController();
  const under = post(transport, hanging.url, calling.signal);
  const waiting = post(transport, hanging.url, calling.signal);
  await expect.poll(() => hanging.requests.length).toBe(1);
  calling.abort();
  expect(await under).toMatchObject(CALLED_OFF);
  expect(await waiting).toMatchObject(CALLED_OFF);
  await hanging.allClosed();
  expect(await post(transport, hanging.url, calling.signal)).toMatchObject(CALLED_OFF);
  expect(hanging.requests).toHaveLength(1);
});

test('a closed transport ends what is under way and idle, and sends nothing more', async () => {
  const [hanging, healthy] = await Promise.all([
    receive(() => {}),
    receive(socket => socket.write(answerOf(200))),
  ]);
  const transport = transportWith({ timeoutMs: 60_000 });
  await post(transport, healthy.url);
  const under = post(transport, hanging.url);
  // No TLS is answered here, so this one is still being connected.
  const connecting = post(transport, hanging.url.replace('http:', 'https:'));
  await expect.poll(() => hanging.accepted()).toBe(2);
  expect(healthy.open()).toBe(1);
  transport.close();
  expect(await under).toMatchObject(CALLED_OFF);
  expect(await connecting).toMatchObject(CALLED_OFF);
  await Promise.all([hanging.allClosed(), healthy.allClosed()]);
  expect(await post(transport, healthy.url)).toMatchObject(CALLED_OFF);
  transport.close();
});

test('what cannot be sent is an outcome, not an error', async () => {
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

test('the time counts from the beginning of the send, not from the wait for a turn', async () => {
  const receiver = await receive(socket => setTimeout(() => socket.write(answerOf(200)), 100));
  const transport = transportWith({ timeoutMs: 1_000, mostAtOnce: 1 });
  const outcomes = await Promise.all(Array.from({ length: 15 }, () => post(transport, receiver.url)));
  for (const { status, durationMs } of outcomes) {
    expect(status).toBe(200);
    expect(durationMs).toBeGreaterThanOrEqual(99);
  }
});

test('places are given to destinations in turn, in order within each, never beyond a bound', async () => {
  const places = new ConnectionSlots(3, 2);
  const order: string[] = [];
  const leaving: (() => void)[] = [];
  const enter = (destination: string, name: string) =>
    places.take(destination, never).then(leave => {
      order.push(name);
      if (leave !== null) leaving.push(leave);
    });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter('a', name);
  for (const name of ['b1', 'b2', 'b3']) void enter('b', name);
  void enter('c', 'c1');
  const settled = () => new Promise(resolve => setImmediate(resolve));
  await settled();
  expect(order).toEqual(['a1', 'a2', 'b1']);
  while (leaving.length > 0) {
    leaving.shift()?.();
    await settled();
  }
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4', 'b3']);
});

test('100,000 sends may wait for a place', async () => {
  const places = new ConnectionSlots(10, 10);
  let done = 0;
  const work = async (index: number) => {
    const leave = await places.take(`origin ${index % 50}`, never);
    done += 1;
    leave?.();
  };
  await Promise.all(Array.from({ length: 100_000 }, (_, index) => work(index)));
  expect(done).toBe(100_000);
});

test('many receivers leave nothing behind', async () => {
  const receivers = await Promise.all(
    Array.from({ length: 40 }, () => receive(socket => socket.write(answerOf(200)))),
  );
  const transport = transportWith();
  await Promise.all(receivers.map(({ url }) => post(transport, url)));
  // Idle connections end by themselves.
  await expect.poll(() => receivers.filter(each => each.open() > 0).length, { timeout: 10_000 }).toBe(0);
});

test('a process that has sent something can end without closing anything', async () => {
  const receiver = await receive(socket => socket.write(answerOf(200)));
  const outdir = mkdtempSync(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/transport/http-transport.ts')],
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
    timeout: 10_000,
  });
  expect(stdout).toBe('200\n');
});
