import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, isSigned, subscribe } from '../../support/receiver.ts';
import { type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** A sandbox with one delivery, after its first attempt. `answers` are the statuses in the order of the requests. */
async function delivered(...answers: readonly number[]) {
  const { transport, seen } = fakeReceiver((_, count) => answers[count - 1] ?? 200);
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  const { body } = await sandbox.control('GET', '/deliveries');
  return { sandbox, seen, delivery: body[0] as Json, redeliver: () => redeliver(sandbox, body[0].id) };
}

function redeliver({ control }: TestSandbox, id: string) {
  return control('POST', `/deliveries/${id}/redeliver`);
}

test('a delivered delivery is sent once more with the same id and body, signed again and marked', async () => {
  const { sandbox, seen, delivery, redeliver } = await delivered();
  const { status, body } = await redeliver();
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: delivery.id, status: 'delivered', attemptCount: 2, nextRetryAt: null });
  expect(body.attempts.map(({ redelivery }: Json) => redelivery)).toEqual([undefined, true]);
  expect(seen.map(each => each.body)).toEqual([seen[0]?.body, seen[0]?.body]);
  expect(seen.map(each => isSigned(each))).toEqual([true, true]);
  expect((await sandbox.control('GET', `/deliveries/${delivery.id}`)).body).toEqual(body);
  const { body: event } = await sandbox.api('GET', `/partner/webhooks/events/${delivery.id}`);
  expect(event).toMatchObject({ status: 'delivered', attemptCount: 2 });
});

test('a delivered delivery stays delivered when its redelivery fails', async () => {
  const { redeliver } = await delivered(200, 500);
  const { body } = await redeliver();
  expect(body).toMatchObject({
    status: 'delivered',
    cause: null,
    nextRetryAt: null,
    lastResponseStatus: 500,
  });
  expect(body.attempts[1]).toMatchObject({ status: 500, redelivery: true });
});

test('a pending delivery keeps its status and its retry schedule, whatever its redelivery gets', async () => {
  const { sandbox, delivery, redeliver } = await delivered(500, 200, 500, 500);
  const { nextRetryAt } = delivery;
  expect((await redeliver()).body).toMatchObject({ status: 'pending', nextRetryAt, attemptCount: 2 });
  expect((await redeliver()).body).toMatchObject({ status: 'pending', nextRetryAt, attemptCount: 3 });
  // The first two retries, after 1 s and 5 s.
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  const { body: second } = await sandbox.control('GET', `/deliveries/${delivery.id}`);
  expect(second).toMatchObject({ status: 'pending', nextRetryAt: '2026-03-15T10:00:06.000Z' });
  await sandbox.control('POST', '/clock/advance', { duration: '5s' });
  const { body: last } = await sandbox.control('GET', `/deliveries/${delivery.id}`);
  expect(last).toMatchObject({ status: 'delivered', attemptCount: 5 });
});

test('a failed delivery is delivered after a redelivery with a 2xx response, and else stays failed', async () => {
  const { sandbox, redeliver } = await delivered(500, 500, 500, 500, 500, 500, 503, 204);
  await sandbox.control('POST', '/clock/advance', { duration: '48h' });
  expect((await redeliver()).body).toMatchObject({
    status: 'failed',
    cause: 'answered 503',
    nextRetryAt: null,
  });
  expect((await redeliver()).body).toMatchObject({ status: 'delivered', cause: null });
});

test('a redelivery uses the URL that is configured now', async () => {
  const { sandbox, redeliver } = await delivered();
  const webhookUrl = 'https://hooks.example.com/moved';
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl });
  expect((await redeliver()).body).toMatchObject({ webhookUrl, attempts: [{}, { url: webhookUrl }] });
});

test('a redelivery without a configured URL sends nothing, and does not hold up the next one', async () => {
  const { sandbox, seen, redeliver } = await delivered();
  await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  for (const attemptCount of [2, 3]) {
    expect((await redeliver()).body).toMatchObject({ status: 'delivered', webhookUrl: null, attemptCount });
  }
  await subscribe(sandbox);
  expect((await redeliver()).body).toMatchObject({
    attemptCount: 4,
    attempts: [{}, {}, {}, { status: 200 }],
  });
  expect(seen).toHaveLength(2);
});

test('a redelivery whose turn comes without a configured URL sends nothing, and does not hold up the next one', async () => {
  let sandbox: TestSandbox | undefined;
  const { transport, seen } = fakeReceiver(async ({ event }, count) => {
    if (count > 1 || sandbox === undefined) return 200;
    expect((await redeliver(sandbox, event.id)).body).toMatchObject({ attemptCount: 0 });
    await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
    return 200;
  });
  sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  await subscribe(sandbox);
  const [{ id, attempts }] = (await sandbox.control('GET', '/deliveries')).body;
  expect(attempts).toMatchObject([{ status: 200 }, { status: null, cause: 'not configured' }]);
  expect((await redeliver(sandbox, id)).body).toMatchObject({ attemptCount: 3 });
  expect(seen).toHaveLength(2);
});

