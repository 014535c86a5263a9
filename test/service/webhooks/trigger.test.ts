import { expect, test } from 'vitest';
import { BuiltFixture } from '../../../src/sandbox/fixtures/define/built-fixture.ts';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import {
  createApprovedCardholder,
  createCard,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { startInProcess } from '../../support/in-process.ts';
import { ALL_TYPES, fakeReceiver, subscribe } from '../../support/receiver.ts';
import { ACME_KEY, type Json, START, startSandbox } from '../../support/sandbox.ts';

async function listening() {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  const trigger = (body: Record<string, unknown>) => sandbox.control('POST', '/events', body);
  const last = async () => {
    await sandbox.control('POST', '/deliveries/settle');
    return seen.at(-1)?.event;
  };
  return { ...sandbox, sandbox, seen, trigger, last };
}

/** The read of the API that returns what an event of a type is about. */
const READ: Readonly<Record<string, (data: Json) => string>> = {
  'card.3ds_otp': ({ cardId }) => `/cards/${cardId}`,
  'card.transaction': ({ id }) => `/transactions/${id}`,
  'kyc_session.completed': ({ id }) => `/kyc-sessions/${id}`,
  'kyc_session.failed': ({ id }) => `/kyc-sessions/${id}`,
};

test.each(ALL_TYPES)(
  '%s is raised on request; without a record of its kind, one is made',
  async eventType => {
    const { api, trigger, last, seen, control } = await listening();
    const raised = await trigger({ eventType });
    expect(raised).toMatchObject({ status: 201, body: { eventType, status: 'pending', attemptCount: 0 } });
    const event = await last();
    expect(event).toMatchObject({ id: raised.body.id, eventType });
    expect(seen).toHaveLength(1);
    const [kind = ''] = eventType.split('.');
    const byKind = kind === 'balance' ? '/balance' : `/${kind}s/${event.data.id}`;
    const read = await api('GET', `/partner${READ[eventType]?.(event.data) ?? byKind}`);
    expect(read.status).toBe(200);
    if (eventType !== 'card.3ds_otp') expect(read.body).toEqual(event.data);
    expect((await control('PUT', '/state', (await control('GET', '/state')).body)).status).toBe(204);
  },
);

test.each([
  ['card.issued', { status: 'created' }],
  ['card.status.changed', { status: 'active' }],
  ['card.transaction', { status: 'authorized', amount: 42.5 }],
  ['cardholder.created', { kycStatus: 'pending' }],
  ['cardholder.kyc.updated', { kycStatus: 'approved' }],
  ['cardholder.approved', { kycStatus: 'approved' }],
  ['kyc_session.completed', { status: 'approved' }],
  ['kyc_session.failed', { status: 'rejected' }],
])('the record that is made for %s has %j', async (eventType, members) => {
  const { trigger, last } = await listening();
  await trigger({ eventType });
  expect((await last()).data).toMatchObject(members);
});

test('a transaction that is made holds its amount, and is used by the next event', async () => {
  const { api, trigger, last } = await listening();
  await trigger({ eventType: 'card.transaction' });
  const { id } = (await last()).data;
  expect((await api('GET', '/partner/balance')).body).toMatchObject({ held: 42.5 });
  await trigger({ eventType: 'card.transaction' });
  expect((await last()).data.id).toBe(id);
  expect((await api('GET', '/partner/transactions')).body.total).toBe(1);
});

test('the passcode of a challenge that is made is correct', async () => {
  const { control, trigger, last } = await listening();
  await trigger({ eventType: 'card.3ds_otp' });
  const { challengeId, otp } = (await last()).data;
  const verified = await control('POST', `/3ds/${challengeId}/verify`, { otp });
  expect(verified.body.status).toBe('approved');
});

const MERCHANT = { name: 'Sample Store', mcc: '5411', city: 'Berlin', country: 'DE' };
const LIMITS = { perTransaction: 500, daily: 1_000, monthly: 5_000, allTime: 20_000 };
const NOTHING = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };

