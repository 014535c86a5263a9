import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCard,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { ALL_TYPES, fakeReceiver, HOOKS, isSigned, SECRET, subscribe } from '../../support/receiver.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

/** A sandbox that is subscribed to all types, and the requests that its receiver saw. */
async function listening(respond?: Parameters<typeof fakeReceiver>[0]) {
  const { transport, seen } = fakeReceiver(respond);
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  const settle = () => sandbox.control('POST', '/deliveries/settle');
  const sent = async () => {
    await settle();
    return seen.splice(0).map(({ event }) => event);
  };
  return { ...sandbox, sandbox, seen, settle, sent };
}

test('an event is sent with the documented headers and body', async () => {
  const { sandbox, api, seen, settle } = await listening();
  const id = await createCardholder(sandbox);
  await settle();
  const [request] = seen;
  expect(request?.url).toBe(HOOKS);
  expect(request?.headers).toEqual({
    'Content-Type': 'application/json',
    'X-Service-Event': 'cardholder.created',
    'X-Service-Signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    'User-Agent': expect.stringMatching(/^card-sandbox\/\d+\.\d+\.\d+/),
  });
  expect(request !== undefined && isSigned(request)).toBe(true);
  const timestamp = Number(/^t=(\d+)/.exec(request?.headers['X-Service-Signature'] ?? '')?.[1]);
  expect(Math.abs(Date.now() / 1000 - timestamp)).toBeLessThan(60);
  expect(request?.event).toEqual({
    id: expect.stringMatching(/^evt_/),
    eventType: 'cardholder.created',
    createdAt: START,
    data: (await api('GET', `/partner/cardholders/${id}`)).body,
  });
});

test('each event is emitted once, after the state it reports can be read', async () => {
  const { sandbox, api, control, sent } = await listening();
  const types = async () => (await sent()).map(({ eventType }) => eventType);
  const reimported = newCardholder();
  await api('POST', '/partner/cardholders', reimported);
  expect(await types()).toEqual(['cardholder.created']);
  await api('POST', '/partner/cardholders', { ...reimported, idp1ShareToken: 'idp1_test_approve_again' });
  expect(await types()).toEqual([]);

  const submittedId = await createSubmittedCardholder(sandbox);
  expect(await types()).toEqual(['cardholder.created']);
  await control('POST', '/clock/advance', { duration: '1m' });
  const decided = await sent();
  const due = '2026-03-15T10:00:02.000Z';
  expect(decided.map(({ eventType, createdAt, data }) => [eventType, createdAt, data])).toEqual(
    ['cardholder.kyc.updated', 'cardholder.approved'].map(type => [
      type,
      due,
      expect.objectContaining({ id: submittedId, kycStatus: 'approved' }),
    ]),
  );
  const rejectedId = await createSubmittedCardholder(sandbox);
  await control('POST', `/cardholders/${rejectedId}/kyc/reject`);
  expect((await sent()).map(({ eventType, data }) => [eventType, data.kycStatus])).toEqual([
    ['cardholder.created', 'pending'],
    ['cardholder.kyc.updated', 'rejected'],
  ]);
  // The decision that was scheduled is cancelled.
  await control('POST', '/clock/advance', { duration: '1m' });
  expect(await types()).toEqual([]);

  const { body: card } = await api('POST', '/partner/cards', {
    cardholderId: submittedId,
    cardProgramId: CARD_PROGRAM,
  });
  expect(await sent()).toMatchObject([{ eventType: 'card.issued', data: card }]);
  for (const [move, status] of [
    ['activate', 'active'],
    ['freeze', 'frozen'],
    ['unfreeze', 'active'],
    ['cancel', 'cancelled'],
  ]) {
    await api('POST', `/partner/cards/${card.id}/${move}`);
    expect(await sent()).toMatchObject([{ eventType: 'card.status.changed', data: { id: card.id, status } }]);
  }
  await api('POST', `/partner/cards/${card.id}/freeze`);
  expect(await types()).toEqual([]);

  for (const [verb, eventType, status] of [
    ['approve', 'kyc_session.completed', 'approved'],
    ['reject', 'kyc_session.failed', 'rejected'],
  ]) {
    const { body: session } = await api('POST', '/partner/kyc-sessions', {});
    await control('POST', `/kyc-sessions/${session.id}/${verb}`);
    const { body: read } = await api('GET', `/partner/kyc-sessions/${session.id}`);
    expect(await sent()).toMatchObject([{ eventType, data: { ...read, status } }]);
  }
});

test('an unsubscribed type creates no record', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  await createCardholder(sandbox);
  await subscribe(sandbox, ['card.issued']);
  await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen).toEqual([]);
  expect((await sandbox.control('GET', '/deliveries')).body).toEqual([]);
});

