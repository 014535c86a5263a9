import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const CROWD = join(import.meta.dirname, '../../support/fixtures/many-cardholders.yaml');

test('a call that waits stands where it ended, after what was asked meanwhile', async () => {
  const sandbox = startInProcess();
  const advance = sandbox.control('POST', '/clock/advance', { duration: '24h' });
  const freeze = sandbox.control('POST', '/clock/freeze', { at: '2026-03-20T10:00:00.000Z' });
  sandbox.api('GET', '/partner/balance');
  await Promise.all([advance, freeze]);
  const { body } = await sandbox.control('GET', '/history');
  expect(body.map(({ path }: { path: string }) => path)).toEqual([
    '/_sandbox/clock/freeze',
    '/_sandbox/clock/advance',
    '/v1/partner/balance',
  ]);
  // The freeze began when the advance had ended.
  expect((await sandbox.control('POST', '/rewind', { steps: 1 })).body.now).toBe('2026-03-16T10:00:00.000Z');
});

test('a rewind while an advance waits for a webhook ends the advance and calls the webhook off', async () => {
  let respond: (status: number) => void = () => undefined;
  const late = new Promise<number>(resolve => {
    respond = resolve;
  });
  const receiver = fakeReceiver((_, count) => (count === 1 ? late : 200));
  const sandbox = await startSandbox({}, { transport: receiver.transport });
  await subscribe(sandbox);
  const person = newCardholder();
  const created = await sandbox.api('POST', '/partner/cardholders', person);
  const advance = sandbox.control('POST', '/clock/advance', { duration: '1h' });
  await expect.poll(() => receiver.seen).toHaveLength(1);
  const { body } = await sandbox.control('POST', '/rewind', { to: created.headers.get('x-sandbox-request') });
  expect(body.undone).toBe(1);
  respond(200);
  expect(await advance).toMatchObject({ status: 409 });
  expect((await sandbox.control('GET', '/deliveries')).body).toEqual([]);
  const { body: entries } = await sandbox.control('GET', '/history');
  expect(entries).toMatchObject([{ path: '/v1/partner/webhooks/config' }]);

  await sandbox.api('POST', '/partner/cardholders', person);
  await sandbox.control('POST', '/deliveries/settle');
  expect(receiver.seen).toHaveLength(2);
  expect((await sandbox.control('GET', '/deliveries')).body).toMatchObject([{ status: 'delivered' }]);
});

test('a state that is being loaded during a rewind is refused', async () => {
  const { api, control } = startInProcess();
  const { id } = api('POST', '/partner/cardholders', newCardholder()).body;
  const { body: state } = await control('GET', '/state');
  const loading = control('PUT', '/state', state);
  await control('POST', '/rewind', { steps: 1 });
  expect(await loading).toMatchObject({
    status: 409,
    body: {
      error: expect.stringMatching(/taken back to an earlier entry meanwhile; send the request again$/),
    },
  });
  expect(api('GET', `/partner/cardholders/${id}`).status).toBe(404);
});

test('a rewind does not change a state that is being exported', async () => {
  const sandbox = await startSandbox({ fixtures: ['empty', CROWD] });
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const { body: before } = await sandbox.control('GET', '/state');
  const exported = await fetch(`${sandbox.origin}/_sandbox/state`);
  await sandbox.control('POST', '/rewind', { steps: 1 });
  expect(await exported.json()).toEqual(before);
  expect((await sandbox.control('GET', '/state')).body).not.toEqual(before);
});

test('a rewind on a running clock runs on from there', async () => {
  const sandbox = await startSandbox({ freeze: false });
  await sandbox.control('POST', '/clock/advance', { duration: '24h' });
  const { now } = (await sandbox.control('POST', '/rewind', { steps: 1 })).body;
  const clock = (await sandbox.control('GET', '/clock')).body;
  expect(clock.mode).toBe('running');
  expect(Date.parse(clock.now) - Date.parse('2026-03-15T10:00:00.000Z')).toBeLessThan(60_000);
  expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(now));
});

test('faults of the API and of webhooks come back as they were', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/faults', { status: 503, times: 2 });
  await sandbox.control('POST', '/webhook-faults', { kind: 'drop', times: 1 });
  const faults = async () => [
    (await sandbox.control('GET', '/faults')).body,
    (await sandbox.control('GET', '/webhook-faults')).body,
  ];
  const before = await faults();
  const refused = await sandbox.api('GET', '/partner/cards');
  expect(refused.status).toBe(503);
  await sandbox.control('DELETE', '/faults');
  await sandbox.control('DELETE', '/webhook-faults');
  await sandbox.control('POST', '/rewind', { to: refused.headers.get('x-sandbox-request') });
  expect(await faults()).toEqual(before);
});

test('the rate window starts again', async () => {
  const sandbox = await startSandbox({ rateLimit: 2 });
  await sandbox.api('GET', '/partner/cards');
  await sandbox.api('GET', '/partner/cards');
  expect((await sandbox.api('GET', '/partner/cards')).status).toBe(429);
  await sandbox.control('POST', '/rewind', { steps: 1 });
  expect((await sandbox.api('GET', '/partner/cards')).status).toBe(200);
});

