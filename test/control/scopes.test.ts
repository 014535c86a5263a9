import { expect, test } from 'vitest';
import { createCardholder } from '../support/cardholders.ts';
import { startInProcess } from '../support/in-process.ts';
import { fakeReceiver, subscribe } from '../support/receiver.ts';
import { type Json, newCardholder, START, startSandbox } from '../support/sandbox.ts';

const CARDS = '/partner/cards';
const AT_NOON = '2026-03-15T12:00:00.000Z';

test('a fault with a partner acts on the requests of that partner only', async () => {
  const { api, globex, control } = await startSandbox();
  const armed = await control('POST', '/faults', { partnerId: 'partner_globex', status: 503, times: 1 });
  expect(armed).toMatchObject({ status: 201, body: { partnerId: 'partner_globex' } });
  expect((await api('GET', CARDS)).status).toBe(200);
  expect((await globex('GET', CARDS)).status).toBe(503);
  expect((await control('GET', '/faults')).body).toMatchObject([{ hits: 1 }]);
});

test('faults of one partner are listed and deleted without those of another', async () => {
  const { globex, api, control } = await startSandbox();
  const { body: ours } = await control('POST', '/faults', { partnerId: 'partner_acme', status: 500 });
  const { body: theirs } = await control('POST', '/faults', { partnerId: 'partner_globex', status: 503 });
  expect((await control('GET', '/faults?partnerId=partner_acme')).body).toEqual([ours]);
  await control('DELETE', '/faults?partnerId=partner_acme');
  expect((await control('GET', '/faults')).body).toEqual([theirs]);
  expect((await api('GET', CARDS)).status).toBe(200);
  expect((await globex('GET', CARDS)).status).toBe(503);
});

test('a fault with a window acts from its start until just before its end', async () => {
  const { api, control } = await startSandbox();
  const window = { from: '2026-03-15T11:00:00Z', until: '2026-03-15T13:00:00+01:00' };
  const { body } = await control('POST', '/faults', { ...window, status: 503 });
  expect(body).toMatchObject({ from: '2026-03-15T11:00:00.000Z', until: AT_NOON });
  const statusAfter = async (duration: string) => {
    await control('POST', '/clock/advance', { duration });
    return (await api('GET', CARDS)).status;
  };
  expect(await statusAfter('3599s')).toBe(200);
  expect(await statusAfter('1s')).toBe(503);
  expect(await statusAfter('3599999ms')).toBe(503);
  expect(await statusAfter('1ms')).toBe(200);
});

test('a fault whose window is empty or whose partner is unknown is refused', async () => {
  const { control } = await startSandbox();
  expect(await control('POST', '/faults', { from: AT_NOON, until: START, status: 503 })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('until must be later than from') },
  });
  expect(await control('POST', '/faults', { partnerId: 'partner_acne', status: 503 })).toMatchObject({
    status: 404,
    body: { error: 'no partner with id "partner_acne", did you mean "partner_acme"?' },
  });
  expect((await control('GET', '/faults')).body).toEqual([]);
});

test('a webhook fault with a partner acts on the deliveries of that partner only', async () => {
  const { transport } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  const { control } = sandbox;
  await subscribe(sandbox);
  const theirs = { kind: 'drop', partnerId: 'partner_globex' };
  expect((await control('POST', '/webhook-faults', theirs)).body).toMatchObject(theirs);
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle', { partnerId: 'partner_acme' });
  expect((await control('GET', '/deliveries')).body).toMatchObject([{ status: 'delivered' }]);
  expect((await control('GET', '/webhook-faults?partnerId=partner_acme')).body).toEqual([]);
  expect((await control('GET', '/webhook-faults?partnerId=partner_globex')).body).toMatchObject([
    { hits: 0 },
  ]);
  await control('DELETE', '/webhook-faults?partnerId=partner_globex');
  expect((await control('GET', '/webhook-faults')).body).toEqual([]);
});

test('what is asked about the id of no partner is a 404', async () => {
  const { control } = await startSandbox();
  const partnerId = 'partner_none';
  expect((await control('POST', '/wait', { partnerId })).status).toBe(404);
  expect((await control('POST', '/deliveries/settle', { partnerId })).status).toBe(404);
  expect((await control('POST', '/webhook-faults', { kind: 'drop', partnerId })).status).toBe(404);
  expect((await control('GET', `/deliveries?partnerId=${partnerId}`)).status).toBe(404);
  expect((await control('GET', `/requests?partnerId=${partnerId}`)).status).toBe(404);
});

