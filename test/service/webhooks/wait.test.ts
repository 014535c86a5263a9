import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { startInProcess } from '../../support/in-process.ts';
import { manualTime } from '../../support/manual-time.ts';
import { fakeReceiver, HOOKS, subscribe } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

/** Far longer than any of these waits takes, also on a busy machine. */
const timeoutMs = 30_000;

async function listening(respond?: Parameters<typeof fakeReceiver>[0]) {
  const { transport, seen } = fakeReceiver(respond);
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  return { ...sandbox, sandbox, seen };
}

test('wait returns the first delivery that matches, past ones included', async () => {
  const { sandbox, control } = await listening();
  const first = await createCardholder(sandbox);
  const second = await createCardholder(sandbox);
  const wait = async (body: unknown) => (await control('POST', '/wait', body)).body;
  expect(await wait({ eventType: 'cardholder.created' })).toMatchObject({ resourceId: first });
  expect(await wait({ resourceId: second, status: 'delivered', timeoutMs })).toMatchObject({
    resourceId: second,
    status: 'delivered',
    attempts: [{ status: 200 }],
  });
});

test('wait waits for a later delivery, also across a reset', async () => {
  const { sandbox, api, control } = await listening();
  const waiting = control('POST', '/wait', {
    eventType: 'cardholder.created',
    status: 'delivered',
    timeoutMs,
  });
  await control('POST', '/reset');
  await subscribe(sandbox);
  const { body } = await api('POST', '/partner/cardholders', newCardholder());
  expect((await waiting).body).toMatchObject({ status: 'delivered', resourceId: body.id });
});

test('wait returns a delivery that a restore brings back, but not after now', async () => {
  const time = manualTime();
  const { api, control } = startInProcess({}, { realTime: time.realTime });
  await subscribe({ api });
  const { id } = api('POST', '/partner/cardholders', newCardholder()).body;
  await control('POST', '/deliveries/settle');
  await control('POST', '/checkpoints/a');
  await control('POST', '/reset');
  const call = { eventType: 'cardholder.created', status: 'delivered', resourceId: id };
  const past = control('POST', '/wait', { ...call, timeoutMs });
  const next = control('POST', '/wait', { ...call, timeoutMs, after: 'now' });
  await control('POST', '/checkpoints/a/restore');
  expect(await past).toMatchObject({ status: 200, body: { resourceId: id } });
  time.pass(timeoutMs);
  expect(await next).toMatchObject({
    status: 408,
    body: { error: expect.stringContaining('it was recorded before the wait (after is now)') },
  });
});

test('wait times out with 408 and lists what came instead', async () => {
  const { sandbox, control } = await listening(() => 500);
  const nothing = await control('POST', '/wait', { eventType: 'card.issued', timeoutMs: 20 });
  expect(nothing.status).toBe(408);
  expect(nothing.body).toEqual({
    success: false,
    error:
      'no delivery with eventType card.issued within 20 ms; there is no delivery at all; is the type of the event in subscribedEvents?',
  });
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  const pending = await control('POST', '/wait', { status: 'delivered', timeoutMs: 20 });
  expect(pending).toMatchObject({
    status: 408,
    body: { error: expect.stringContaining('status is pending (answered 500), not delivered') },
  });
});

test('the second of two equal waits, after the first delivery, does not return it again', async () => {
  const { sandbox, control } = await listening();
  const first = await createCardholder(sandbox);
  const filter = { eventType: 'cardholder.created', timeoutMs: 20 };
  const previous = (await control('POST', '/wait', filter)).body;
  expect(previous).toMatchObject({ resourceId: first });
  const none = await control('POST', '/wait', { ...filter, after: previous.id });
  expect(none).toMatchObject({
    status: 408,
    body: { error: expect.stringContaining(`the nearest that did not match: ${previous.id}`) },
  });
  const second = await createCardholder(sandbox);
  expect((await control('POST', '/wait', { ...filter, after: previous.id })).body.resourceId).toBe(second);
});

test('wait after now ignores past deliveries and returns the next one', async () => {
  // In process, so that the wait begins before the next cardholder is created.
  const { api, control } = startInProcess({ forwardTo: HOOKS });
  const create = () => api('POST', '/partner/cardholders', newCardholder()).body.id;
  create();
  const waiting = control('POST', '/wait', { eventType: 'cardholder.created', after: 'now', timeoutMs });
  const later = create();
  expect((await waiting).body.resourceId).toBe(later);
  expect((await control('POST', '/wait', { after: 'now', timeoutMs: 0 })).status).toBe(408);
});

test('wait after a moment ignores deliveries recorded until then', async () => {
  const { sandbox, control } = await listening();
  await createCardholder(sandbox);
  const { now } = (await control('GET', '/clock')).body;
  expect((await control('POST', '/wait', { after: now, timeoutMs: 0 })).status).toBe(408);
  await control('POST', '/clock/advance', { duration: '1s' });
  const later = await createCardholder(sandbox);
  expect((await control('POST', '/wait', { after: now })).body.resourceId).toBe(later);
});

test('wait refuses an after that is the id of no delivery, or no form of a moment', async () => {
  const { control } = await listening();
  expect(await control('POST', '/wait', { after: 'evt_none' })).toMatchObject({
    status: 404,
    body: { error: 'no delivery event with id "evt_none"' },
  });
  expect(await control('POST', '/wait', { after: 'yesterday' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('body.after: must be the id of a delivery') },
  });
  expect((await control('POST', '/wait', { after: '2026-02-30' })).body.error).toBe(
    'body.after: must be an ISO 8601 timestamp; 2026-02-30: there is no such day',
  );
});