test('without a URL a record is failed after no attempt', async () => {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  await sandbox.api('PATCH', '/partner/webhooks/config', { subscribedEvents: ALL_TYPES });
  await createCardholder(sandbox);
  const [delivery] = (await sandbox.control('GET', '/deliveries')).body;
  expect(delivery).toMatchObject({
    status: 'failed',
    attemptCount: 0,
    webhookUrl: null,
    lastAttemptAt: null,
    lastResponseStatus: null,
    nextRetryAt: null,
    cause: 'not configured',
    attempts: [],
  });
  await subscribe(sandbox);
  await sandbox.api('POST', `/partner/webhooks/events/${delivery.id}/retry`);
  await sandbox.control('POST', '/deliveries/settle');
  expect(seen).toHaveLength(1);
  const read = await sandbox.api('GET', `/partner/webhooks/events/${delivery.id}`);
  expect(read.body).toMatchObject({ status: 'delivered', attemptCount: 1, webhookUrl: HOOKS });
});

test('types that records do not name are delivered, but only the control plane shows them', async () => {
  const { sandbox, api, control, settle, seen } = await listening();
  await createApprovedCardholder(sandbox);
  await settle();
  expect(seen.map(({ event }) => event.eventType)).toContain('cardholder.approved');
  const { body: list } = await api('GET', '/partner/webhooks/events');
  expect(list.data.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
    'cardholder.kyc.updated',
    'cardholder.created',
  ]);
  expect((await api('GET', '/partner/webhooks/events?eventType=cardholder.approved')).body.total).toBe(0);
  const [hidden] = (await control('GET', '/deliveries?eventType=cardholder.approved')).body;
  expect(hidden).toMatchObject({ status: 'delivered' });
  expect(await api('GET', `/partner/webhooks/events/${hidden.id}`)).toMatchObject({
    status: 404,
    body: { error: `no delivery event with id "${hidden.id}"` },
  });
  expect((await api('POST', `/partner/webhooks/events/${hidden.id}/retry`)).status).toBe(404);
  expect((await control('GET', `/deliveries/${hidden.id}`)).body).toEqual(hidden);
});

test('the list is filtered by status, type and time, and paged, newest first', async () => {
  const { sandbox, api, control } = await listening(({ event }) =>
    event.eventType === 'card.issued' ? 500 : 200,
  );
  await createCardholder(sandbox);
  await control('POST', '/clock/advance', { duration: '1h' });
  await createCard(sandbox);
  await control('POST', '/deliveries/settle');
  const types = async (query: string) => {
    const { body } = await api('GET', `/partner/webhooks/events${query}`);
    return [body.total, ...body.data.map(({ eventType }: { eventType: string }) => eventType)];
  };
  const late = ['card.issued', 'cardholder.kyc.updated', 'cardholder.created'];
  expect(await types('')).toEqual([4, ...late, 'cardholder.created']);
  expect(await types('?status=pending')).toEqual([1, 'card.issued']);
  expect(await types('?status=failed')).toEqual([0]);
  expect(await types('?status=delivered&eventType=cardholder.created')).toEqual([
    2,
    'cardholder.created',
    'cardholder.created',
  ]);
  expect(await types(`?from=${START}&to=${START}`)).toEqual([1, 'cardholder.created']);
  expect(await types('?from=2026-03-15T11:00:00Z')).toEqual([3, ...late]);
  expect(await types('?page=2&limit=3')).toEqual([4, 'cardholder.created']);
  const row = (await api('GET', '/partner/webhooks/events')).body.data[0];
  expect(Object.keys(row)).toEqual([
    'id',
    'eventType',
    'status',
    'attemptCount',
    'lastAttemptAt',
    'nextRetryAt',
    'lastResponseStatus',
    'createdAt',
  ]);
  for (const query of ['?status=sent', '?eventType=card.lost', '?from=yesterday', '?limit=0']) {
    expect((await api('GET', `/partner/webhooks/events${query}`)).status, query).toBe(400);
  }
});

test('payload and response body have their secrets masked and stay valid JSON', async () => {
  const body = JSON.stringify({ ok: true, token: 'abc', card: '4242424242424242' });
  const sandbox = await startSandbox(
    {},
    {
      transport: {
        send: ({ url }) => Promise.resolve({ url, status: 200, body, cause: null, durationMs: 1 }),
        close: () => undefined,
      },
    },
  );
  await subscribe(sandbox);
  await createCardholder(sandbox, { externalUserId: 'sk_test_looks_like_a_key' });
  await sandbox.control('POST', '/deliveries/settle');
  const [{ id }] = (await sandbox.api('GET', '/partner/webhooks/events')).body.data;
  const read = (await sandbox.api('GET', `/partner/webhooks/events/${id}`)).body;
  expect(JSON.parse(read.lastResponseBody)).toEqual({ ok: true, token: '***', card: '***' });
  expect(JSON.parse(read.payload)).toMatchObject({ id, data: { externalUserId: '***' } });
  expect(JSON.stringify(read)).not.toContain(SECRET);
});
