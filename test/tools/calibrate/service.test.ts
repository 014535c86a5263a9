import { expect, test } from 'vitest';
import type { Result } from '../../../src/tools/calibrate/probe.ts';
import { knownResults } from '../../../src/tools/calibrate/profile.ts';
import { ServiceUnavailableError } from '../../../src/tools/calibrate/service/service.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';
import { calibrated } from './calibrated.ts';

test('it waits for the next window when the rate limit has no requests left, and loses no verdict', async () => {
  const { origin, control } = await startSandbox({ fixtures: ['starter'], rateLimit: 10, kycDelay: '0s' });
  const unlimited = await startSandbox({ fixtures: ['starter'], kycDelay: '0s' });
  const waits: number[] = [];
  const { results, leftovers } = await calibrated(origin, {
    write: true,
    time: {
      now: () => Date.now(),
      async sleep(ms) {
        waits.push(ms);
        // The window ends when the clock of the sandbox is carried on.
        await control('POST', '/clock/advance', { duration: '60s' });
      },
    },
  });
  // The moved clock may bring what the other run has no time for, such as a retry.
  const known = new Set(knownIds(results));
  const unlimitedResults = (await calibrated(unlimited.origin, { write: true })).results;
  expect(knownIds(unlimitedResults).filter(id => !known.has(id))).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
  expect(leftovers).toEqual([]);
  expect(waits.length).toBeGreaterThan(3);
  for (const ms of waits) expect(ms).toBeLessThanOrEqual(65_000);
  // None of its requests was refused.
  const { body } = await control('GET', '/requests?status=429');
  expect(body).toEqual([]);
});

test('a 429 is repeated after the seconds of its Retry-After', async () => {
  const { origin, control } = await startSandbox();
  await control('POST', '/faults', { path: '/partner/balance', status: 429, times: 2 });
  const waits: number[] = [];
  const { results } = await calibrated(origin, {
    only: ['balance'],
    time: { now: () => Date.now(), sleep: async ms => void waits.push(ms) },
  });
  expect(results).toMatchObject([{ id: 'balance', verdict: 'observed' }]);
  expect(waits).toHaveLength(2);
  for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(1_000);
});

test('when it is stopped it still cancels its cards and restores the webhook configuration', async () => {
  const { origin, api } = await startSandbox({ fixtures: ['starter'] });
  const before = (await api('GET', '/partner/webhooks/config')).body;
  const cardIds = async () =>
    (await api('GET', '/partner/cards?limit=100')).body.data.map(({ id }: Json) => id);
  const existing = await cardIds();
  const controller = new AbortController();
  const { results, leftovers } = await calibrated(origin, {
    write: true,
    signal: controller.signal,
    onResult({ id }) {
      if (id === 'card-moves') controller.abort();
    },
  });
  expect(leftovers).toEqual([]);
  const stopped = results.filter(({ evidence }) => evidence.needs?.includes('--resume'));
  expect(stopped.map(({ id }) => id)).toContain('webhook-config');
  const own = (await api('GET', '/partner/cards?limit=100')).body.data.filter(
    ({ id }: Json) => !existing.includes(id),
  );
  expect(own.length).toBeGreaterThan(0);
  for (const { status } of own) expect(status).toBe('cancelled');
  expect((await api('GET', '/partner/webhooks/config')).body).toEqual(before);
});

test('a service that disappears ends it with the verdicts so far', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  let requests = 0;
  const failing: typeof fetch = (input, init) => {
    requests += 1;
    return requests > 40 ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
  };
  const { failure, results } = await calibrated(origin, { fetch: failing });
  expect(failure).toContain('no service responds');
  expect(results.filter(({ verdict }) => verdict === 'observed').length).toBeGreaterThan(5);
  expect(results.some(({ evidence }) => evidence.needs?.includes('--resume'))).toBe(true);
});

test('a response that no probe expects is a verdict of its own, and never an error', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  let isFirst = true;
  for (const body of ['[]', 'null', '"text"', '{"data":{},"total":"many"}', '{"data":[null,1]}', '<html>']) {
    isFirst = true;
    const odd: typeof fetch = (input, init) => {
      const response = isFirst ? fetch(input, init) : Promise.resolve(new Response(body, { status: 200 }));
      isFirst = false;
      return response;
    };
    const { failure, results } = await calibrated(origin, { fetch: odd, write: true });
    expect(failure).toBeNull();
    expect(results.length).toBeGreaterThan(60);
  }
});

test('verdicts of an earlier run are kept and not probed again; those that were unknown are', async () => {
  const { origin, control } = await startSandbox({ fixtures: ['starter'] });
  const known = knownResults({
    balance: { verdict: 'contradicted', at: '2026-01-01T00:00:00Z', seen: 'no balance', exchanges: [] },
    usage: { verdict: 'unknown', needs: 'a usage record', exchanges: [] },
    'list-order': { verdict: 'guessed' },
  });
  expect([...known.keys()]).toEqual(['balance']);
  const { results } = await calibrated(origin, { known, only: ['balance', 'usage'] });
  expect(results).toMatchObject([
    { id: 'usage', verdict: 'observed' },
    { id: 'balance', verdict: 'contradicted', evidence: { seen: 'no balance', at: '2026-01-01T00:00:00Z' } },
  ]);
  expect((await control('GET', '/requests?path=/partner/balance')).body).toEqual([]);
});

test('a service that refuses the key gets one request', async () => {
  const { origin, control } = await startSandbox();
  const refused = calibrated(origin, { apiKey: 'sk_test_unknown', write: true });
  await expect(refused).rejects.toThrow(ServiceUnavailableError);
  expect((await control('GET', '/requests/count')).body.count).toBe(1);
});

function knownIds(results: readonly Result[]): readonly string[] {
  return results.filter(({ verdict }) => verdict !== 'unknown').map(({ id }) => id);
}
