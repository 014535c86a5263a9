import { expect, test } from 'vitest';
import { CARD_PROGRAM, createCardholder } from '../../support/cardholders.ts';
import { fakeReceiver, isSigned, subscribe } from '../../support/receiver.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

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
  expect(await deliveries()).toMatchObject([
    { status: 'delivered', attemptCount: 1, attempts: [{ fault: 'duplicate' }] },
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

test('a webhook fault that yields applies where no other does, and one can be removed', async () => {
  const { sandbox, control, seen, settle, added } = await bent({ kind: 'drop', yields: true });
  await control('POST', '/webhook-faults', { kind: 'missing_signature', times: 1 });
  await createCardholder(sandbox);
  await createCardholder(sandbox);
  await settle();
  expect(seen.map(({ headers }) => 'X-Service-Signature' in headers)).toEqual([false]);
  expect((await control('DELETE', `/webhook-faults/${added.body.id}`)).status).toBe(204);
  expect((await control('DELETE', `/webhook-faults/${added.body.id}`)).status).toBe(404);
  await createCardholder(sandbox);
  await settle();
  expect(seen).toHaveLength(2);
});

test('a webhook fault lets as many deliveries through first as it says', async () => {
  const { sandbox, control, subjects, settle } = await bent({ kind: 'drop', after: 1, times: 1 });
  const created = [];
  for (let count = 0; count < 3; count += 1) created.push(await createCardholder(sandbox));
  await settle();
  expect(subjects()).toEqual([created[0], created[2]]);
  const [fault] = (await control('GET', '/webhook-faults')).body;
  expect(fault).toMatchObject({ after: 1, times: 1, hits: 1 });
  expect(fault).not.toHaveProperty('passed');
});
