import { expect, test } from 'vitest';
import { type RealTime, realTime } from '../../../src/core/time/realtime.ts';
import type { DisturbancePlan } from '../../../src/sandbox/disturbance/plan.ts';
import { createCardholder } from '../../support/cardholders.ts';
import { startInProcess } from '../../support/in-process.ts';
import {
  ALL_TYPES,
  fakeReceiver,
  HOOKS,
  isSigned,
  type ReceivedWebhook,
  SECRET,
  subscribe,
} from '../../support/receiver.ts';
import { type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** Creates a cardholder under a webhook fault. Resolves with the requests to the receiver and the delivery. */
async function sent(fault: Json) {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
  await subscribe(sandbox);
  const added = await sandbox.control('POST', '/webhook-faults', fault);
  expect(added.status).toBe(201);
  return { ...(await createAndSettle(sandbox)), seen, ...firstOf(seen) };
}

const firstOf = (seen: readonly ReceivedWebhook[]) => ({
  body: seen[0]?.body ?? '',
  first: seen[0] as ReceivedWebhook,
});

async function createAndSettle(sandbox: TestSandbox) {
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  const [delivery] = (await sandbox.control('GET', '/deliveries')).body;
  const [listed] = (await sandbox.api('GET', '/partner/webhooks/events')).body.data;
  return { delivery, listed };
}

test('missing_signature sends no signature header', async () => {
  const { first, delivery } = await sent({ kind: 'missing_signature', times: 1 });
  expect(Object.keys(first.headers)).not.toContain('X-Service-Signature');
  expect(delivery.attempts).toMatchObject([{ fault: 'missing_signature' }]);
});

test('reformatted_body is a genuine delivery: the same JSON in other bytes, which are signed', async () => {
  const { first, delivery } = await sent({ kind: 'reformatted_body', times: 1 });
  expect(isSigned(first)).toBe(true);
  expect(first.event).toEqual(JSON.parse(delivery.payload));
  for (const indent of [0, 1, 2, 4]) expect(first.body).not.toBe(JSON.stringify(first.event, null, indent));
  expect(isSigned({ ...first, body: JSON.stringify(first.event) })).toBe(false);
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ fault: 'reformatted_body' }] });
});

test('other_secret signs with a secret that is not the configured one', async () => {
  const { first } = await sent({ kind: 'other_secret', times: 1 });
  expect(first.headers['X-Service-Signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(isSigned(first)).toBe(false);
});

test('tampered_body changes one byte after signing, and the body is still JSON', async () => {
  const { first, delivery } = await sent({ kind: 'tampered_body', times: 1 });
  expect(isSigned(first)).toBe(false);
  const genuine = delivery.payload;
  expect(first.body).toHaveLength(genuine.length);
  const changed = [...first.body].filter((letter, place) => letter !== genuine[place]);
  expect(changed).toHaveLength(1);
  expect(first.event.eventType).toBe('cardholder.created');
});

test('tampered_body changes the last character of the id, whatever it is', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = startInProcess({}, { transport });
  const { control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  await control('POST', '/webhook-faults', { kind: 'tampered_body' });
  for (let count = 0; count < 150; count++) await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const { body: deliveries } = await control('GET', '/deliveries?limit=200');
  const ids: string[] = deliveries.map(({ id }: Json) => id).reverse();
  const changed = ids.map(id => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0'));
  expect(ids.some(id => id.endsWith('0'))).toBe(true);
  expect(seen.map(({ event }) => event.id)).toEqual(changed);
});

test('unknown_fields adds signed fields to the event and to its data', async () => {
  const { first, body } = await sent({ kind: 'unknown_fields' });
  expect(isSigned(first)).toBe(true);
  expect(first.event).toMatchObject({ eventType: 'cardholder.created', futureText: expect.any(String) });
  expect(first.event.data).toMatchObject({ futureList: [{ futureText: 'café' }] });
  // A receiver that verifies what it parsed and wrote again finds another signature.
  expect(JSON.stringify(JSON.parse(body))).not.toBe(body);
});

test('unknown_type sends a signed event of a type that no interface describes, with another id', async () => {
  const { first, delivery } = await sent({ kind: 'unknown_type', times: 1 });
  expect(isSigned(first)).toBe(true);
  expect(ALL_TYPES).not.toContain(first.event.eventType);
  expect(first.headers['X-Service-Event']).toBe(first.event.eventType);
  expect(first.event.id).not.toBe(delivery.id);
});

test('other_partner sends an event about a record of another partner, signed with its secret', async () => {
  const { first, delivery } = await sent({ kind: 'other_partner', times: 1 });
  expect(isSigned(first)).toBe(false);
  expect(first.event).toMatchObject({ eventType: 'cardholder.created', data: { id: 'ch_gus_globex' } });
  expect(first.event.id).toMatch(/^evt_/);
  expect(first.event.id).not.toBe(delivery.id);
});

test('other_partner is no genuine event where the other partner has the same secret', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
  await subscribe(sandbox);
  const shared = { webhookUrl: HOOKS, webhookSecret: SECRET };
  expect(await sandbox.globex('PATCH', '/partner/webhooks/config', shared)).toMatchObject({ status: 200 });
  await sandbox.control('POST', '/webhook-faults', { kind: 'other_partner', times: 1 });
  await createAndSettle(sandbox);
  expect(seen[0]?.event).toMatchObject({ data: { id: 'ch_gus_globex' } });
  expect(seen.map(each => isSigned(each))).toEqual([false]);
});

test('where webhooks have the data alone, unknown_type changes nothing but the name of the type', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = startInProcess({ assume: { 'webhook-envelope': 'data' } }, { transport });
  const { control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  await control('POST', '/webhook-faults', { kind: 'unknown_type', times: 1 });
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const [delivery] = (await control('GET', '/deliveries')).body;
  expect(seen.map(({ body }) => body)).toEqual([delivery.payload]);
  expect(seen[0]?.event).not.toHaveProperty('eventType');
  expect(seen[0]?.headers['X-Service-Event']).toBe('card.future_event');
});

const FORGING: DisturbancePlan = [
  { id: 'forged', webhookFaults: [{ kind: 'tampered_body', extra: true, times: 1 }] },
];

test('an additional request comes before the unchanged one and counts nowhere', async () => {
  const { transport, seen } = fakeReceiver(request => (isSigned(request) ? 200 : 401));
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport, disturbance: FORGING });
  await subscribe(sandbox);
  const { delivery, listed } = await createAndSettle(sandbox);
  expect(seen.map(each => isSigned(each))).toEqual([false, true]);
  expect(delivery).toMatchObject({
    status: 'delivered',
    attemptCount: 1,
    attempts: [
      { fault: 'tampered_body', extra: true, status: 401 },
      { fault: null, status: 200 },
    ],
  });
  expect(listed).toMatchObject({ attemptCount: 1, lastResponseStatus: 200 });
});

