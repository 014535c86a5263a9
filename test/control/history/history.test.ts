import { expect, test } from 'vitest';
import { type Json, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const historyOf = async (sandbox: TestSandbox): Promise<Json[]> =>
  (await sandbox.control('GET', '/history')).body;

test('every API request, and every control call that writes, is an entry, newest first', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('GET', '/clock');
  await sandbox.control('POST', '/clock/advance', { duration: '1m' });
  await sandbox.control('POST', '/deliveries/settle');
  const read = await sandbox.api('GET', '/partner/cardholders/ch_unknown');
  expect(await historyOf(sandbox)).toEqual([
    {
      id: 'ent_3',
      requestId: read.headers.get('x-sandbox-request'),
      plane: 'partner',
      at: '2026-03-15T10:01:00.000Z',
      method: 'GET',
      path: '/v1/partner/cardholders/ch_unknown',
      status: 404,
      summary: 'no cardholder with id "ch_unknown"',
    },
    expect.objectContaining({
      id: 'ent_2',
      plane: 'control',
      path: '/_sandbox/clock/advance',
    }),
    expect.objectContaining({
      id: 'ent_1',
      requestId: expect.stringMatching(/^req_/),
      plane: 'partner',
      method: 'POST',
      status: 201,
    }),
  ]);
  expect((await sandbox.control('GET', '/history?limit=1')).body).toHaveLength(1);
  expect((await sandbox.control('GET', '/history?plane=control&limit=5')).body).toEqual([
    expect.objectContaining({ path: '/_sandbox/clock/advance' }),
  ]);
});

test('a rewind goes back to the state before an entry, with clock, timers, ids and journal', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const before = (await sandbox.control('GET', '/state')).body;
  const second = newCardholder();
  const made = await sandbox.api('POST', '/partner/cardholders', second);
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  await sandbox.control('POST', '/faults', { status: 503 });

  const id = made.headers.get('x-sandbox-request');
  const rewound = await sandbox.control('POST', '/rewind', { to: id });
  expect(rewound).toMatchObject({ status: 200, body: { now: '2026-03-15T10:00:00.000Z', undone: 3 } });
  expect((await sandbox.control('GET', '/state')).body).toEqual(before);
  expect((await sandbox.control('GET', '/requests')).body).toHaveLength(1);

  const again = await sandbox.api('POST', '/partner/cardholders', second);
  expect(again.body).toEqual(made.body);
  expect(again.headers.get('x-sandbox-request')).toBe(id);
});

test('a rewind over a reset brings back what it dropped', async () => {
  const sandbox = await startSandbox();
  const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/reset');
  expect((await sandbox.api('GET', `/partner/cardholders/${body.id}`)).status).toBe(404);
  expect((await sandbox.control('POST', '/rewind', { steps: 2 })).body.undone).toBe(2);
  expect((await sandbox.api('GET', `/partner/cardholders/${body.id}`)).status).toBe(200);
});

test('the place of an entry counts on over a reset, and goes back with a rewind', async () => {
  const { api, control } = await startSandbox();
  const round = async () => {
    await control('POST', '/share-tokens', {});
    const { body } = await api('POST', '/partner/kyc-sessions', {});
    await fetch(body.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=reject',
    });
    const { body: entries } = await control('GET', '/history?limit=3');
    return entries.map(({ id }: Json) => id);
  };
  expect(await round()).toEqual(['ent_3', 'ent_2', 'ent_1']);
  await control('POST', '/reset');
  expect(await round()).toEqual(['ent_7', 'ent_6', 'ent_5']);
  await control('POST', '/rewind', { to: 'ent_5' });
  expect(await round()).toEqual(['ent_7', 'ent_6', 'ent_5']);
});

test('the state before a rewind is the checkpoint before-rewind', async () => {
  const sandbox = await startSandbox();
  const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/rewind', { steps: 1 });
  expect((await sandbox.api('GET', '/partner/cardholders')).body.total).toBe(0);
  await sandbox.control('POST', '/checkpoints/before-rewind/restore');
  expect((await sandbox.api('GET', `/partner/cardholders/${body.id}`)).status).toBe(200);
});

test('an entry that was dropped is a 404, and steps and to exclude each other', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('GET', '/partner/cards');
  const [{ id }] = await historyOf(sandbox);
  await sandbox.control('POST', '/rewind', { to: id });
  expect((await sandbox.control('POST', '/rewind', { to: id })).status).toBe(404);
  expect((await sandbox.control('POST', '/rewind', {})).status).toBe(400);
  expect((await sandbox.control('POST', '/rewind', { to: id, steps: 1 })).status).toBe(400);
  // A refused rewind is an entry.
  const tooMany = await sandbox.control('POST', '/rewind', { steps: 4 });
  expect(tooMany).toMatchObject({
    status: 400,
    body: { error: 'body.steps: must be at most 3, the number of entries in the history' },
  });
});

test('a person who decides on the KYC page is an entry that can be undone', async () => {
  const sandbox = await startSandbox();
  const { body: session } = await sandbox.api('POST', '/partner/kyc-sessions', {});
  await fetch(session.url);
  await fetch(session.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'decision=reject',
  });
  const [entry] = await historyOf(sandbox);
  expect(entry).toMatchObject({
    id: 'ent_2',
    plane: 'page',
    method: 'POST',
    status: 303,
  });
  await sandbox.control('POST', '/rewind', { to: entry.id });
  expect((await sandbox.api('GET', `/partner/kyc-sessions/${session.id}`)).body.status).toBe('pending');
});

test('calls of the control plane that write are entries when they are refused, too, and those that read are not', async () => {
  const { api, control } = await startSandbox({ clock: '2026-03-01T12:00:00Z', freeze: true });
  await control('POST', '/clock/advance', { duration: 'soon' });
  await control('GET', '/cardholders/ch_nobody');
  await control('POST', '/checkpoints/none/restore');
  await api('GET', '/partner/cards/card_nobody');
  await control('POST', '/clock/forward');
  const { body } = await control('GET', '/history?plane=control');
  const at = '2026-03-01T12:00:00.000Z';
  expect(body).toMatchObject([
    { at, method: 'POST', path: '/_sandbox/clock/forward', status: 404 },
    { at, method: 'POST', path: '/_sandbox/checkpoints/none/restore', status: 404 },
    { at, method: 'POST', path: '/_sandbox/clock/advance', status: 400 },
  ]);
  expect(body[2].summary).toMatch(/^body\.duration: must be a duration/);
});

test('the list masks secrets, and drops production keys', async () => {
  const { api, control } = await startSandbox();
  const live = 'sk_live_0123456789abcdef';
  await api('GET', `/partner/cards/4242424242424242?api_key=${live}`);
  await api('GET', `/partner/cards/${live}`);
  await control('POST', `/cards/${live}/3ds`);
  const text = JSON.stringify((await control('GET', '/history')).body);
  expect(text).toContain('/_sandbox/cards/');
  expect(text).not.toMatch(/sk_live_0|4242424242424242/);
});
