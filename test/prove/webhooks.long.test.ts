import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startInProcess } from '../support/in-process.ts';
import { listen } from '../support/listen.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../support/proof/proof-size.ts';
import { fakeReceiver, HOOKS, isSigned, SECRET } from '../support/receiver.ts';
import { type Json, START, startSandbox } from '../support/sandbox.ts';

/** The times of the attempts in milliseconds after the event: at once, and after each published delay. */
const ATTEMPT_TIMES_MS = [0, 1, 6, 36, 156, 1_596].map(minutes => minutes * 60_000);
const CONFIG = { webhookUrl: HOOKS, webhookSecret: SECRET, subscribedEvents: ['balance.top_up'] };
const TWO_DAYS = { duration: '2d' };

/** Random numbers that are the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of this generator are poor.
    return (state >>> 8) / 2 ** 24;
  };
}

/** Fails unless each event was attempted exactly on schedule, until it was accepted or failed permanently. */
function checkSchedules(deliveries: Json[], outcomes: ReadonlyMap<string, boolean[]>): number {
  let failed = 0;
  for (const { id, status, attempts, nextRetryAt, createdAt } of deliveries) {
    const seen = outcomes.get(id) ?? [];
    const isAccepted = seen.includes(true);
    const times = attempts.map(({ at }: Json) => Date.parse(at) - Date.parse(createdAt));
    expect({ id, status, times, nextRetryAt }).toEqual({
      id,
      status: isAccepted ? 'delivered' : 'failed',
      times: ATTEMPT_TIMES_MS.slice(0, isAccepted ? seen.indexOf(true) + 1 : ATTEMPT_TIMES_MS.length),
      nextRetryAt: null,
    });
    expect(seen).toHaveLength(times.length);
    if (!isAccepted) failed += 1;
  }
  return failed;
}

/** Fails unless the number of failed events is within four standard deviations of the expected one. */
function checkShare(failed: number, events: number, failureRate: number): string {
  const [share, expected] = [failureRate ** 6, events * failureRate ** 6];
  const sigma = Math.sqrt(expected * (1 - share));
  expect(Math.abs(failed - expected)).toBeLessThanOrEqual(4 * sigma);
  return `${events} events, ${failed} failed permanently, ${expected.toFixed(1)} ± ${sigma.toFixed(1)} expected`;
}

test.for([0.3, 0.6, 0.9])(
  'each event is attempted exactly on the retry schedule when %d of attempts fail',
  { timeout: PROOF_TIMEOUT_MS },
  async (failureRate, context) => {
    const events = size(500, 10_000);
    const next = seededRandom(42);
    const outcomes = new Map<string, boolean[]>();
    const badSignatures: string[] = [];
    const { transport } = fakeReceiver(request => {
      const isAccepted = next() >= failureRate;
      if (!isSigned(request)) badSignatures.push(request.body);
      outcomes.set(request.event.id, [...(outcomes.get(request.event.id) ?? []), isAccepted]);
      return isAccepted ? 200 : 500;
    });
    const { api, control } = startInProcess({ retrySpeed: 1 }, { transport });
    api('PATCH', '/partner/webhooks/config', CONFIG);
    for (let event = 0; event < events; event++) await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/clock/advance', TWO_DAYS);
    const { body: deliveries } = await control('GET', '/deliveries');
    expect([deliveries.length, outcomes.size, badSignatures]).toEqual([events, events, []]);
    recordResult(context, checkShare(checkSchedules(deliveries, outcomes), events, failureRate));
  },
);

test(
  'over real sockets, the retry schedule is exact for receivers that fail, disconnect or respond late',
  async context => {
    const events = size(100, 1_000);
    const failureRate = 0.6;
    const next = seededRandom(7);
    const outcomes = new Map<string, boolean[]>();
    const webhookUrl = await listen(async (request, response) => {
      const { id } = JSON.parse(await textOf(request));
      const isAccepted = next() >= failureRate;
      outcomes.set(id, [...(outcomes.get(id) ?? []), isAccepted]);
      if (isAccepted) setTimeout(() => response.end(), 5 * next());
      else if (next() < 0.5) response.writeHead(503).end();
      else request.socket.destroy();
    });
    const { api, control } = await startSandbox({ retrySpeed: 1, allowHttpWebhooks: true, rateLimit: 0 });
    await api('PATCH', '/partner/webhooks/config', { ...CONFIG, webhookUrl });
    for (let event = 0; event < events; event++) await control('POST', '/balance/top-up', { amount: 1 });
    await control('POST', '/clock/advance', TWO_DAYS);
    const { body: deliveries } = await control('GET', '/deliveries');
    expect(deliveries).toHaveLength(events);
    expect(deliveries[0].createdAt).toBe(START);
    recordResult(context, checkShare(checkSchedules(deliveries, outcomes), events, failureRate));
  },
  PROOF_TIMEOUT_MS,
);
