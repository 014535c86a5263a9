import { expect, test } from 'vitest';
import type { DisturbancePlan } from '../../../src/sandbox/disturbance/plan.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, HOOKS, isSigned, type ReceivedWebhook, subscribe } from '../../support/receiver.ts';
import type { Json } from '../../support/sandbox.ts';

/** A sandbox that is subscribed to top-ups, and how often its coverage has counted each condition of deliveries. */
async function counting(
  respond?: (request: ReceivedWebhook, count: number) => number,
  disturbance?: DisturbancePlan,
) {
  const { transport } = fakeReceiver(respond);
  const sandbox = startInProcess({}, { transport, disturbance });
  const { api, control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  const settle = () => control('POST', '/deliveries/settle');
  /** Raises an event and waits for its first attempt. Resolves with its id. */
  const topUp = async (): Promise<string> => {
    await control('POST', '/balance/top-up', { amount: 1 });
    await settle();
    return (await control('GET', '/deliveries')).body[0].id;
  };
  const counts = async (): Promise<Json> => {
    const { conditions } = (await control('GET', '/coverage')).body;
    const ofDeliveries = conditions.filter(({ id, count }: Json) => /^event/.test(id) && count > 0);
    return Object.fromEntries(ofDeliveries.map(({ id, count }: Json) => [id, count]));
  };
  const fault = (body: Json) => control('POST', '/webhook-faults', body);
  return { api, control, settle, topUp, counts, fault };
}

test('an event is covered once its webhook has arrived, and a failed attempt covers nothing', async () => {
  const { topUp, counts, control } = await counting((_, count) => (count === 1 ? 500 : 200));
  await topUp();
  expect(await counts()).toEqual({});
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await counts()).toEqual({ 'event balance.top_up': 1, 'event-retried': 1 });
  await topUp();
  expect(await counts()).toEqual({ 'event balance.top_up': 2, 'event-retried': 1 });
});

test('a retry is covered even if it fails, and each one counts', async () => {
  const { topUp, counts, control } = await counting(() => 500);
  await topUp();
  await control('POST', '/clock/advance', { duration: '6s' });
  expect(await counts()).toEqual({ 'event-retried': 2 });
});

test('the first attempt of a manual retry is a retry, too', async () => {
  const { api, control, settle, counts } = await counting();
  api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  await control('POST', '/balance/top-up', { amount: 1 });
  expect(await counts()).toEqual({});
  const { id } = (await control('GET', '/deliveries')).body[0];
  api('PATCH', '/partner/webhooks/config', { webhookUrl: HOOKS });
  api('POST', `/partner/webhooks/events/${id}/retry`);
  await settle();
  expect(await counts()).toEqual({ 'event balance.top_up': 1, 'event-retried': 1 });
});

test('a redelivery is no retry; it is a duplicate where the event has arrived before', async () => {
  const { control, topUp, counts } = await counting((_, count) => (count === 1 ? 500 : 200));
  const id = await topUp();
  await control('POST', `/deliveries/${id}/redeliver`);
  expect(await counts()).toEqual({ 'event balance.top_up': 1 });
  await control('POST', `/deliveries/${id}/redeliver`);
  expect(await counts()).toEqual({ 'event balance.top_up': 2, 'event-duplicate': 1 });
});

test('a first attempt after a redelivery is no retry', async () => {
  const { control, fault, topUp, counts } = await counting();
  await fault({ kind: 'delay', delayMs: 1_000 });
  const id = await topUp();
  await control('POST', `/deliveries/${id}/redeliver`);
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await counts()).toEqual({ 'event balance.top_up': 2, 'event-duplicate': 1 });
});

test('a webhook that is sent twice is a duplicate if it arrives', async () => {
  let status = 500;
  const { fault, topUp, counts } = await counting(() => status);
  await fault({ kind: 'duplicate' });
  await topUp();
  expect(await counts()).toEqual({});
  status = 200;
  await topUp();
  expect(await counts()).toEqual({ 'event balance.top_up': 1, 'event-duplicate': 1 });
});

test('a request whose content a fault changed covers nothing, and is none of the attempts before a retry', async () => {
  const { control, fault, topUp, counts } = await counting(request => (isSigned(request) ? 200 : 401));
  await fault({ kind: 'tampered_body', times: 1 });
  await topUp();
  expect(await counts()).toEqual({});
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await counts()).toEqual({ 'event balance.top_up': 1 });
  await fault({ kind: 'reformatted_body', times: 1 });
  await topUp();
  expect(await counts(), 'a reformatted one is genuine').toEqual({ 'event balance.top_up': 2 });
});

test('an additional request covers nothing, and makes the genuine one neither a retry nor a duplicate', async () => {
  const { topUp, counts } = await counting(undefined, [
    { id: 'fields', webhookFaults: [{ kind: 'unknown_fields', extra: true, times: 1 }] },
  ]);
  await topUp();
  expect(await counts()).toEqual({ 'event balance.top_up': 1 });
});
