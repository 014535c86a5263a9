import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptOutcome } from '../../../src/core/world/transport.ts';
import { fakeReceiver, HOOKS, isSigned, SECRET, subscribe } from '../../support/receiver.ts';
import { newCardholder, START, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const CREATED = ['cardholder.created'];
const MINUTE = 60_000;
const DELAYS = [60_000, 300_000, 1_800_000, 7_200_000, 86_400_000];

const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString();
const advance = ({ control }: TestSandbox, duration: string) =>
  control('POST', '/clock/advance', { duration });
const settle = ({ control }: TestSandbox) => control('POST', '/deliveries/settle');

/** A sandbox with one delivery of Acme after its first attempt. */
async function oneEvent(respond: Parameters<typeof fakeReceiver>[0], options = {}) {
  const { transport, seen } = fakeReceiver(respond);
  const sandbox = await startSandbox({ retrySpeed: 1, ...options }, { transport });
  // A clock that started running is frozen, so that no retry comes by itself.
  await sandbox.control('POST', '/clock/freeze');
  await subscribe(sandbox, CREATED);
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await settle(sandbox);
  const list = await sandbox.api('GET', '/partner/webhooks/events');
  const { id } = list.body.data[0];
  const read = async () => (await sandbox.api('GET', `/partner/webhooks/events/${id}`)).body;
  const attempts = async () => (await sandbox.control('GET', `/deliveries/${id}`)).body.attempts;
  return { sandbox, seen, id, read, attempts };
}

test('a delivery with a 2xx response is delivered and final', async () => {
  const { sandbox, seen, read } = await oneEvent(() => 204);
  expect(await read()).toMatchObject({
    eventType: 'cardholder.created',
    status: 'delivered',
    attemptCount: 1,
    lastAttemptAt: START,
    nextRetryAt: null,
    lastResponseStatus: 204,
    webhookUrl: HOOKS,
  });
  await advance(sandbox, '30d');
  expect(seen).toHaveLength(1);
});

test('five retries follow at the published delays, each with the time of the next; then the delivery is failed', async () => {
  const { sandbox, read, attempts } = await oneEvent(() => 503);
  let at = 0;
  for (const [index, delay] of DELAYS.entries()) {
    expect(await read()).toMatchObject({
      status: 'pending',
      attemptCount: index + 1,
      lastAttemptAt: later(at),
      nextRetryAt: later(at + delay),
      lastResponseStatus: 503,
    });
    await advance(sandbox, `${delay - 1}ms`);
    expect((await read()).attemptCount).toBe(index + 1);
    await advance(sandbox, '1ms');
    at += delay;
  }
  expect(await read()).toMatchObject({ status: 'failed', attemptCount: 6, nextRetryAt: null });
  await advance(sandbox, '365d');
  expect((await attempts()).map((attempt: { at: string }) => attempt.at)).toEqual(
    [0, ...DELAYS.map((_, index) => DELAYS.slice(0, index + 1).reduce((sum, each) => sum + each))].map(later),
  );
});

test('by default a clock that starts frozen has the published delays, and a running one delays 60 times shorter', async () => {
  const frozen = await oneEvent(() => 500, { retrySpeed: undefined });
  expect((await frozen.read()).nextRetryAt).toBe(later(MINUTE));
  const running = await oneEvent(() => 500, { retrySpeed: undefined, freeze: false });
  const { nextRetryAt, lastAttemptAt } = await running.read();
  expect(Date.parse(nextRetryAt) - Date.parse(lastAttemptAt)).toBe(1_000);
});

test('the retry speed divides the delays', async () => {
  const { sandbox, read } = await oneEvent(() => 500, { retrySpeed: 60 });
  expect((await read()).nextRetryAt).toBe(later(1_000));
  await advance(sandbox, '1s');
  expect((await read()).nextRetryAt).toBe(later(6_000));
  await advance(sandbox, '5s');
  expect((await read()).nextRetryAt).toBe(later(36_000));
  await advance(sandbox, '30s');
  expect((await read()).nextRetryAt).toBe(later(156_000));
  await advance(sandbox, '2m');
  expect((await read()).nextRetryAt).toBe(later(156_000 + 24 * MINUTE));
});

test('every attempt sends the same bytes, signed again with the current secret, to the current URL', async () => {
  const { sandbox, seen } = await oneEvent((_, count) => (count < 4 ? 500 : 200));
  await advance(sandbox, '1m');
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookSecret: 'another-secret-of-16' });
  await advance(sandbox, '5m');
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: 'https://hooks.example.com/new' });
  await advance(sandbox, '30m');
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  expect(seen.map(request => isSigned(request, SECRET))).toEqual([true, true, false, false]);
  expect(seen.map(request => isSigned(request, 'another-secret-of-16'))).toEqual([false, false, true, true]);
  expect(seen.map(({ url }) => url)).toEqual([HOOKS, HOOKS, HOOKS, 'https://hooks.example.com/new']);
});