test('an unknown delivery is a 404', async () => {
  const { sandbox } = await delivered();
  const { status, body } = await redeliver(sandbox, 'evt_none');
  expect(status).toBe(404);
  expect(body.error).toMatch(/evt_none/);
});

test('a receiver can request the redelivery of what it is receiving; attempts do not overlap', async () => {
  const log: string[] = [];
  let sandbox: TestSandbox | undefined;
  const { transport } = fakeReceiver(async ({ event }, count) => {
    log.push(`start ${count}`);
    if (count === 1 && sandbox !== undefined) {
      const { body } = await redeliver(sandbox, event.id);
      expect(body).toMatchObject({ status: 'pending', attemptCount: 0 });
    }
    log.push(`end ${count}`);
    return 200;
  });
  sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(log).toEqual(['start 1', 'end 1', 'start 2', 'end 2']);
  const { body } = await sandbox.control('GET', '/deliveries');
  expect(body[0].attempts.map(({ redelivery }: Json) => redelivery)).toEqual([undefined, true]);
});

test('a state document carries a redelivery in flight, which is then sent again', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const { transport, seen } = fakeReceiver(async (_, count) => {
    if (count === 2) await held;
    return 200;
  });
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  const { body: list } = await sandbox.control('GET', '/deliveries');
  const answered = redeliver(sandbox, list[0].id);
  await expect.poll(() => seen.length).toBe(2);
  const { body: state } = await sandbox.control('GET', '/state');
  const inFlight = { id: expect.stringMatching(/^rdl_/), deliveryId: list[0].id };
  expect(state.tables.redeliveries).toMatchObject([inFlight]);
  expect((await sandbox.control('PUT', '/state', state)).status).toBe(204);
  release();
  await answered;
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen.length).toBe(3);
  const { body } = await sandbox.control('GET', `/deliveries/${list[0].id}`);
  expect(body).toMatchObject({ status: 'delivered', attemptCount: 2, attempts: [{}, { redelivery: true }] });
});

test('a delivery keeps its newest 1,000 attempts, counts all of them, and can be retried further', async () => {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = startInProcess({}, { transport });
  const { api, control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/clock/advance', { duration: '1d' });
  const { id, attempts } = (await control('GET', '/deliveries')).body[0];
  const path = `/deliveries/${id}/redeliver`;
  const state = (await control('GET', '/state')).body;
  const [row] = state.tables.deliveries;
  row.attempts = Array.from({ length: 999 }, () => attempts[0]);
  expect((await control('PUT', '/state', state)).status).toBe(204);
  expect((await control('POST', path)).body.attemptCount).toBe(1_000);
  const more = (await control('POST', path)).body;
  expect(more).toMatchObject({ status: 'failed', attemptCount: 1_001, droppedAttempts: 1 });
  expect(more.attempts).toHaveLength(1_000);
  expect(api('POST', `/partner/webhooks/events/${id}/retry`).status).toBe(200);
  await control('POST', '/deliveries/settle');
  const { body } = await control('GET', `/deliveries/${id}`);
  expect(body).toMatchObject({
    status: 'failed',
    attemptCount: 1_002,
    droppedAttempts: 2,
    nextRetryAt: null,
  });
  expect(body.attempts).toHaveLength(1_000);
  const saved = (await control('GET', '/state')).body;
  expect((await control('PUT', '/state', saved)).status).toBe(204);
  expect(api('GET', `/partner/webhooks/events/${id}`).body.attemptCount).toBe(1_002);
});

test('attempts that are not kept count in the retry schedule', async () => {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = startInProcess({}, { transport });
  const { control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const { id } = (await control('GET', '/deliveries')).body[0];
  await control('POST', `/deliveries/${id}/redeliver`);
  const state = (await control('GET', '/state')).body;
  const [row] = state.tables.deliveries;
  const extra = { ...row.attempts[0], fault: 'tampered_body', extra: true };
  row.attempts = [extra, row.attempts[0], ...Array.from({ length: 998 }, () => row.attempts[1])];
  expect((await control('PUT', '/state', state)).status).toBe(204);
  await control('POST', `/deliveries/${id}/redeliver`);
  await control('POST', '/clock/advance', { duration: '2d' });
  const { body } = await control('GET', `/deliveries/${id}`);
  // The first attempt, five retries and 999 redeliveries. The additional request is none of them.
  expect(body).toMatchObject({ status: 'failed', attemptCount: 1_005, droppedAttempts: 5 });
});
