import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';
import type { Transport } from '../../../src/core/world/transport.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { manualTime } from '../../support/manual-time.ts';
import { subscribe } from '../../support/receiver.ts';
import { type Reply, START, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { newWorld, type TestWorld } from '../../support/worlds.ts';

const ENDED = { status: 404, body: { error: expect.stringContaining('ended') } };

/** A transport whose attempts hang until they are cancelled, and the signals of those in flight. */
function hangingReceiver() {
  const inFlight = new Set<string>();
  const transport: Transport = {
    send: ({ url }, signal) =>
      new Promise(resolve => {
        inFlight.add(url);
        signal.addEventListener('abort', () => {
          inFlight.delete(url);
          resolve({ url, status: null, body: null, cause: 'cancelled', durationMs: 0 });
        });
      }),
    close: () => undefined,
  };
  return { transport, inFlight };
}

test('a world that is removed ends its advance, its waits, its streams and its webhooks in flight, and no others', async () => {
  const { transport, inFlight } = hangingReceiver();
  const sandbox = await startSandbox({}, { transport });
  const worlds = [await newWorld(sandbox, { id: 'a' }), await newWorld(sandbox, { id: 'b' })] as const;
  const pending: Promise<Reply>[][] = [];
  const streams = [];
  for (const { id, api, control } of worlds) {
    await subscribe({ api }, ['balance.top_up', 'balance.low']);
    await api('PATCH', '/partner/webhooks/config', { webhookUrl: `https://hooks.example.com/${id}` });
    await control('POST', '/balance/top-up', { amount: 5 });
    streams.push(await openEventStream(sandbox.origin, '', id));
    pending.push([
      control('POST', '/clock/advance', { duration: '1h' }),
      control('POST', '/wait', { eventType: 'card.issued', timeoutMs: 600_000 }),
      control('POST', '/deliveries/settle', {}),
    ]);
  }
  // The requests above have arrived when one after them is answered.
  for (const { control } of worlds) await control('GET', '/clock');
  expect([...inFlight]).toHaveLength(2);
  expect((await sandbox.control('DELETE', '/worlds/a')).status).toBe(204);
  for (const reply of await Promise.all(pending[0] ?? [])) expect(reply).toMatchObject(ENDED);
  await streams[0]?.ended();
  expect([...inFlight]).toEqual(['https://hooks.example.com/b']);
  let hasOtherEnded = false;
  for (const each of pending[1] ?? []) void each.then(() => (hasOtherEnded = true));
  await worlds[1].control('GET', '/clock');
  expect(hasOtherEnded).toBe(false);
  await sandbox.control('DELETE', '/worlds/b');
  for (const reply of await Promise.all(pending[1] ?? [])) expect(reply).toMatchObject(ENDED);
});

test('a state that is still being sent when its world ends is a 404', async () => {
  const sandbox = await startSandbox();
  const { state } = await newWorld(sandbox, { id: 'a' });
  const document = await state();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(document) };
  const sent = request(`${sandbox.origin}/_sandbox/worlds/a/state`, { method: 'PUT', headers });
  const status = new Promise(resolve =>
    sent.on('response', response => {
      // A response that nobody reads would keep its connection, whose end would be an error.
      response.resume().on('end', () => resolve(response.statusCode));
    }),
  );
  await new Promise<void>(resolve => sent.write(document.slice(0, 500), () => resolve()));
  await sandbox.control('DELETE', '/worlds/a');
  sent.end(document.slice(500));
  expect(await status).toBe(404);
});

test('a world that ended leaves no timer behind, however many requests waited in it', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  let timers = 0;
  const counted = {
    ...realTime,
    after(delayMs: number, task: () => void) {
      timers += 1;
      let isPending = true;
      const done = () => {
        if (isPending) timers -= 1;
        isPending = false;
      };
      const cancel = realTime.after(delayMs, () => {
        done();
        task();
      });
      return () => {
        done();
        cancel();
      };
    },
  };
  const { transport } = hangingReceiver();
  const sandbox = await startSandbox({}, { transport, realTime: counted });
  const before = timers;
  for (let round = 0; round < 3; round++) {
    const { control, api } = await newWorld(sandbox, { id: 'a', freeze: false });
    await subscribe({ api });
    await control('POST', '/balance/top-up', { amount: 5 });
    const stream = await openEventStream(sandbox.origin, '', 'a');
    const waits = Array.from({ length: 15 }, () =>
      control('POST', '/wait', { eventType: 'card.issued', timeoutMs: 600_000 }),
    );
    await control('GET', '/clock');
    await sandbox.control('DELETE', '/worlds/a');
    for (const reply of await Promise.all(waits)) expect(reply).toMatchObject(ENDED);
    await stream.ended();
    expect(timers).toBe(before);
  }
  expect(warnings).toEqual([]);
});