test('deliveries are filtered by each combination of partner, type and status', async () => {
  const { transport } = fakeReceiver((_, count) => (count % 2 === 0 ? 200 : 500));
  const { api, globex, control } = startInProcess({}, { transport });
  await subscribe({ api });
  await subscribe({ api: globex });
  const values = {
    partnerId: ['partner_acme', 'partner_globex'],
    eventType: ['balance.top_up', 'balance.low'],
    status: ['pending', 'delivered'],
  };
  for (const partnerId of values.partnerId) {
    for (const eventType of [...values.eventType, ...values.eventType].sort()) {
      await control('POST', '/events', { eventType, partnerId });
      await control('POST', '/deliveries/settle');
    }
  }
  const { body: all } = await control('GET', '/deliveries');
  expect(all).toHaveLength(8);
  for (const partnerId of [undefined, ...values.partnerId]) {
    for (const eventType of [undefined, ...values.eventType]) {
      for (const status of [undefined, ...values.status]) {
        const filters = Object.entries({ partnerId, eventType, status }).filter(([, value]) => value);
        const query = filters.map(([name, value]) => `${name}=${value}`).join('&');
        const matching = all.filter((row: Json) => filters.every(([name, value]) => row[name] === value));
        expect((await control('GET', `/deliveries?${query}`)).body, query).toEqual(matching);
      }
    }
  }
});

test('requests are filtered and counted by partner, operation, status and time', async () => {
  const { api, globex, control } = await startSandbox();
  await api('GET', CARDS);
  await globex('GET', CARDS);
  await control('POST', '/clock/advance', { duration: '2h' });
  await api('POST', '/partner/cardholders', newCardholder());
  await api('POST', '/partner/cardholders', {});
  const count = async (query: string) => {
    const counted = await control('GET', `/requests/count?${query}`);
    expect((await control('GET', `/requests?${query}`)).body).toHaveLength(counted.body.count);
    expect(counted).toEqual({ ...counted, status: 200, body: { count: counted.body.count } });
    return counted.body.count;
  };
  expect(await count('')).toBe(4);
  expect(await count('partnerId=partner_globex')).toBe(1);
  expect(await count('partnerId=partner_acme&path=/partner/cards')).toBe(1);
  expect(await count('operation=cardholders.create')).toBe(2);
  expect(await count('operation=cardholders.create&status=400&method=post')).toBe(1);
  expect(await count(`since=${AT_NOON}`)).toBe(2);
  expect(await count('since=2026-03-15T12:00:00.001Z')).toBe(0);
  expect(await count('since=2026-03-15T12:00:00.0001Z')).toBe(0);
});

test('requests are counted by the pattern of an operation, whatever its parameters are called', async () => {
  const { api, control } = await startSandbox({ fixtures: ['starter'] });
  await api('POST', '/partner/cards/card_mia_active/freeze');
  const count = (path: string) => control('GET', `/requests/count?path=${encodeURIComponent(path)}`);
  for (const path of [
    '/partner/cards/{id}/freeze',
    '/v1/partner/cards/{id}/freeze',
    '/partner/cards/{cardId}/freeze',
    '/v1/partner/cards/card_mia_active/freeze',
  ]) {
    expect([path, (await count(path)).body]).toEqual([path, { count: 1 }]);
  }
  expect((await count('/partner/cards/card_none/freeze')).body).toEqual({ count: 0 });
  expect((await count('/partner/cards/{id}/freez')).status).toBe(400);
  expect((await control('GET', '/requests/count?method=PSOT')).body.error).toMatch(
    /query\.method: must be a method/,
  );
});

test('a filter for an operation that does not exist is a 400 with the nearest id', async () => {
  const { control } = await startSandbox();
  expect(await control('GET', '/requests/count?operation=cardholder.create')).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('did you mean "cardholders.create"?') },
  });
});

test('the requests of one partner are removed from the journal without those of another', async () => {
  const { api, globex, control } = await startSandbox();
  await api('GET', CARDS);
  await globex('GET', CARDS);
  expect((await control('DELETE', '/requests?partnerId=partner_acme')).status).toBe(204);
  expect((await control('GET', '/requests')).body).toMatchObject([{ partnerId: 'partner_globex' }]);
});