test.each([
  [
    'cardholder.approved',
    {
      id: 'ch_sample',
      externalUserId: 'user_sample',
      firstName: 'Sam',
      lastName: 'Sample',
      email: 'sam.sample@example.com',
      phoneNumber: '+4915123456789',
      kycSource: 'idp1',
      kycStatus: 'approved',
      status: 'active',
      createdAt: START,
    },
  ],
  [
    'card.issued',
    {
      id: 'card_sample',
      type: 'virtual',
      brand: 'visa',
      status: 'active',
      nameOnCard: 'Sam Sample',
      limit: 20_000,
      last4: '4242',
      programId: 'prog_sample',
      createdAt: START,
      spendControl: { sales: LIMITS, cash: LIMITS, spent: { sales: NOTHING, cash: NOTHING } },
    },
  ],
  [
    'card.transaction',
    {
      id: 'txn_sample',
      cardId: 'card_sample',
      cardholderId: 'ch_sample',
      type: 'sale',
      status: 'authorized',
      amount: 42.5,
      settledAmount: null,
      currency: 'USD',
      merchant: MERCHANT,
      declineReason: null,
      declineDetail: null,
      reversalReason: null,
      createdAt: START,
      updatedAt: START,
    },
  ],
  [
    'card.3ds_otp',
    {
      challengeId: 'tds_sample',
      cardId: 'card_sample',
      cardholderId: 'ch_sample',
      otp: '123456',
      amount: 42.5,
      merchant: MERCHANT,
      expiresAt: START,
    },
  ],
])(
  '%s reports a sample for a partner without a card program, which can have no such record',
  async (eventType, data) => {
    const bare = new BuiltFixture('bare', { partners: [{ id: 'partner_bare', apiKey: 'sk_test_bare' }] });
    const { control, events } = startInProcess({ fixtures: [bare] });
    expect((await control('POST', '/events', { eventType })).body).toMatchObject({ delivered: false });
    expect(events).toMatchObject([{ resourceId: 'sample', data }]);
    expect(Object.keys(events[0]?.data ?? {})).toEqual(Object.keys(data));
  },
);

test('a triggered event reports the record with the given id', async () => {
  const { sandbox, api, trigger, last } = await listening();
  const id = await createCardholder(sandbox);
  await createCardholder(sandbox);
  await trigger({ eventType: 'cardholder.created', resourceId: id });
  expect((await last()).data).toEqual((await api('GET', `/partner/cardholders/${id}`)).body);
});

test('data overrides members of the event and changes no record', async () => {
  const { sandbox, api, trigger, last } = await listening();
  const card = await createCard(sandbox);
  await trigger({
    eventType: 'card.status.changed',
    resourceId: card.id,
    data: { status: 'frozen', spendControl: { spent: { sales: { daily: 12.5 } } } },
  });
  expect((await last()).data).toMatchObject({
    id: card.id,
    status: 'frozen',
    spendControl: { spent: { sales: { daily: 12.5, monthly: 0 } } },
  });
  expect((await api('GET', `/partner/cards/${card.id}`)).body).toEqual(card);
});

test.each([
  [{ colour: 'red' }, 'body.data.colour: is unknown; card.issued has id, type, brand'],
  [{ statu: 'frozen' }, 'did you mean "status"?'],
  [{ status: 'lost' }, 'body.data.status'],
  [{ spendControl: { spent: { sales: { weekly: 1 } } } }, 'body.data.spendControl.spent.sales'],
])('data that the event type does not have is refused: %j', async (data, where) => {
  const { trigger, seen, control } = await listening();
  const refused = await trigger({ eventType: 'card.issued', data });
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(where) } });
  expect((await control('GET', '/deliveries')).body).toEqual([]);
  expect((await control('GET', '/cardholders')).body).toEqual([]);
  expect(seen).toEqual([]);
});

