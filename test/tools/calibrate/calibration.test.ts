import { expect, test } from 'vitest';
import type { CalibrateOptions } from '../../../src/tools/calibrate/calibrate.ts';
import { calibrate } from '../../../src/tools/calibrate/calibrate.ts';
import { knownResults } from '../../../src/tools/calibrate/profile.ts';
import { API_KEY, BASE_URL, fetchFrom, page, probed, type Routes, refuse, reply } from './other-service.ts';

const STOPPED = 'a run that is not stopped; --resume continues';
const BALANCE = 'GET /partner/balance';

const run = (routes: Routes, options: Partial<CalibrateOptions> = {}) =>
  calibrate({
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    asyncTimeoutMs: 0,
    webhookSecret: 'a-secret-of-the-calibration',
    signal: new AbortController().signal,
    time: { now: () => Date.parse('2026-03-15T10:00:00Z'), sleep: () => Promise.resolve() },
    fetch: fetchFrom(routes),
    ...options,
  });

test.each([
  [401, 'the service refuses the key (401: not you)'],
  [403, 'the service refuses the key (403: not you)'],
  [404, `GET ${BASE_URL}/partner/cards gets a 404; --base-url must be the base URL of the service`],
  [500, `GET ${BASE_URL}/partner/cards gets a 500; --base-url must be the base URL of the service`],
  [204, `GET ${BASE_URL}/partner/cards gets a 204; --base-url must be the base URL of the service`],
])('a service that answers the first request with %d is not calibrated', async (status, message) => {
  const parts: string[] = [];
  const running = run(
    { 'GET /partner/cards': refuse(status, 'not you') },
    {
      write: true,
      onExchange: (id, { request: { path, query } }) => parts.push(`${id} ${path} ${query?.limit}`),
    },
  );
  await expect(running).rejects.toThrow(message);
  expect(parts).toEqual(['service /partner/cards 1']);
});

test('a first list that is too long does not end it', async () => {
  const long = reply(200, 'x'.repeat(4 * 1024 * 1024 + 1));
  const { results } = await run({ 'GET /partner/cards': long }, { only: ['balance'] });
  expect(results).toMatchObject([{ id: 'balance', verdict: 'contradicted' }]);
  await expect(run({ 'GET /partner/cards': reply(403, long.body) })).rejects.toThrow('refuses the key');
});

test('the result has the service, the time, the names, the verdicts and how many requests were sent', async () => {
  const routes: Routes = { [BALANCE]: reply(200, { available: 1 }), 'GET /partner/cards': page({}) };
  const parts: string[] = [];
  const reported: string[] = [];
  const calibration = await run(routes, {
    only: ['balance', 'list-order', 'cors', 'host'],
    names: { service: 'acme' },
    onResult: ({ id }) => reported.push(id),
    onExchange: id => parts.push(id),
  });
  const { results, ...rest } = calibration;
  expect(rest).toEqual({
    service: BASE_URL,
    observedAt: '2026-03-15T10:00:00.000Z',
    names: { service: 'acme' },
    summary: { observed: 0, contradicted: 2, unknown: 2, requests: 8 },
    leftovers: [],
    failure: null,
  });
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['cors', 'contradicted'],
    ['list-order', 'unknown'],
    ['balance', 'contradicted'],
    ['host', 'unknown'],
  ]);
  expect(reported).toEqual(results.map(({ id }) => id));
  expect(parts).toEqual(['service', 'cors', ...Array<string>(5).fill('list-order'), 'balance']);
  expect(results[2]?.evidence.at).toBe('2026-03-15T10:00:00.000Z');
  expect(results[3]?.evidence).toEqual({
    needs: 'a way to observe it from outside: it concerns the sandbox itself, or what the API cannot do',
    exchanges: [],
  });
});

test('a response that breaks off in the middle makes its entry unknown, with the reason', async () => {
  const whole = fetchFrom({});
  const cut = () =>
    new Response(new ReadableStream({ start: controller => controller.error(new TypeError('terminated')) }));
  const { results, failure } = await run(
    {},
    {
      only: ['balance', 'cors'],
      fetch: (input, init) =>
        String(input).endsWith('/balance') ? Promise.resolve(cut()) : whole(input, init),
    },
  );
  expect(failure).toBeNull();
  expect(results).toMatchObject([
    { id: 'cors', verdict: 'contradicted' },
    {
      id: 'balance',
      evidence: { needs: 'a response that the probe understands (terminated)', exchanges: [] },
    },
  ]);
});

test('of a response that is too long the exchange is kept, without the body', async () => {
  const report = await probed('balance', { [BALANCE]: reply(200, 'x'.repeat(4 * 1024 * 1024 + 1)) });
  expect(report).toEqual({
    verdict: 'unknown',
    text: 'a response to GET /partner/balance of at most 4 MiB',
    shown: [`${BALANCE} 200`],
  });
});

