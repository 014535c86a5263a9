import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RealTime, realTime } from '../../../src/core/time/realtime.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { newCardholder, START } from '../../support/sandbox.ts';

const WALL = Date.parse(START);

/** Wall time in which every slice has time for one task. */
function shortSlices(): RealTime {
  let elapsed = 0;
  return { ...realTime, now: () => WALL, elapsed: () => (elapsed += 1_000) };
}

/** Wall time in which everything fits into one slice. */
const ONE_SLICE: RealTime = { ...realTime, now: () => WALL, elapsed: () => 0 };

type Step =
  | { readonly kind: 'cardholders'; readonly tokens: readonly string[] }
  | { readonly kind: 'fault'; readonly fault: string; readonly times: number }
  | { readonly kind: 'top-up' }
  | { readonly kind: 'advance'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('cardholders' as const),
    tokens: fc.array(fc.constantFrom('approve', 'reject', 'pending'), { minLength: 1, maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant('fault' as const),
    fault: fc.constantFrom('duplicate', 'reorder', 'delay', 'drop', 'bad_signature'),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant('top-up' as const) }),
  fc.record({ kind: fc.constant('advance' as const), seconds: fc.constantFrom(1, 2, 5, 60, 86_400) }),
);

/** Plays the steps. Returns everything that they leave: records, timers, deliveries and the webhooks as sent. */
async function play(steps: readonly Step[], failures: readonly boolean[], time: RealTime) {
  const attempts = new Map<string, number>();
  const { transport, seen } = fakeReceiver(({ event }) => {
    const attempt = (attempts.get(event.id) ?? 0) + 1;
    attempts.set(event.id, attempt);
    return failures[(attempt + event.id.length) % failures.length] ? 500 : 200;
  });
  const sandbox = startInProcess({ retrySpeed: 60 }, { transport, realTime: time });
  sandbox.api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: [
      'cardholder.created',
      'cardholder.kyc.updated',
      'cardholder.approved',
      'balance.top_up',
    ],
  });
  let people = 0;
  for (const each of steps) {
    if (each.kind === 'cardholders') {
      for (const outcome of each.tokens) {
        people += 1;
        const person = { externalUserId: `user_${people}`, email: `user_${people}@example.com` };
        const token = `idp1_test_${outcome}_${people}`;
        sandbox.api('POST', '/partner/cardholders', newCardholder({ ...person, idp1ShareToken: token }));
      }
    } else if (each.kind === 'fault') {
      await sandbox.control('POST', '/webhook-faults', { kind: each.fault, times: each.times });
    } else if (each.kind === 'top-up') await sandbox.control('POST', '/balance/top-up', { amount: 5 });
    else await sandbox.control('POST', '/clock/advance', { duration: `${each.seconds}s` });
    // A request that comes between two slices would see a different moment in each of the runs.
    await sandbox.control('POST', '/deliveries/settle', {});
  }
  await sandbox.control('POST', '/clock/advance', { duration: '3d' });
  const state = (await sandbox.control('GET', '/state')).body;
  const deliveries = (await sandbox.control('GET', '/deliveries')).body;
  return JSON.stringify({ state: { ...state, savedAt: null }, deliveries, seen }, null, 1);
}

test('records, deliveries and webhooks are the same bytes with one task a slice as without slices', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
      async (steps, failures) => {
        expect(await play(steps, failures, shortSlices())).toBe(await play(steps, failures, ONE_SLICE));
      },
    ),
    { numRuns: 10 },
  );
});
