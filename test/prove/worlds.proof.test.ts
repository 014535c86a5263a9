import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { realTime } from '../../src/core/time/realtime.ts';
import { createSandboxCore } from '../../src/sandbox/sandbox.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../support/proof/proof-size.ts';
import { ALL_TYPES, SECRET } from '../support/receiver.ts';
import { type Json, newCardholder } from '../support/sandbox.ts';

const LIVE = size(150, 1_000);
const ENDED = size(300, 20_000);
const SAMPLES = 12;
/** Twice the target of `npm run bench`, because other tests run beside this one. */
const MAX_MS = 10;
const MAX_KB = 150;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** The heap in use in kB. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024;
}

/** A sandbox without a surface that counts its timers of wall time. */
function startCounted() {
  const pending = new Set<object>();
  const core = createSandboxCore(
    { fixtures: ['starter'], maxWorlds: LIVE + 1, rateLimit: 0 },
    {
      realTime: {
        ...realTime,
        after(delayMs, task) {
          const timer = {};
          pending.add(timer);
          const cancel = realTime.after(delayMs, () => {
            pending.delete(timer);
            task();
          });
          return () => {
            pending.delete(timer);
            cancel();
          };
        },
      },
    },
  );
  onTestFinished(() => core.stop());
  const send = async (method: string, path: string, body: Json = {}, key = ''): Promise<Json> => {
    const request = {
      method,
      path,
      query: '',
      headers: { host: '127.0.0.1', 'content-type': 'application/json', 'x-service-api-key': key },
      body: Buffer.from(method !== 'GET' ? JSON.stringify(body) : ''),
      remoteAddress: '127.0.0.1',
    };
    const response = path.startsWith('/v1') ? core.handle(request) : await core.control(request);
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.body}`);
    return response.body === '' ? null : JSON.parse(response.body);
  };
  return { send, timers: () => pending.size };
}

/** Nothing listens there, so that webhooks fail at once. */
const CLOSED = 'https://127.0.0.1:1/';

/** Uses a world as a test does that leaves much behind. */
async function useWorld(
  send: ReturnType<typeof startCounted>['send'],
  { id, partners }: Json,
): Promise<void> {
  const control = `/_sandbox/worlds/${id}`;
  const [{ apiKey }] = partners;
  await send('POST', '/v1/partner/cardholders', newCardholder(), apiKey);
  await send('POST', '/v1/partner/cards/card_mia_active/reveal-html', {}, apiKey);
  const webhook = { webhookUrl: CLOSED, webhookSecret: SECRET, subscribedEvents: ALL_TYPES };
  await send('PATCH', '/v1/partner/webhooks/config', webhook, apiKey);
  await send('POST', `${control}/checkpoints/used`);
  await send('POST', `${control}/balance/top-up`, { amount: 1 });
  await send('POST', `${control}/partners`);
  await send('POST', `${control}/faults`, { status: 503, times: 1 });
  await send('POST', `${control}/clock/advance`, { duration: '1h' });
  await send('POST', `${control}/reset`);
}

test('a world of starter costs little processor time and memory', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const { send } = startCounted();
  for (const body of [{}, { seed: 7 }, { fixtures: ['empty', 'starter'], seed: 8 }]) {
    for (let warmUp = 0; warmUp < LIVE; warmUp++) {
      await send('DELETE', `/_sandbox/worlds/${(await send('POST', '/_sandbox/worlds', body)).id}`);
    }
    const before = heap();
    const started = process.cpuUsage();
    const ids = [];
    while (ids.length < LIVE) ids.push((await send('POST', '/_sandbox/worlds', body)).id);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000 / LIVE, JSON.stringify(body)).toBeLessThan(MAX_MS);
    expect((heap() - before) / LIVE, JSON.stringify(body)).toBeLessThan(MAX_KB);
    for (const id of ids) await send('DELETE', `/_sandbox/worlds/${id}`);
  }
  recordResult(context, `${LIVE} worlds, each below ${MAX_MS} ms and ${MAX_KB} kB`);
});

test('memory, handles and timers stay flat while worlds are created, used and ended', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const { send, timers } = startCounted();
  const samples: { heap: number; timers: number; handles: number }[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (let count = 0; count < ENDED / SAMPLES; count++) {
      const world = await send('POST', '/_sandbox/worlds');
      await useWorld(send, world);
      await send('DELETE', `/_sandbox/worlds/${world.id}`);
    }
    samples.push({ heap: heap(), timers: timers(), handles: process.getActiveResourcesInfo().length });
  }
  const late = samples.slice(SAMPLES / 2);
  const peak = Math.max(...late.map(sample => sample.heap));
  expect(
    peak / Math.max(...samples.slice(2, SAMPLES / 2).map(sample => sample.heap)),
    JSON.stringify(samples),
  ).toBeLessThan(1.05);
  expect(new Set(samples.map(sample => sample.timers))).toEqual(new Set([samples[0]?.timers]));
  const handles = late.map(sample => sample.handles);
  expect(Math.max(...handles) - Math.min(...handles)).toBeLessThanOrEqual(4);
  recordResult(
    context,
    `${ENDED} worlds; heap in the second half below 1.05 times that of the first, no timer left`,
  );
});
