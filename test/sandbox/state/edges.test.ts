import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import type { CoreOptions } from '../../../src/sandbox/options.ts';
import { type InProcess, openInProcess, startInProcess } from '../../support/in-process.ts';
import { manualTime } from '../../support/manual-time.ts';
import { size } from '../../support/proof/proof-size.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { type Json, newCardholder } from '../../support/sandbox.ts';

const FIRST_DAY = '0000-01-01T00:00:00Z';
const LAST_DAY = '9899-12-31T00:00:00.000Z';
const MAX_DURATION = '36525d';
const LONGEST_TIME = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '-36525d', '+36525d', 'now'];

/** The options that are numbers, durations or times, at their bounds. */
const options: fc.Arbitrary<CoreOptions> = fc.record({
  clock: fc.constantFrom(
    FIRST_DAY,
    '0001-03-01',
    '2026-02-28T23:59:59.999Z',
    '9899-12-30T23:59:59.999Z',
    LAST_DAY,
  ),
  freeze: fc.boolean(),
  seed: fc.constantFrom(0, Number.MAX_SAFE_INTEGER),
  kycDelay: fc.constantFrom('0ms', '0.4ms', MAX_DURATION),
  retrySpeed: fc.constantFrom(0.001, 1, 1_000_000),
  idLength: fc.constantFrom(undefined, 24, 243, 255),
  rateLimit: fc.constantFrom(0, 1_000_000),
  assume: fc.record({
    'authorization-ttl': fc.constantFrom('1ms', MAX_DURATION, 'never'),
    'webhook-timeout': fc.constantFrom('1ms', MAX_DURATION),
    'signature-timestamp': fc.constantFrom('seconds', 'milliseconds'),
  }),
});

const times = fc.constantFrom(...LONGEST_TIME);

/** Parameters of the control plane and of fixtures at their bounds. */
const edges = fc.record({
  createdAt: times,
  expiresAt: times,
  authorizationTtl: fc.constantFrom('0ms', MAX_DURATION, null),
  gracePeriod: fc.constantFrom('0ms', MAX_DURATION),
  amount: fc.constantFrom(0.01, 1_000_000_000_000),
  times: fc.constantFrom(1, Number.MAX_SAFE_INTEGER),
  advance: fc.constantFrom('0ms', '1m', '24h', MAX_DURATION),
  /** Of the body of a fault: the deepest, and one that is refused, because no state could hold it. */
  depth: fc.constantFrom(1, 90, 98),
});

type Edges = typeof edges extends fc.Arbitrary<infer Value> ? Value : never;

function fixture({ createdAt, expiresAt, authorizationTtl, amount }: Edges) {
  return {
    partners: [{ id: 'partner_edge', apiKey: 'sk_test_acme_0123456789abcdef', createdAt, balance: amount }],
    cardPrograms: [{ id: 'prog_edge', name: 'Edge', authorizationTtl, createdAt, limit: amount }],
    shareTokens: [{ token: 'share_edge', expiresAt }],
    kycSessions: [{ id: 'kycs_edge', createdAt }],
    cardholders: [
      {
        id: 'ch_edge',
        kycStatus: 'approved',
        createdAt,
        card: {
          status: 'active',
          createdAt,
          transactions: [{ amount: 0.01, status: 'authorized', createdAt }],
        },
      },
    ],
    usage: [{ type: 'kyc_verification', amount, referenceId: 'ch_edge', createdAt }],
  };
}