/** A sandbox whose wall time passes by hand. Worlds end after ten minutes without a request. */
async function idleWorlds(options = {}, maxDelayMs = Number.POSITIVE_INFINITY) {
  const { realTime, pass } = manualTime(Date.parse(START), maxDelayMs);
  const sandbox = await startSandbox({ worldTtl: '10m', ...options }, { realTime });
  return { sandbox, passMinutes: (minutes: number) => pass(minutes * 60_000) };
}

async function exists({ control }: TestSandbox, { id }: Pick<TestWorld, 'id'>): Promise<boolean> {
  return (await control('GET', `/worlds/${id}`)).status === 200;
}

test('a world ends once nobody has called it for its ttl, and main never does', async () => {
  const { sandbox, passMinutes } = await idleWorlds();
  const world = await newWorld(sandbox, { id: 'a' });
  const uses = [
    () => world.control('GET', '/clock'),
    () => world.api('GET', '/partner/balance'),
    () => fetch(`${sandbox.origin}/kyc/nothing?world=a`),
    // Refused requests are requests.
    () => world.control('POST', '/clock/advance', { duration: 'x' }),
    () => world.control('GET', '/nothing'),
    () => world.api('GET', '/partner/cards/nothing'),
  ];
  for (const use of uses) {
    passMinutes(9.99);
    expect(await exists(sandbox, world)).toBe(true);
    await use();
  }
  passMinutes(9.99);
  expect(await exists(sandbox, world)).toBe(true);
  // Neither listing nor showing worlds uses them.
  await sandbox.control('GET', '/worlds');
  passMinutes(0.01);
  expect(await exists(sandbox, world)).toBe(false);
  expect((await world.api('GET', '/partner/balance')).status).toBe(401);
  passMinutes(10_000);
  expect((await sandbox.control('GET', '/worlds')).body).toMatchObject([{ id: 'main' }]);
});

test('the ttl of a world replaces that of the server, and 0 is never', async () => {
  // Timers of Node.js fire early where the delay is longer than their limit.
  const { sandbox, passMinutes } = await idleWorlds({}, 30_000);
  const [short, long, never] = [
    await newWorld(sandbox, { ttl: '1m' }),
    await newWorld(sandbox, { ttl: '1h' }),
    await newWorld(sandbox, { ttl: '0' }),
  ];
  const copy = await newWorld(sandbox, { from: never.id });
  passMinutes(9);
  expect([await exists(sandbox, short), await exists(sandbox, long), await exists(sandbox, copy)]).toEqual([
    false,
    true,
    true,
  ]);
  passMinutes(1);
  expect([await exists(sandbox, long), await exists(sandbox, copy)]).toEqual([true, false]);
  passMinutes(100_000);
  expect([await exists(sandbox, long), await exists(sandbox, never)]).toEqual([false, true]);
  const forever = await idleWorlds({ worldTtl: '0' });
  const kept = await newWorld(forever.sandbox);
  forever.passMinutes(1_000_000);
  expect(await exists(forever.sandbox, kept)).toBe(true);
});

test('a wait whose caller has gone does not keep its world', async () => {
  const { sandbox, passMinutes } = await idleWorlds();
  const world = await newWorld(sandbox, { id: 'w' });
  const caller = new AbortController();
  const waiting = fetch(`${sandbox.origin}/_sandbox/worlds/w/wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"timeoutMs":600000}',
    signal: caller.signal,
  });
  await world.control('GET', '/clock');
  caller.abort();
  await expect(waiting).rejects.toThrow(/abort/);
  // The server notices the disconnection before it has answered these.
  for (let requests = 0; requests < 10; requests++) await sandbox.control('GET', '/health');
  passMinutes(10);
  expect(await exists(sandbox, world)).toBe(false);
});

test('an open stream and a wait keep their world, until the ttl after them', async () => {
  const { sandbox, passMinutes } = await idleWorlds();
  const [streamed, awaited] = [await newWorld(sandbox, { id: 's' }), await newWorld(sandbox, { id: 'w' })];
  const stream = await openEventStream(sandbox.origin, '', 's');
  await stream.nextBlock();
  const wait = awaited.control('POST', '/wait', { timeoutMs: 600_000 });
  await awaited.control('GET', '/clock');
  passMinutes(9.9);
  expect([await exists(sandbox, streamed), await exists(sandbox, awaited)]).toEqual([true, true]);
  passMinutes(0.2);
  expect((await wait).status).toBe(408);
  passMinutes(9.9);
  expect([await exists(sandbox, streamed), await exists(sandbox, awaited)]).toEqual([true, true]);
  passMinutes(0.2);
  expect([await exists(sandbox, streamed), await exists(sandbox, awaited)]).toEqual([true, false]);
  stream.disconnect();
  // The server notices the disconnection at some time between these requests.
  for (let attempt = 0; attempt < 100 && (await exists(sandbox, streamed)); attempt++) passMinutes(10);
  expect(await exists(sandbox, streamed)).toBe(false);
});
