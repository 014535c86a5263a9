import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startCardNetwork } from '../../support/fixtures/card-network.ts';
import { START } from '../../support/sandbox.ts';

const TTLS = {
  fixtures: [fileURLToPath(new URL('../../support/fixtures/authorization-ttls.yaml', import.meta.url))],
};

test('an authorization is reversed 7 days after it, exactly, with its money and its event', async () => {
  const { pay, api, advance, spent, newEvents } = startCardNetwork();
  const { id } = (await pay('card_large', 30)).body;
  newEvents();
  await advance('604799999ms');
  expect(api('GET', `/partner/transactions/${id}`).body).toMatchObject({
    status: 'authorized',
    reversalReason: null,
  });
  await advance('1ms');
  expect(api('GET', `/partner/transactions/${id}`).body).toMatchObject({
    status: 'reversed',
    amount: 30,
    settledAmount: null,
    reversalReason: 'expired',
    createdAt: START,
    updatedAt: '2026-03-22T10:00:00.000Z',
  });
  expect(api('GET', '/partner/balance').body).toMatchObject({ available: 1000, held: 0 });
  expect(spent('card_large').sales).toMatchObject({ monthly: 0, allTime: 0 });
  expect(newEvents()).toEqual(['card.transaction reversed']);
});

test('a card program can have another authorizationTtl, or none', async () => {
  const { pay, api, advance } = startCardNetwork(TTLS);
  const names = ['short', 'never', 'default'];
  const ids = await Promise.all(names.map(async name => (await pay(`card_${name}`, 1)).body.id));
  const reasons = () => ids.map(id => api('GET', `/partner/transactions/${id}`).body.reversalReason);
  await advance('90m');
  expect(reasons()).toEqual(['expired', null, null]);
  await advance('365d');
  expect(reasons()).toEqual(['expired', null, 'expired']);
  expect(api('GET', '/partner/card-programs').body.data[0]).not.toHaveProperty('authorizationTtl');
});

test('neither an increment nor a partial reversal extends an authorization', async () => {
  const { pay, api, control, advance } = startCardNetwork();
  const { id } = (await pay('card_large', 30)).body;
  await advance('6d');
  await control('POST', `/transactions/${id}/increment`, { amount: 20 });
  await control('POST', `/transactions/${id}/reverse`, { amount: 5 });
  await advance('1d');
  expect(api('GET', `/partner/transactions/${id}`).body).toMatchObject({ status: 'reversed', amount: 45 });
});

test.each(['settle', 'reverse'])('nothing expires after %s', async verb => {
  const { pay, api, control, advance, newEvents } = startCardNetwork();
  const { id } = (await pay('card_large', 30)).body;
  const { body } = await control('POST', `/transactions/${id}/${verb}`);
  expect((await control('GET', '/clock')).body.pendingTimers).toBe(0);
  newEvents();
  await advance('30d');
  expect(api('GET', `/partner/transactions/${id}`).body).toEqual(body);
  expect(newEvents()).toEqual([]);
});

test('authorizations of the same moment expire in the order in which they were made', async () => {
  const { pay, advance, events } = startCardNetwork();
  const ids = [];
  for (let count = 0; count < 5; count++) ids.push((await pay('card_large', 1)).body.id);
  await advance('7d');
  expect(events.slice(-5).map(({ resourceId }) => resourceId)).toEqual(ids);
});

test('a checkpoint, a state document, a copied world and a rewind keep the expiry', async () => {
  const { pay, api, control, advance } = startCardNetwork();
  const { id } = (await pay('card_large', 30)).body;
  const read = () => api('GET', `/partner/transactions/${id}`).body;
  const { body: document } = await control('GET', '/state');
  expect(document.clock.timers).toEqual([
    { kind: 'transaction.expire', ref: id, at: '2026-03-22T10:00:00.000Z' },
  ]);
  await control('POST', '/checkpoints/open');
  await control('POST', '/worlds', { id: 'copy', from: 'main' });
  await advance('7d');
  expect(read().reversalReason).toBe('expired');
  // Reading is an entry of the history too.
  expect((await control('POST', '/rewind', { steps: 2 })).body.undone).toBe(2);
  for (const restore of [
    () => Promise.resolve(),
    () => control('POST', '/checkpoints/open/restore'),
    () => control('PUT', '/state', document),
  ]) {
    await restore();
    expect(read()).toMatchObject({ status: 'authorized', reversalReason: null });
    await advance('7d');
    expect(read()).toMatchObject({ status: 'reversed', reversalReason: 'expired' });
  }
  await control('POST', '/worlds/copy/clock/advance', { duration: '7d' });
  const copied = (await control('GET', '/worlds/copy/state')).body.tables.transactions;
  expect(copied).toMatchObject([{ id, status: 'reversed', reversalReason: 'expired' }]);
});

test('an authorization of a fixture expires by its createdAt, or from the start if that is too long ago', async () => {
  const { api, advance } = startCardNetwork(TTLS);
  const reasons = () =>
    ['txn_new', 'txn_old'].map(id => api('GET', `/partner/transactions/${id}`).body.reversalReason);
  await advance('1d');
  expect(reasons()).toEqual(['expired', null]);
  await advance('6d');
  expect(reasons()).toEqual(['expired', 'expired']);
  expect(api('GET', '/partner/balance').body.held).toBe(0);
});

test('a state document of an older release loads, and its authorizations never expire', async () => {
  const { pay, api, control, advance } = startCardNetwork();
  const [open, reversed] = [await pay('card_large', 30), await pay('card_large', 20)];
  await control('POST', `/transactions/${reversed.body.id}/reverse`);
  const { body: document } = await control('GET', '/state');
  document.clock.timers = [];
  for (const row of document.tables.transactions) {
    delete row.expiresAt;
    delete row.reversalReason;
  }
  for (const program of document.tables.cardPrograms) delete program.authorizationTtlMs;
  expect((await control('PUT', '/state', document)).status).toBe(204);
  expect(api('GET', `/partner/transactions/${reversed.body.id}`).body.reversalReason).toBe('merchant');
  await advance('365d');
  expect(api('GET', `/partner/transactions/${open.body.id}`).body.status).toBe('authorized');
});

test('an authorization without its timer is refused in a state document', async () => {
  const { pay, control } = startCardNetwork();
  const { id } = (await pay('card_large', 30)).body;
  const { body: document } = await control('GET', '/state');
  document.clock.timers = [];
  expect((await control('PUT', '/state', document)).body.error).toMatch(
    new RegExp(`${id}.*waits for a timer that clock.timers lacks; add {"kind": "transaction.expire"`),
  );
});