test("an unknown record, or another partner's, is a 404, an unknown type a 400", async () => {
  const { sandbox, trigger } = await listening();
  const id = await createCardholder(sandbox);
  expect((await trigger({ eventType: 'card.issued', resourceId: 'card_none' })).status).toBe(404);
  expect(
    (await trigger({ eventType: 'cardholder.created', resourceId: id, partnerId: 'partner_globex' })).status,
  ).toBe(404);
  expect((await trigger({ eventType: 'card.lost' })).status).toBe(400);
  expect(
    (await trigger({ eventType: 'card.issued', partnerId: 'partner_none' })).status,
  ).toBeGreaterThanOrEqual(400);
});

test('an unsubscribed type returns the reason instead of a delivery', async () => {
  const { trigger } = await listening();
  const answer = await trigger({ eventType: 'card.issued', partnerId: 'partner_globex' });
  expect(answer).toMatchObject({
    status: 201,
    body: {
      delivered: false,
      cause: expect.stringContaining('partner_globex is not subscribed to card.issued; set webhookUrl and'),
    },
  });
});

test('the matching record depends on what the type reports', async () => {
  const { sandbox, api, control, trigger, last } = await listening();
  const about = async (eventType: string) => {
    await trigger({ eventType });
    return (await last()).data.id;
  };
  const rejected = await createSubmittedCardholder(sandbox);
  await control('POST', `/cardholders/${rejected}/kyc/reject`);
  const passed = await createApprovedCardholder(sandbox);
  const undecided = await createCardholder(sandbox);
  expect(await about('cardholder.approved')).toBe(passed);
  expect(await about('cardholder.kyc.updated')).toBe(passed);
  expect(await about('cardholder.created')).toBe(undecided);
  const active = (await createCard(sandbox)).id;
  await api('POST', `/partner/cards/${active}/activate`);
  const fresh = (await createCard(sandbox)).id;
  expect(await about('card.status.changed')).toBe(active);
  expect(await about('card.issued')).toBe(fresh);
  const opened = async () => (await api('POST', '/partner/kyc-sessions')).body.id;
  const [good, bad, newest] = [await opened(), await opened(), await opened()];
  expect(await about('kyc_session.completed'), 'none fits').toBe(newest);
  await control('POST', `/kyc-sessions/${good}/approve`);
  await control('POST', `/kyc-sessions/${bad}/reject`);
  expect(await about('kyc_session.completed')).toBe(good);
  expect(await about('kyc_session.failed')).toBe(bad);
});

test('of two records that match a type in different ways, the newest is reported', async () => {
  const { sandbox, control, trigger, last } = await listening();
  const reported = async () => {
    await trigger({ eventType: 'cardholder.kyc.updated' });
    return (await last()).data.id;
  };
  const passed = await createApprovedCardholder(sandbox);
  const rejected = await createSubmittedCardholder(sandbox);
  await control('POST', `/cardholders/${rejected}/kyc/reject`);
  expect(await reported()).toBe(rejected);
  const newest = await createApprovedCardholder(sandbox);
  expect(newest).not.toBe(passed);
  expect(await reported()).toBe(newest);
});

test('of a partner without a card program, only what needs none is made', async () => {
  const { transport, seen } = fakeReceiver();
  const path = fixtureFile(`partners: [{ id: partner_a, apiKey: ${ACME_KEY} }]`);
  const sandbox = startInProcess({ fixtures: [path] }, { transport });
  const { control } = sandbox;
  await subscribe(sandbox);
  const about = async (eventType: string) =>
    (await control('POST', '/events', { eventType })).body.resourceId;
  expect(await about('card.issued')).toBe('sample');
  expect(await about('cardholder.approved')).toBe('sample');
  expect(await about('card.transaction')).toBe('sample');
  expect((await control('GET', '/cardholders')).body).toEqual([]);
  expect(await about('cardholder.created')).toMatch(/^ch_/);
  expect((await control('GET', '/cardholders')).body).toMatchObject([
    { kycStatus: 'pending', externalUserId: expect.stringMatching(/^user_/) },
  ]);
  await control('POST', '/deliveries/settle');
  expect(seen).toHaveLength(4);
});