/** Uses all that has a time or a number, as far as the clock lets it. No response is an internal error. */
async function use(sandbox: InProcess, { gracePeriod, amount, times, advance, depth }: Edges): Promise<void> {
  const statuses: number[] = [];
  const control = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const reply = await sandbox.control(method, path, body);
    statuses.push(reply.status);
    return reply.body;
  };
  const api = (method: string, path: string, body?: unknown): Json => {
    const reply = sandbox.api(method, path, body);
    statuses.push(reply.status);
    return reply.body;
  };
  await subscribe(sandbox);
  const { id } = api('POST', '/partner/cardholders', newCardholder());
  api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_edge' });
  api('POST', '/partner/kyc-sessions', {});
  await control('POST', '/cardholders', {});
  const [card] = api('GET', '/partner/cards').data;
  api('POST', `/partner/cards/${card.id}/reveal-html`, {});
  const { id: transactionId } = await control('POST', '/transactions', { cardId: card.id, amount: 0.01 });
  await control('POST', `/transactions/${transactionId}/settle`, { amount, force: true });
  await control('POST', `/cards/${card.id}/3ds`, { amount });
  await control('POST', '/balance/top-up', { amount });
  await control('POST', '/partners/partner_edge/keys/rotate', { gracePeriod });
  await control('POST', '/share-tokens', { expiresIn: MAX_DURATION });
  await control('POST', '/faults', {
    status: 503,
    body: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`),
    times,
    after: times,
    from: FIRST_DAY,
    until: '9999-12-31',
  });
  await control('POST', '/webhook-faults', { kind: 'delay', times, delayMs: 604_800_000 });
  await control('POST', '/clock/advance', { duration: advance });
  await control('POST', '/deliveries/settle');
  await control('GET', '/requests');
  await control('GET', '/deliveries');
  await control('GET', '/clock');
  expect(statuses.filter(status => status >= 500 && status !== 503)).toEqual([]);
}

test('a sandbox at the edges of its options reads every state that it writes, and so does the next one', async () => {
  await fc.assert(
    fc.asyncProperty(options, edges, async (given, chosen) => {
      const start = (): InProcess =>
        openInProcess(
          { ...given, fixtures: [new BuiltFixture('edges', fixture(chosen))] },
          { transport: fakeReceiver(() => 500).transport },
        );
      const sandbox = start();
      const next = start();
      try {
        await use(sandbox, chosen);
        const { body: state } = await sandbox.control('GET', '/state');
        for (const each of [sandbox, next]) {
          expect(await each.control('PUT', '/state', state)).toEqual({ status: 204, body: null });
          const { body: again } = await each.control('GET', '/state');
          expect((await each.control('PUT', '/state', again)).status).toBe(204);
        }
      } finally {
        sandbox.stop();
        next.stop();
      }
    }),
    { numRuns: size(25, 300) },
  );
});

test('a running clock stops at the end of time, and its state is read again', async () => {
  const { realTime, pass } = manualTime(0);
  const { control } = startInProcess({ clock: LAST_DAY, freeze: false }, { realTime });
  pass(48 * 3_600_000);
  expect((await control('GET', '/clock')).body.now).toBe(LAST_DAY);
  const { body: state } = await control('GET', '/state');
  expect((await control('PUT', '/state', state)).status).toBe(204);
});

test.each([
  [{ retrySpeed: 1e-12 }, 'retrySpeed: must be from 0.001 to 1000000'],
  [{ retrySpeed: 1e9 }, 'retrySpeed: must be from 0.001 to 1000000'],
  [{ clock: '0000-01-01T00:00:00+01:00' }, /^clock: must be from 0000-01-01T00:00:00.000Z to 9999-12-31T/],
  [{ clock: '9899-12-31T00:00:00.001Z' }, 'clock: must not be after 9899-12-31T00:00:00.000Z'],
  [{ kycDelay: '36525.1d' as const }, /^kycDelay: must be a duration .*, at most 100 years$/],
])('an option beyond its edge is refused with its bounds: %j', (options, message) => {
  expect(() => openInProcess(options)).toThrow(message);
});

test('transactions of a fixture whose sums would not be exact are refused', () => {
  const transactions = [{ generate: 91, amount: 1_000_000_000_000 }];
  const content = fixtureWith({ card: { status: 'active', transactions } });
  expect(() => openInProcess({ fixtures: [new BuiltFixture('sums', content)] })).toThrow(
    /transactions: the amounts add up to 91000000000000; a record may have at most 1000000000000/,
  );
});

function fixtureWith(cardholder: object) {
  return {
    partners: [{ id: 'p', apiKey: 'sk_test_p' }],
    cardPrograms: [{ id: 'prog', name: 'P' }],
    cardholders: [{ id: 'ch', kycStatus: 'approved', ...cardholder }],
  };
}

test.each(['attempt', 'redelivery'])(
  'the state at each request while the %s of a webhook ends is loaded, and sends nothing that has been delivered',
  async what => {
    const { transport, seen } = fakeReceiver();
    const { api, control } = startInProcess({ fixtures: ['starter'] }, { transport });
    await subscribe({ api });
    await control('POST', '/balance/top-up', { amount: 1 });
    if (what === 'redelivery') {
      await control('POST', '/deliveries/settle');
      const [{ id }] = (await control('GET', '/deliveries')).body;
      void control('POST', `/deliveries/${id}/redeliver`);
    }
    // A request in each of the turns in which what has begun may end.
    for (let turn = 0; turn < 60; turn += 1) {
      await null;
      api('GET', '/partner/balance');
    }
    await control('POST', '/deliveries/settle');
    const sent = seen.length;
    expect(sent).toBe(what === 'attempt' ? 1 : 2);
    const reads = (await control('GET', '/history')).body.filter(({ method }: Json) => method === 'GET');
    let open = 0;
    for (const { id } of reads) {
      const { body } = await control('GET', `/state?at=${id}`);
      expect((await control('PUT', '/state', body)).status).toBe(204);
      await control('POST', '/deliveries/settle');
      if (body.clock.timers.some(({ kind }: Json) => /^delivery/.test(kind))) open += 1;
    }
    expect([open > 0, seen.length]).toEqual([true, sent + open]);
  },
);
