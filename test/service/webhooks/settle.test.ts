import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { createCardholder } from '../../support/cardholders.ts';
import { fakeReceiver, SECRET, subscribe } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';

test('settle for a partner does not wait for the receiver of another one', async () => {
  let release: (status: number) => void = () => undefined;
  const { transport, seen } = fakeReceiver(({ url }) =>
    url.includes('hangs')
      ? new Promise<number>(resolve => {
          release = resolve;
        })
      : 500,
  );
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox, ['cardholder.created']);
  await sandbox.globex('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hangs.example.com/',
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.control('POST', '/balance/top-up', { amount: 1, partnerId: 'partner_globex' });
  await createCardholder(sandbox);
  const settled = await sandbox.control('POST', '/deliveries/settle', { partnerId: 'partner_acme' });
  expect(settled).toMatchObject({ status: 200, body: { pending: 1 } });
  expect(seen).toHaveLength(2);
  const [{ id }] = (await sandbox.control('GET', '/deliveries?partnerId=partner_globex')).body;
  release(200);
  expect((await sandbox.control('POST', '/deliveries/settle')).body).toEqual({ pending: 1 });
  const unknown = await sandbox.control('POST', '/deliveries/settle', { partnerId: 'partner_none' });
  expect(unknown).toMatchObject({ status: 404, body: { error: expect.stringContaining('partner_none') } });
  // A redelivery is waited for by its partner alone, too.
  const redelivered = sandbox.control('POST', `/deliveries/${id}/redeliver`);
  await expect.poll(() => seen.length).toBe(3);
  await sandbox.control('POST', '/deliveries/settle', { partnerId: 'partner_acme' });
  const ends: string[] = [];
  const ofGlobex = sandbox
    .control('POST', '/deliveries/settle', { partnerId: 'partner_globex' })
    .then(() => ends.push('settled'));
  await sandbox.control('GET', '/clock');
  ends.push('released');
  release(200);
  await Promise.all([ofGlobex, redelivered]);
  expect(ends).toEqual(['released', 'settled']);
});

test('settle counts the deliveries that wait for a retry, of one partner or of all, through retries and a reset', async () => {
  let status = 200;
  const { transport } = fakeReceiver(() => status);
  const sandbox = await startSandbox({ retrySpeed: 1 }, { transport });
  const pending = async () => {
    const counts: number[] = [];
    for (const partnerId of ['partner_acme', 'partner_globex', undefined]) {
      counts.push((await sandbox.control('POST', '/deliveries/settle', { partnerId })).body.pending);
    }
    return counts;
  };
  await subscribe(sandbox, ['cardholder.created']);
  await createCardholder(sandbox);
  expect(await pending()).toEqual([0, 0, 0]);
  status = 500;
  await createCardholder(sandbox);
  await createCardholder(sandbox);
  expect(await pending()).toEqual([2, 0, 2]);
  await sandbox.control('POST', '/clock/advance', { duration: '2d' });
  expect(await pending()).toEqual([0, 0, 0]);
  const [{ id }] = (await sandbox.control('GET', '/deliveries?status=failed')).body;
  await sandbox.control('POST', `/deliveries/${id}/retry`);
  expect(await pending()).toEqual([0, 0, 0]);
  await createCardholder(sandbox);
  expect(await pending()).toEqual([1, 0, 1]);
  await sandbox.control('POST', '/reset');
  expect(await pending()).toEqual([0, 0, 0]);
});

test.each([
  { replaced: 'reset', pending: 0 },
  { replaced: 'loaded', pending: 1 },
])('settle waits for the attempts of a state that is $replaced meanwhile', async ({ replaced, pending }) => {
  const attempts: ((response: Response) => void)[] = [];
  let onFirst: () => void = () => undefined;
  const first = new Promise<void>(resolve => {
    onFirst = resolve;
  });
  await using sandbox = createSandbox({
    webhookReceiver: () =>
      new Promise<Response>(resolve => {
        if (attempts.push(resolve) === 1) onFirst();
        else resolve(new Response(null, { status: 500 }));
      }),
  });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://hangs.test/',
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 1 });
  await first;
  const state = await sandbox.state.export();
  const settled = sandbox.webhooks.settle();
  // The wait has begun when a later call has its response.
  await sandbox.clock.now();
  if (replaced === 'reset') await sandbox.reset();
  else await sandbox.state.import(state);
  expect(await settled).toEqual({ pending });
  expect(await sandbox.webhooks.list()).toHaveLength(pending);
  expect(attempts).toHaveLength(1 + pending);
});

test('expectNone for a partner does not wait for the receiver of another one', async () => {
  await using sandbox = createSandbox({ webhookReceiver: () => new Promise<Response>(() => undefined) });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://hangs.test/',
    webhookSecret: SECRET,
    subscribedEvents: ['balance.top_up'],
  });
  await sandbox.simulate.topUp({ amount: 1 });
  await sandbox.webhooks.expectNone({ partnerId: 'partner_globex' });
  // The attempt is still in flight: had expectNone waited for it, it would have timed out.
  expect(await sandbox.webhooks.list()).toMatchObject([{ status: 'pending', attemptCount: 0 }]);
});