test('after an abort all other probes are unknown, and nothing more is sent', async () => {
  const controller = new AbortController();
  const sent: string[] = [];
  const { results, failure } = await run(
    {
      [BALANCE]: () => {
        controller.abort();
        return reply(200);
      },
    },
    {
      only: ['usage', 'balance', 'card-programs', 'transactions', 'share-tokens'],
      write: true,
      signal: controller.signal,
      onExchange: id => sent.push(id),
    },
  );
  expect(failure).toBeNull();
  expect(results.map(({ id, evidence }) => [id, evidence.needs])).toEqual([
    ['card-programs', undefined],
    ['usage', 'a usage record'],
    ['balance', undefined],
    ['transactions', STOPPED],
    ['share-tokens', STOPPED],
  ]);
  expect(sent).toEqual(['service', 'card-programs', 'usage', 'balance']);
});

test('a probe that is stopped by an abort is unknown, not failed', async () => {
  const controller = new AbortController();
  const { results } = await run(
    {
      'GET /partner/cards': ({ query }) => {
        if (query.limit === '100') controller.abort();
        return page();
      },
    },
    { only: ['list-order'], signal: controller.signal },
  );
  expect(results).toEqual([
    { id: 'list-order', verdict: 'unknown', evidence: { needs: STOPPED, exchanges: [] } },
  ]);
});

test('when the service disappears the probe and all others are unknown, and the reason is reported', async () => {
  const alive = fetchFrom({});
  const { results, failure } = await run(
    {},
    {
      only: ['list-order', 'balance'],
      fetch: (input, init) =>
        String(input).includes('limit=1&') || String(input).endsWith('limit=1')
          ? alive(input, init)
          : Promise.reject(new TypeError('gone')),
    },
  );
  expect(failure).toBe(`no service responds at ${BASE_URL} (TypeError: gone)`);
  expect(results.map(({ evidence }) => evidence.needs)).toEqual([STOPPED, STOPPED]);
});

test('verdicts of an earlier run are kept as they are, with what they rest on', async () => {
  const earlier = {
    verdict: 'contradicted',
    setting: { name: 'list-order', value: 'oldest' },
    at: '2026-01-01T00:00:00Z',
    seen: 'oldest first',
    exchanges: [
      {
        request: { method: 'GET', path: '/x', body: 1 },
        response: { status: 200, headers: { a: 'b' }, body: {} },
      },
    ],
  };
  const known = knownResults({
    'list-order': earlier,
    balance: { verdict: 'observed' },
    usage: { verdict: 'unknown', needs: 'x', exchanges: [] },
    cors: { ...earlier, setting: { name: 1 } },
    money: { ...earlier, exchanges: [{ request: {} }] },
    text: 'no observation',
  });
  const { verdict, setting, ...evidence } = earlier;
  expect(Object.fromEntries(known)).toEqual({
    'list-order': { id: 'list-order', verdict, setting, evidence },
    balance: { id: 'balance', verdict: 'observed', evidence: { exchanges: [] } },
  });
  const { results, summary } = await run({}, { known, only: ['usage'] });
  expect(results.map(({ id }) => id)).toEqual(['list-order', 'usage', 'balance']);
  expect(results[0]).toEqual(known.get('list-order'));
  expect(summary).toEqual({ observed: 1, contradicted: 1, unknown: 1, requests: 2 });
});

test('what could not be cleaned up is reported without control characters, and the rest is cleaned up', async () => {
  const bodies: unknown[] = [];
  const { leftovers } = await run(
    {
      'GET /partner/webhooks/config': reply(200, {
        webhookUrl: 'https://a.example.com/',
        subscribedEvents: ['x'],
      }),
      'PATCH /partner/webhooks/config': ({ body }) => {
        bodies.push(body);
        return body.webhookUrl === 'https://a.example.com/' ? refuse(409, 'locked\u0007') : reply(200, body);
      },
    },
    { only: ['patch-config'], write: true },
  );
  expect(leftovers).toEqual(['the webhook configuration could not be restored: locked\\u0007']);
  expect(bodies).toHaveLength(3);
});

test('a KYC is waited for as long as --patience says, a tenth of a second at a time', async () => {
  const waits: number[] = [];
  let now = Date.parse('2026-03-15T10:00:00Z');
  let reads = 0;
  const routes: Routes = {
    'GET /partner/webhooks/config': reply(200),
    'PATCH /partner/webhooks/config': reply(200),
    'POST /partner/cardholders': reply(201, { id: 'ch_1' }),
    'POST /partner/cardholders/ch_1/kyc': reply(202),
    'GET /partner/cardholders/ch_1': () => {
      reads += 1;
      return reply(200, { kycStatus: 'pending' });
    },
  };
  const time = {
    now: () => now,
    async sleep(ms: number) {
      waits.push(ms);
      now += ms;
    },
  };
  const options = { write: true, variables: { cardProgramId: 'p1' }, asyncTimeoutMs: 300, time };
  expect(await probed('kyc-decision', routes, options)).toMatchObject({ verdict: 'unknown' });
  expect(waits).toEqual([100, 100, 100]);
  expect(reads).toBe(4);
});