test('clearing the URL makes the remaining attempts fail with that cause', async () => {
  const { sandbox, seen, read, id } = await oneEvent(() => 500);
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  await advance(sandbox, '30d');
  expect(seen).toHaveLength(1);
  expect(await read()).toMatchObject({ status: 'failed', webhookUrl: null, lastResponseStatus: null });
  expect((await sandbox.control('GET', `/deliveries/${id}`)).body.cause).toBe('not configured');
});

test('a manual retry makes one immediate attempt, without automatic retries', async () => {
  let status = 500;
  const { sandbox, seen, read, id } = await oneEvent(() => status);
  const path = `/partner/webhooks/events/${id}/retry`;
  const early = await sandbox.api('POST', path);
  expect(early).toMatchObject({ status: 400, body: { error: expect.stringContaining('is pending') } });
  await advance(sandbox, '30d');
  const retried = await sandbox.api('POST', path);
  expect(retried.status).toBe(200);
  expect(retried.body).toMatchObject({ id, status: 'pending', attemptCount: 6, nextRetryAt: null });
  await settle(sandbox);
  expect(await read()).toMatchObject({ status: 'failed', attemptCount: 7, nextRetryAt: null });
  await advance(sandbox, '30d');
  expect(seen).toHaveLength(7);
  status = 200;
  await sandbox.api('POST', path);
  await settle(sandbox);
  expect(await read()).toMatchObject({ status: 'delivered', attemptCount: 8 });
  expect((await sandbox.api('POST', path)).status).toBe(400);
});

test('the record matches whatever the receiver responds', async () => {
  const verdict = fc.oneof(
    fc.constantFrom(200, 201, 299),
    fc.constantFrom(302, 400, 500, 'connection reset'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(verdict, { minLength: 6, maxLength: 6 }), async verdicts => {
      const { sandbox, seen, read, attempts } = await oneEvent((_, count) => verdicts[count - 1] ?? 500);
      await advance(sandbox, '2d');
      const isGood = (each: unknown) => typeof each === 'number' && each < 300;
      const success = verdicts.findIndex(isGood);
      const made = success === -1 ? 6 : success + 1;
      expect(seen).toHaveLength(made);
      expect(await read()).toMatchObject({
        status: success === -1 ? 'failed' : 'delivered',
        attemptCount: made,
        nextRetryAt: null,
      });
      const statuses = (await attempts()).map((each: { status: number | null }) => each.status);
      expect(statuses).toEqual(verdicts.slice(0, made).map(each => (typeof each === 'number' ? each : null)));
    }),
    { numRuns: 20 },
  );
});

test('a reset ends all retries of the old world', async () => {
  const { sandbox, seen } = await oneEvent(() => 500);
  await sandbox.control('POST', '/reset');
  await advance(sandbox, '30d');
  expect(seen).toHaveLength(1);
  expect((await sandbox.control('GET', '/deliveries')).body).toEqual([]);
});

test('an attempt that is in flight at a reset is aborted and leaves no trace', async () => {
  const signals: AbortSignal[] = [];
  const send = (_: unknown, signal: AbortSignal) =>
    new Promise<AttemptOutcome>(resolve => {
      signals.push(signal);
      const outcome = { url: HOOKS, status: null, body: null, cause: 'called off', durationMs: 0 };
      signal.addEventListener('abort', () => resolve(outcome));
    });
  const sandbox = await startSandbox({}, { transport: { send, close: () => undefined } });
  // A clock that started running is frozen, so that no retry comes by itself.
  await sandbox.control('POST', '/clock/freeze');
  await subscribe(sandbox, CREATED);
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/reset');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect((await sandbox.control('GET', '/deliveries')).body).toEqual([]);
});
