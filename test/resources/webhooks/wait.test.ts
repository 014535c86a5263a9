import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

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
  expect(await wait({ resourceId: second, status: 'delivered' })).toMatchObject({
    resourceId: second,
    status: 'delivered',
    attempts: [{ status: 200 }],
  });
});

test('wait waits for a later delivery, also across a reset', async () => {
  const { sandbox, api, control } = await listening();
  const waiting = control('POST', '/wait', { eventType: 'cardholder.created', status: 'delivered' });
  await control('POST', '/reset');
  await subscribe(sandbox);
  const { body } = await api('POST', '/partner/cardholders', newCardholder());
  expect((await waiting).body).toMatchObject({ status: 'delivered', resourceId: body.id });
});

test('wait times out with 408 and lists what came instead', async () => {
  const { sandbox, control } = await listening(() => 500);
  const nothing = await control('POST', '/wait', { eventType: 'card.issued', timeoutMs: 20 });
  expect(nothing.status).toBe(408);
  expect(nothing.body).toEqual({
    success: false,
    error:
      'no delivery with eventType card.issued within 20 ms; no such event was raised for a subscribed partner; is its type in subscribedEvents?',
  });
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  const pending = await control('POST', '/wait', { status: 'delivered', timeoutMs: 20 });
  expect(pending).toMatchObject({
    status: 408,
    body: { error: expect.stringContaining('the latest is pending: answered 500') },
  });
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
  expect((await control('GET', '/deliveries?limit=1')).body).toEqual(all.slice(0, 1));
  expect((await control('GET', '/deliveries?status=failed&eventType=cardholder.created')).body).toEqual(all);
  expect((await control('GET', `/deliveries?resourceId=${first}`)).body).toEqual(all.slice(1));
  answer = 200;
  const retried = await control('POST', `/deliveries/${all[0].id}/retry`);
  expect(retried).toMatchObject({ status: 200, body: { status: 'pending', cause: null } });
  await control('POST', '/deliveries/settle');
  expect((await control('GET', `/deliveries/${all[0].id}`)).body.status).toBe('delivered');
});
