import { expect, test } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';
import { CARD_PROGRAM, createCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, isSigned, subscribe } from '../../support/receiver.ts';
import { type Json, START, startSandbox } from '../../support/sandbox.ts';

async function bent(fault: Record<string, unknown>) {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  const added = await sandbox.control('POST', '/webhook-faults', fault);
  const settle = () => sandbox.control('POST', '/deliveries/settle');
  const deliveries = async () => (await sandbox.control('GET', '/deliveries')).body.reverse();
  const subjects = () => seen.map(({ event }) => event.data.id);
  return { ...sandbox, sandbox, added, seen, settle, deliveries, subjects };
}

const timestampOf = (headers: Readonly<Record<string, string>> | undefined) =>
  Number(/^t=(\d+)/.exec(headers?.['X-Service-Signature'] ?? '')?.[1]);

test('duplicate sends an attempt twice and counts it once', async () => {
  const { sandbox, seen, settle, deliveries } = await bent({ kind: 'duplicate', times: 1 });
  await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(2);
  expect(seen[1]?.body).toBe(seen[0]?.body);
  expect(timestampOf(seen[1]?.headers)).toBe(timestampOf(seen[0]?.headers) - 1);
  expect(seen.every(each => isSigned(each))).toBe(true);
  expect(await deliveries()).toMatchObject([
    { status: 'delivered', attemptCount: 1, attempts: [{ fault: 'duplicate', repeatStatus: 200 }] },
  ]);
  await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(3);
});

test('reorder holds a delivery back until the next has overtaken it', async () => {
  const { sandbox, settle, subjects, deliveries } = await bent({ kind: 'reorder', times: 1 });
  const first = await createCardholder(sandbox);
  await settle();
  expect(subjects()).toEqual([]);
  const second = await createCardholder(sandbox);
  await settle();
  expect(subjects()).toEqual([second, first]);
  expect(await deliveries()).toMatchObject([
    { attempts: [{ fault: 'reorder' }] },
    { attempts: [{ fault: null }] },
  ]);
});

test('a delivery that nothing overtakes is sent after the maximum hold', async () => {
  const { sandbox, control, subjects } = await bent({ kind: 'reorder', times: 1 });
  const only = await createCardholder(sandbox);
  await control('POST', '/clock/advance', { duration: '5s' });
  expect(subjects()).toEqual([only]);
});

test('a delivery that is in flight is not sent again when another overtakes it', async () => {
  let release: (status: number) => void = () => undefined;
  const { transport, seen } = fakeReceiver((_, count) =>
    count === 1
      ? new Promise<number>(resolve => {
          release = resolve;
        })
      : 200,
  );
  const sandbox = await startSandbox({ kycDelay: '5s' }, { transport });
  const { api, control } = sandbox;
  await subscribe(sandbox, ['cardholder.created', 'cardholder.approved']);
  await control('POST', '/webhook-faults', { kind: 'reorder', times: 1 });
  // Its first attempt is due at the time of the decision, whose own event overtakes it.
  const id = await createCardholder(sandbox);
  await api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
  const advanced = control('POST', '/clock/advance', { duration: '5s' });
  await expect.poll(() => seen.length).toBe(2);
  release(200);
  await advanced;
  await control('POST', '/deliveries/settle');
  expect(seen.map(({ event }) => event.eventType).sort()).toEqual([
    'cardholder.approved',
    'cardholder.created',
  ]);
});

test('delay postpones the first attempt, by the sandbox clock', async () => {
  const { sandbox, control, seen, deliveries } = await bent({ kind: 'delay', delayMs: 90_000 });
  await createCardholder(sandbox);
  await control('POST', '/clock/advance', { duration: '89999ms' });
  expect(seen).toEqual([]);
  await control('POST', '/clock/advance', { duration: '1ms' });
  expect(await deliveries()).toMatchObject([
    { createdAt: START, lastAttemptAt: '2026-03-15T10:01:30.000Z', attempts: [{ fault: 'delay' }] },
  ]);
});

test('drop loses an attempt, and the retry delivers', async () => {
  const { sandbox, control, seen, settle, deliveries } = await bent({ kind: 'drop', times: 1 });
  await createCardholder(sandbox);
  await settle();
  expect(seen).toEqual([]);
  expect(await deliveries()).toMatchObject([
    { status: 'pending', lastResponseStatus: null, cause: 'dropped by a webhook fault' },
  ]);
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(await deliveries()).toMatchObject([{ status: 'delivered', attemptCount: 2, cause: null }]);
});