test.each(['ended', 'had time to arrive'])(
  'additional requests leave the order of the unchanged ones, of which each waits until the one before has %s',
  async until => {
    const waiting: ((status: number) => void)[] = [];
    const timers: (() => void)[] = [];
    const { transport, seen } = fakeReceiver(() => new Promise<number>(resolve => waiting.push(resolve)));
    const after: RealTime['after'] = (ms, task) => {
      if (ms === 0) return realTime.after(0, task);
      timers.push(task);
      return () => undefined;
    };
    const hooks = { transport, disturbance: FORGING, realTime: { ...realTime, after } };
    const sandbox = await startSandbox({ fixtures: ['starter'] }, hooks);
    const { api, control } = sandbox;
    await subscribe(sandbox, ['card.transaction']);
    const { id } = (await control('POST', '/transactions', { cardId: 'card_mia_active', amount: 10 })).body;
    await control('POST', `/transactions/${id}/settle`, { amount: 9 });
    const sent = [
      ['authorized', false],
      ['authorized', true],
      ['settled', true],
    ];
    for (const count of [1, 2, 3]) {
      await expect.poll(() => seen.length).toBe(count);
      await api('GET', '/partner/cards');
      expect(seen.map(each => [each.event.data.status, isSigned(each)])).toEqual(sent.slice(0, count));
      if (count === 1) waiting[0]?.(401);
      else if (until === 'ended') waiting[count - 1]?.(200);
      else for (const task of timers.splice(0)) task();
    }
    for (const respond of waiting) respond(200);
    await control('POST', '/deliveries/settle');
    const { body: deliveries } = await control('GET', '/deliveries');
    const attempts = deliveries.map((each: Json) => each.attempts.map(({ status }: Json) => status));
    expect(attempts).toEqual([[200], [401, 200]]);
  },
);

test('a refused additional request leaves the retry schedule as it is', async () => {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport, disturbance: FORGING });
  await subscribe(sandbox);
  const { delivery } = await createAndSettle(sandbox);
  expect(delivery).toMatchObject({ status: 'pending', attemptCount: 1 });
  expect(Date.parse(delivery.nextRetryAt) - Date.parse(delivery.lastAttemptAt)).toBe(1_000);
});

test('deliveries that reorder holds back together are sent newest first', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  await sandbox.control('POST', '/webhook-faults', { kind: 'reorder', delayMs: 500 });
  const created = [
    await createCardholder(sandbox),
    await createCardholder(sandbox),
    await createCardholder(sandbox),
  ];
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  expect(seen.map(({ event }) => event.data.id)).toEqual(created.toReversed());
});
