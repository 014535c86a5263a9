import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../support/in-process.ts';
import { measured, patience, size } from '../support/processes/size.ts';
import { fakeReceiver, HOOKS, isSigned, SECRET } from '../support/receiver.ts';
import { type Json, START, startSandbox } from '../support/sandbox.ts';

/** When the attempts of an event follow, in milliseconds after it: at once, and after each of the published delays. */
const LADDER = [0, 1, 6, 36, 156, 1_596].map(minutes => minutes * 60_000);
const CONFIG = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['balance.top_up'] };
const TWO_DAYS = { duration: '2d' };

/** Chance that is the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of this generator are poor.
    return (state >>> 8) / 2 ** 24;
  };
}

/** Fails unless each event was tried at exactly the times of the ladder, until it was taken or failed for good. */
function checkLadders(deliveries: Json[], tries: ReadonlyMap<string, boolean[]>): number {
  let failed = 0;
  for (const { id, status, attempts, nextRetryAt, createdAt } of deliveries) {
    const seen = tries.get(id) ?? [];
    const isTaken = seen.includes(true);
    const times = attempts.map(({ at }: Json) => Date.parse(at) - Date.parse(createdAt));
    expect({ id, status, times, nextRetryAt }).toEqual({
      id,
      status: isTaken ? 'delivered' : 'failed',
      times: LADDER.slice(0, isTaken ? seen.indexOf(true) + 1 : LADDER.length),
      nextRetryAt: null,
    });
    expect(seen).toHaveLength(times.length);
    if (!isTaken) failed += 1;
  }
  return failed;
}

/** Fails unless about as many failed as six tries that each fail so often let one expect. */
function checkShare(failed: number, events: number, failing: number): string {
  const [share, expected] = [failing ** 6, events * failing ** 6];
  const sigma = Math.sqrt(expected * (1 - share));
  expect(Math.abs(failed - expected)).toBeLessThanOrEqual(4 * sigma);
  return `${events} events, ${failed} failed for good, ${expected.toFixed(1)} ± ${sigma.toFixed(1)} expected`;
}

test.for([0.3, 0.6, 0.9])(
  'receivers that fail at %d of all attempts get every event at least once, on an exact ladder',
  { timeout: patience(60_000) },
  async (failing, context) => {
    const events = size(500, 10_000);
    const next = chance(42);
    const tries = new Map<string, boolean[]>();
    const bad: string[] = [];
    const { transport } = fakeReceiver(request => {
      const isTaken = next() >= failing;
      if (!isSigned(request)) bad.push(request.body);
      tries.set(request.event.id, [...(tries.get(request.event.id) ?? []), isTaken]);
      return isTaken ? 200 : 500;
    });
    const { api, control } = inProcess({ retrySpeed: 1 }, { transport });
    api('PATCH', '/partner/webhooks/config', CONFIG);
    for (let event = 0; event < events; event++) await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/clock/advance', TWO_DAYS);
    const { body: deliveries } = await control('GET', '/deliveries');
    expect([deliveries.length, tries.size, bad]).toEqual([events, events, []]);
    measured(context, checkShare(checkLadders(deliveries, tries), events, failing));
  },
);

test(
  'over real sockets, receivers that fail, hang up and answer late get every event too',
  async context => {
    const events = size(100, 1_000);
    const failing = 0.6;
    const next = chance(7);
    const tries = new Map<string, boolean[]>();
    const receiver = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      request.on('end', () => {
        const { id } = JSON.parse(text);
        const isTaken = next() >= failing;
        tries.set(id, [...(tries.get(id) ?? []), isTaken]);
        if (isTaken) setTimeout(() => response.end(), 5 * next());
        else if (next() < 0.5) response.writeHead(503).end();
        else request.socket.destroy();
      });
    });
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    // The address of a server that listens on a port is an object.
    const { port } = receiver.address() as AddressInfo;
    const { api, control } = await startSandbox({ retrySpeed: 1, allowHttpWebhooks: true, rateLimit: 0 });
    await api('PATCH', '/partner/webhooks/config', { ...CONFIG, webhookUrl: `http://127.0.0.1:${port}/` });
    for (let event = 0; event < events; event++) await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/clock/advance', TWO_DAYS);
    const { body: deliveries } = await control('GET', '/deliveries');
    expect(deliveries).toHaveLength(events);
    expect(deliveries[0].createdAt).toBe(START);
    measured(context, checkShare(checkLadders(deliveries, tries), events, failing));
  },
  patience(60_000),
);