test('bad_signature sends an invalid signature, stale_timestamp a valid one with an old timestamp', async () => {
  const { sandbox, control, seen, settle } = await bent({ kind: 'bad_signature', times: 1 });
  await control('POST', '/webhook-faults', { kind: 'stale_timestamp', times: 1 });
  for (let count = 0; count < 3; count++) {
    await createCardholder(sandbox);
    await settle();
  }
  expect(seen.map(request => isSigned(request))).toEqual([false, true, true]);
  const [bad = 0, stale = 0, good = 0] = seen.map(({ headers }) => timestampOf(headers));
  expect(good - bad).toBeLessThan(60);
  expect(good - stale).toBeGreaterThanOrEqual(3_600);
  expect(good - stale).toBeLessThan(3_660);
});

test('a bad signature is always invalid, whatever the last digit of the valid one', async () => {
  const { sandbox, seen, settle } = await bent({ kind: 'bad_signature' });
  for (let count = 0; count < 40; count++) await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(40);
  expect(seen.filter(request => isSigned(request))).toEqual([]);
  for (const { headers } of seen) expect(headers['X-Service-Signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});

test('faults apply to their event type only, count their hits, and end when cleared or reset', async () => {
  const { sandbox, control, added, settle, deliveries } = await bent({
    kind: 'drop',
    eventType: 'card.issued',
  });
  expect(added).toMatchObject({
    status: 201,
    body: { kind: 'drop', eventType: 'card.issued', times: null, delayMs: null, hits: 0 },
  });
  await control('POST', '/webhook-faults', { kind: 'duplicate', eventType: 'cardholder.created' });
  await createCardholder(sandbox);
  await settle();
  expect(await deliveries()).toMatchObject([{ attempts: [{ fault: 'duplicate' }] }]);
  const hits = async () =>
    (await control('GET', '/webhook-faults')).body.map((fault: { hits: number }) => fault.hits);
  expect(await hits()).toEqual([0, 1]);
  expect((await control('DELETE', '/webhook-faults')).status).toBe(204);
  expect(await hits()).toEqual([]);
  await control('POST', '/webhook-faults', { kind: 'drop' });
  await control('POST', '/reset');
  expect(await hits()).toEqual([]);
});

test('an invalid fault is refused', async () => {
  const { control } = await bent({ kind: 'drop' });
  for (const body of [{}, { kind: 'explode' }, { kind: 'drop', times: 0 }, { kind: 'delay', delayMs: -1 }]) {
    expect((await control('POST', '/webhook-faults', body)).status, JSON.stringify(body)).toBe(400);
  }
});

test('a webhook fault can be removed', async () => {
  const { sandbox, control, seen, settle, added } = await bent({ kind: 'drop' });
  expect((await control('DELETE', `/faults/${added.body.id}`)).status).toBe(204);
  expect((await control('DELETE', `/faults/${added.body.id}`)).status).toBe(404);
  await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(1);
});

test('a webhook fault of a partner applies to its deliveries alone', async () => {
  const { sandbox, control, seen, settle } = await bent({ kind: 'drop', partnerId: 'partner_globex' });
  await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(1);
  await control('POST', '/webhook-faults', { kind: 'drop', partnerId: 'partner_acme' });
  await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(1);
  const faults = async () =>
    (await control('GET', '/webhook-faults')).body.map(({ partnerId, hits }: Json) => [partnerId, hits]);
  expect(await faults()).toEqual([
    ['partner_globex', 0],
    ['partner_acme', 1],
  ]);
  await control('DELETE', '/webhook-faults?partnerId=partner_globex');
  expect(await faults()).toEqual([['partner_acme', 1]]);
});

test('before_response waits for the webhook of its own request, not for an earlier one', async () => {
  const answers: ((status: number) => void)[] = [];
  const { transport, seen } = fakeReceiver(() => new Promise<number>(resolve => answers.push(resolve)));
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  await createCardholder(sandbox);
  await expect.poll(() => seen.length).toBe(1);
  await sandbox.control('POST', '/webhook-faults', { kind: 'before_response', delayMs: 60_000 });
  let isCreated = false;
  const created = createCardholder(sandbox).then(() => {
    isCreated = true;
  });
  await expect.poll(() => seen.length).toBe(2);
  answers[0]?.(200);
  const first = seen[0]?.event.id;
  await expect
    .poll(async () => (await sandbox.control('GET', `/deliveries/${first}`)).body.status)
    .toBe('delivered');
  expect(isCreated).toBe(false);
  await sandbox.api('GET', '/partner/cards');
  expect(isCreated).toBe(false);
  answers[1]?.(200);
  await created;
  await sandbox.control('POST', '/deliveries/settle');
  const [delivery] = (await sandbox.control('GET', '/deliveries')).body;
  expect(delivery.attempts).toMatchObject([{ fault: 'before_response' }]);
});

test.each([
  [undefined, 2_000],
  [700, 700],
])('before_response with a delay of %s waits %i ms at most', async (delayMs, expected) => {
  const waits: number[] = [];
  const { transport } = fakeReceiver(() => new Promise<number>(() => undefined));
  const impatient: typeof realTime = {
    ...realTime,
    after(ms, run) {
      waits.push(ms);
      return realTime.after(Math.min(ms, 10), run);
    },
  };
  const sandbox = await startSandbox({}, { transport, realTime: impatient });
  await subscribe(sandbox);
  await sandbox.control('POST', '/webhook-faults', { kind: 'before_response', delayMs });
  waits.length = 0;
  await createCardholder(sandbox);
  expect(waits).toContain(expected);
});

test('before_response leaves an event alone that no request has raised', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ kycDelay: '5s' }, { transport });
  await subscribe(sandbox, ['cardholder.approved']);
  await createSubmittedCardholder(sandbox);
  await sandbox.control('POST', '/webhook-faults', { kind: 'before_response' });
  await sandbox.control('POST', '/clock/advance', { duration: '5s' });
  expect(seen).toHaveLength(1);
  const [delivery] = (await sandbox.control('GET', '/deliveries')).body;
  expect(delivery.attempts).toMatchObject([{ fault: null }]);
  expect((await sandbox.control('GET', '/webhook-faults')).body).toMatchObject([{ hits: 0 }]);
});

test('a state that is saved after a fault held deliveries back is loaded again', async () => {
  const { sandbox, control, settle } = await bent({ kind: 'reorder', times: 2 });
  for (let count = 0; count < 3; count++) await createCardholder(sandbox);
  await settle();
  const { body: state } = await control('GET', '/state');
  expect(state.tables.deliveries.filter(({ heldBack }: Json) => heldBack !== undefined)).toEqual([]);
  expect(await control('PUT', '/state', state)).toMatchObject({ status: 204 });
  expect((await control('GET', '/webhook-faults')).body).toMatchObject([{ times: 2, hits: 2 }]);
});

test('a state that is saved while a held-back delivery waits for a newer one is loaded, and continues', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = startInProcess({}, { transport });
  const { control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  await control('POST', '/webhook-faults', { kind: 'reorder', times: 2 });
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/clock/advance', { duration: '1s' });
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/clock/advance', { duration: '4s' });
  const { body: state } = await control('GET', '/state');
  expect(await control('PUT', '/state', state)).toMatchObject({ status: 204 });
  expect(seen).toEqual([]);
  await control('POST', '/clock/advance', { duration: '1s' });
  const ids = state.tables.deliveries.map(({ id }: Json) => id);
  expect(seen.map(({ event }) => event.id)).toEqual(ids.toReversed());
});

test.each([
  [{ times: 0 }, 'times'],
  [{ delayMs: -1 }, 'delayMs'],
  [{ hits: -1 }, 'hits'],
  [{ scope: 'partner_globex' }, "scope: must be null or the partner's id"],
])('a state with a webhook fault that has %j is refused', async (members, reason) => {
  const { control } = startInProcess();
  await control('POST', '/webhook-faults', {
    kind: 'stale_timestamp',
    delayMs: 5_000,
    times: 3,
  });
  const { body: state } = await control('GET', '/state');
  expect(await control('PUT', '/state', state)).toMatchObject({ status: 204 });
  Object.assign(state.tables.webhookFaults[0], members);
  const refused = await control('PUT', '/state', state);
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(reason) } });
});

test('a delay is refused for a kind that has none', async () => {
  const { control } = await startSandbox();
  const { status, body } = await control('POST', '/webhook-faults', { kind: 'drop', delayMs: 5 });
  expect([status, body.error]).toEqual([
    400,
    'body.delayMs: has no effect on drop; leave it out, or use it with delay, reorder, before_response, stale_timestamp',
  ]);
  expect((await control('GET', '/webhook-faults')).body).toEqual([]);
});