test('the checkpoint before-rewind does not count against the cap of 100', async () => {
  const sandbox = await startSandbox();
  for (let count = 0; count < 100; count++) await sandbox.control('POST', `/checkpoints/each-${count}`);
  await sandbox.api('GET', '/partner/cards');
  expect((await sandbox.control('POST', '/rewind', { steps: 1 })).status).toBe(200);
  const names = (await sandbox.control('GET', '/checkpoints')).body.map(({ name }: { name: string }) => name);
  expect(names).toHaveLength(101);
  expect(names).toContain('before-rewind');

  await sandbox.control('DELETE', '/checkpoints/each-1');
  expect((await sandbox.control('POST', '/checkpoints/mine')).status).toBe(201);
  expect((await sandbox.control('POST', '/checkpoints/more')).status).toBe(400);
});

test('a rewind brings back the 1,000 entries that the journal had', async () => {
  const sandbox = startInProcess();
  const paths = Array.from({ length: 2_100 }, (_, index) => `/v1/partner/cards/c${index}`);
  for (const path of paths) sandbox.api('GET', path.slice('/v1'.length));
  let count = paths.length;
  for (const steps of [1, 499, 447, 1, 51]) {
    await sandbox.control('POST', '/rewind', { steps });
    count -= steps;
    const { body } = await sandbox.control('GET', '/requests?limit=1000');
    const expected = paths.slice(count - 1_000, count).reverse();
    expect(body.map(({ path }: { path: string }) => path)).toEqual(expected);
  }
});

test('the state at an entry is the world just before it, and reading it changes nothing', async () => {
  const sandbox = await startSandbox();
  const { body: start } = await sandbox.control('GET', '/state');
  const created = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  const { body: now } = await sandbox.control('GET', '/state');
  const { body: history } = await sandbox.control('GET', '/history');

  const at = (id: string) => sandbox.control('GET', `/state?at=${id}`);
  const first = await at(created.headers.get('x-sandbox-request') ?? '');
  expect(first).toMatchObject({ status: 200, body: start });
  expect((await at(history[0].id)).body.clock.now).toBe(start.clock.now);
  expect((await at(history[0].id)).body.tables.cardholders).toHaveLength(1);

  expect((await sandbox.control('GET', '/state')).body).toEqual(now);
  expect((await sandbox.control('GET', '/history')).body).toEqual(history);
  expect((await sandbox.control('GET', '/checkpoints')).body).toEqual([]);
});

test('the state at an entry is what a rewind to it gives, also after a reset and in another world', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/worlds', { id: 'blue' });
  await sandbox.control('POST', '/worlds/blue/balance/top-up', { amount: 5 });
  await sandbox.control('POST', '/worlds/blue/reset');
  const [, topUp] = (await sandbox.control('GET', '/worlds/blue/history')).body;
  const { body: before } = await sandbox.control('GET', `/worlds/blue/state?at=${topUp.id}`);
  expect((await sandbox.control('GET', `/state?at=${topUp.id}`)).status).toBe(404);
  await sandbox.control('POST', '/worlds/blue/rewind', { to: topUp.id });
  expect((await sandbox.control('GET', '/worlds/blue/state')).body).toEqual(before);
});

test('the state at an unknown entry is a 404', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('GET', '/partner/cards');
  const { status, body } = await sandbox.control('GET', '/state?at=req_unknown');
  expect(status).toBe(404);
  expect(body.error).toMatch(/^no history entry with id "req_unknown"; the history has (no entries|ent_\d)/);
});

test('a rewind frees the room of the bodies that it drops', async () => {
  const sandbox = startInProcess();
  const large = { ...newCardholder(), note: 'x'.repeat(1_000_000) };
  // Half of the 32 MiB that all bodies may have, twice.
  for (const steps of [17, 17]) {
    for (let count = 0; count < steps; count++) sandbox.api('POST', '/partner/cardholders', large);
    expect((await sandbox.control('GET', '/history')).body).toHaveLength(steps);
    await sandbox.control('POST', '/rewind', { steps });
  }
});

test.each([
  ['status=400; when=after', 'applied'],
  ['status=503; when=after', 'applied'],
  ['drop; when=after', 'applied'],
  ['status=503', 'not applied'],
  ['drop', 'not applied'],
])('with the fault %s a write was %s, and counts as one only then', async (fault, applied) => {
  const { control, api } = await startSandbox();
  await control('POST', '/balance/top-up', { amount: 5 });
  const headers = { 'x-sandbox-fault': fault };
  await api('POST', '/partner/kyc-sessions', {}, headers).catch(() => null);
  await api('GET', '/partner/balance');
  const { body } = await control('POST', '/rewind', { writes: 1 });
  expect(body.undone).toBe(applied === 'applied' ? 2 : 3);
});

test('writes undoes writes, and skips reads and refused requests', async () => {
  const sandbox = await startSandbox();
  const balance = async () => (await sandbox.api('GET', '/partner/balance')).body.available;
  const before = await balance();
  for (const amount of [5, 7]) await sandbox.control('POST', '/balance/top-up', { amount });
  await sandbox.api('GET', '/partner/cards');
  expect((await sandbox.api('POST', '/partner/cards', {})).status).toBe(400);
  expect(await balance()).toBe(before + 12);
  expect((await sandbox.control('POST', '/rewind', { writes: 1 })).body).toMatchObject({ undone: 4 });
  expect(await balance()).toBe(before + 5);
  await sandbox.control('POST', '/rewind', { writes: 1 });
  expect(await balance()).toBe(before);

  const refused = await sandbox.control('POST', '/rewind', { writes: 1 });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: 'body.writes: there is nothing to undo, because the history has no writes',
    },
  });
  const both = await sandbox.control('POST', '/rewind', { writes: 1, steps: 1 });
  expect(both).toMatchObject({ status: 400, body: { error: expect.stringMatching(/must have either to/) } });
});