test('the 408 of wait names the nearest deliveries, each with the members that differ', async () => {
  const { sandbox, control } = await listening(() => 500);
  const first = await createCardholder(sandbox);
  const second = await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  const [newest, oldest] = (await control('GET', '/deliveries')).body;
  const { body } = await control('POST', '/wait', {
    eventType: 'cardholder.created',
    status: 'delivered',
    resourceId: first,
    timeoutMs: 20,
  });
  expect(body.error).toContain(
    `${oldest.id} (cardholder.created): status is pending (answered 500), not delivered; ` +
      `${newest.id} (cardholder.created): status is pending (answered 500), not delivered, resourceId is ${second}, not ${first}`,
  );
});

test('the 408 of wait says that a delivery came before the wait, whatever after is', async () => {
  const { sandbox, control } = await listening();
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  const [{ id }] = (await control('GET', '/deliveries')).body;
  const { now } = (await control('GET', '/clock')).body;
  const messageFor = async (after: string) =>
    (await control('POST', '/wait', { after, timeoutMs: 0 })).body.error;
  const found = `the nearest that did not match: ${id} (cardholder.created): it was recorded before`;
  expect(await messageFor('now')).toBe(`no delivery after now within 0 ms; ${found} the wait (after is now)`);
  expect(await messageFor(id)).toBe(
    `no delivery after ${id} within 0 ms; ${found} the wait, and is the one that after names`,
  );
  expect(await messageFor(now)).toBe(`no delivery after ${now} within 0 ms; ${found} after, which is ${now}`);
});

test('the 408 of wait names three deliveries at most: the newest of those that differ least', async () => {
  const { sandbox, control } = await listening();
  for (let count = 0; count < 5; count++) await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  const newest = (await control('GET', '/deliveries')).body.map(({ id }: { id: string }) => id);
  const { body } = await control('POST', '/wait', { status: 'failed', timeoutMs: 0 });
  expect(body.error.match(/evt_\w+/g)).toEqual(newest.slice(0, 3));
  const both = { eventType: 'card.issued', status: 'delivered', after: newest[2], timeoutMs: 0 };
  expect((await control('POST', '/wait', both)).body.error.match(/evt_\w+(?= \()/g)).toEqual(
    newest.slice(0, 3),
  );
  const old = { eventType: 'cardholder.created', status: 'delivered', after: newest[1], resourceId: 'ch_x' };
  expect((await control('POST', '/wait', { ...old, timeoutMs: 0 })).body.error).toContain(
    `${newest[0]} (cardholder.created): resourceId is `,
  );
});

test('wait and the lists refuse unknown values', async () => {
  const { control } = await listening();
  expect((await control('POST', '/wait', { eventType: 'card.lost' })).status).toBe(400);
  expect((await control('POST', '/wait', { timeoutMs: -1 })).status).toBe(400);
  expect((await control('GET', '/deliveries?status=sent')).status).toBe(400);
  expect((await control('GET', '/deliveries/evt_none')).status).toBe(404);
});

test('settle returns when the first attempts have ended, without waiting for retries', async () => {
  const { sandbox, control, seen } = await listening((_, count) => (count === 2 ? 500 : 200));
  for (let count = 0; count < 3; count++) await createCardholder(sandbox);
  const settled = await control('POST', '/deliveries/settle');
  expect(seen).toHaveLength(3);
  expect(settled).toMatchObject({ status: 200, body: { pending: 1 } });
});

test('the control plane lists deliveries newest first and retries any type', async () => {
  let answer = 500;
  const { sandbox, control } = await listening(() => answer);
  const first = await createCardholder(sandbox);
  const second = await createCardholder(sandbox);
  await control('POST', '/clock/advance', { duration: '1d' });
  const all = (await control('GET', '/deliveries')).body;
  expect(all.map(({ resourceId }: { resourceId: string }) => resourceId)).toEqual([second, first]);
  const { headers, body } = await control('GET', '/deliveries?limit=1&offset=1');
  expect([body, headers.get('x-total-count')]).toEqual([all.slice(1), '2']);
  const found = await control('GET', `/deliveries?q=${first.toUpperCase()}`);
  expect([found.body, found.headers.get('x-total-count')]).toEqual([all.slice(1), null]);
  expect((await control('GET', '/deliveries?status=failed&eventType=cardholder.created')).body).toEqual(all);
  expect((await control('GET', `/deliveries?resourceId=${first}`)).body).toEqual(all.slice(1));
  answer = 200;
  const retried = await control('POST', `/deliveries/${all[0].id}/retry`);
  expect(retried).toMatchObject({ status: 200, body: { status: 'pending', cause: null } });
  await control('POST', '/deliveries/settle');
  expect((await control('GET', `/deliveries/${all[0].id}`)).body.status).toBe('delivered');
});

test('wait ends after 2 s of wall time by default, below the timeout of test runners', async () => {
  const { realTime, pass } = manualTime();
  const { control } = startInProcess({}, { realTime });
  const waiting = control('POST', '/wait', {});
  pass(2_000);
  expect(await waiting).toMatchObject({
    status: 408,
    body: { error: expect.stringContaining('within 2000 ms') },
  });
});
