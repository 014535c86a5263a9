import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { fakeReceiver, SECRET, subscribe } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const URLS = { acme: 'https://acme.example.com/', globex: 'https://globex.example.com/' };

/** Plays the same story with one of two receivers slower than the other, and returns the deliveries at the end. */
async function deliveriesWithSlow(slow: string) {
  let release: (status: number) => void = () => undefined;
  // The first attempt at each receiver fails: the slow one after the fast one.
  const { transport, seen } = fakeReceiver(({ url }, count) => {
    if (count > 2) return 200;
    if (url !== slow) return 500;
    return new Promise<number>(resolve => {
      release = resolve;
    });
  });
  const sandbox = await startSandbox({}, { transport });
  const { api, globex, control } = sandbox;
  const config = { webhookSecret: SECRET, subscribedEvents: ['balance.top_up'] };
  await api('PATCH', '/partner/webhooks/config', { ...config, webhookUrl: URLS.acme });
  await globex('PATCH', '/partner/webhooks/config', { ...config, webhookUrl: URLS.globex });
  await control('POST', '/balance/top-up', { amount: 1, partnerId: 'partner_acme' });
  await control('POST', '/balance/top-up', { amount: 1, partnerId: 'partner_globex' });
  const statuses = async () =>
    (await control('GET', '/deliveries')).body.map((each: { cause: string | null }) => each.cause).sort();
  await expect.poll(statuses).toEqual(['answered 500', null]);
  release(500);
  await control('POST', '/deliveries/settle');
  // Both retries are due at the same moment, and one of them is lost.
  await control('POST', '/webhook-faults', { kind: 'drop', times: 1 });
  await control('POST', '/clock/advance', { duration: '1h' });
  return {
    sent: seen.slice(2).map(({ url }) => url),
    deliveries: (await control('GET', '/deliveries')).body,
  };
}

test('the speed of receivers does not change which of two retries due at the same moment comes first', async () => {
  const [acmeSlow, globexSlow] = [await deliveriesWithSlow(URLS.acme), await deliveriesWithSlow(URLS.globex)];
  expect(acmeSlow.sent).toEqual([URLS.globex, URLS.acme]);
  const comparable = (value: unknown) =>
    JSON.stringify(value, (key, each) => (key === 'X-Service-Signature' ? undefined : each));
  expect(comparable(acmeSlow)).toBe(comparable(globexSlow));
});

test('only a later delivery overtakes one that is held back, however long an earlier one takes', async () => {
  let release: (status: number) => void = () => undefined;
  const { transport, seen } = fakeReceiver((_, count) =>
    count > 1
      ? 200
      : new Promise<number>(resolve => {
          release = resolve;
        }),
  );
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  const subjects = () => seen.map(({ event }) => event.data.id);
  const first = await createCardholder(sandbox);
  await expect.poll(() => seen.length).toBe(1);
  await sandbox.control('POST', '/webhook-faults', { kind: 'reorder', times: 1 });
  const second = await createCardholder(sandbox);
  release(200);
  await sandbox.control('POST', '/deliveries/settle');
  expect(subjects()).toEqual([first]);
  const third = await createCardholder(sandbox);
  await sandbox.control('POST', '/deliveries/settle');
  expect(subjects()).toEqual([first, third, second]);
});

test('a doubled attempt comes after all others of its moment, however many there are', async () => {
  const { transport, seen } = fakeReceiver(() => 500);
  const sandbox = await startSandbox({ retrySpeed: 1, freeze: true }, { transport });
  const { control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  for (let event = 0; event < 300; event++) await control('POST', '/balance/top-up', { amount: 0.01 });
  await control('POST', '/deliveries/settle');
  seen.length = 0;
  await control('POST', '/webhook-faults', { kind: 'duplicate', times: 1 });
  await control('POST', '/clock/advance', { duration: '1m' });
  const [first] = seen;
  expect(seen).toHaveLength(301);
  expect(seen.at(-1)?.body).toBe(first?.body);
});

test.each(['export', 'checkpoint'] as const)(
  'a world that continues from its %s in the middle of a reorder fault goes on identically',
  async way => {
    const { transport, seen } = fakeReceiver();
    const sandbox = await startSandbox({}, { transport });
    const { control } = sandbox;
    await subscribe(sandbox, ['cardholder.created']);
    await control('POST', '/webhook-faults', { kind: 'reorder', times: 2 });
    await control('POST', '/webhook-faults', { kind: 'duplicate', times: 2 });
    await createCardholder(sandbox);
    await createCardholder(sandbox);
    await control('POST', '/deliveries/settle');
    const { body: document } = await control('GET', '/state');
    await control('POST', '/checkpoints/middle');
    const last = newCardholder();
    /** What happens from here on. */
    const goOn = async () => {
      seen.length = 0;
      await sandbox.api('POST', '/partner/cardholders', last);
      await control('POST', '/deliveries/settle');
      await control('POST', '/clock/advance', { duration: '1h' });
      const deliveries = (await control('GET', '/deliveries')).body;
      const attempts = deliveries.map((each: { id: string; attempts: { at: string; fault: string }[] }) => [
        each.id,
        each.attempts.map(({ at, fault }) => [at, fault]),
      ]);
      const faults = (await control('GET', '/webhook-faults')).body;
      return { sent: seen.map(({ body }) => body), attempts, faults };
    };
    const original = await goOn();
    expect(original.sent).toHaveLength(5);
    expect(original.faults).toMatchObject([{ hits: 2 }, { hits: 2 }]);
    if (way === 'checkpoint') await control('POST', '/checkpoints/middle/restore');
    else expect((await control('PUT', '/state', document)).status).toBe(204);
    expect(await goOn()).toEqual(original);
  },
);

test('a state whose held-back delivery has been sent already is refused', async () => {
  const { transport } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  const { control } = sandbox;
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  await control('POST', '/deliveries/settle');
  const { body: state } = await control('GET', '/state');
  state.tables.deliveries[0].heldBack = { fault: 'reorder', isOvertakable: true };
  expect(await control('PUT', '/state', state)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('heldBack: only a pending delivery is held back') },
  });
});
