import { expect, test } from 'vitest';
import { MAX_FINISHED_DELIVERIES } from '../../../src/service/webhooks/sending.ts';
import { startInProcess } from '../../support/in-process.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { START } from '../../support/sandbox.ts';

const TOP_UP = ['POST', '/balance/top-up', { amount: 1 }] as const;
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString();

/**
 * A sandbox that keeps as many deliveries as it can, all failed, one attempted each millisecond, and a pending one that is
 * older than they are. `ids` are in the order of the attempts. The order in which they were created is the opposite.
 */
async function full() {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = startInProcess({}, { transport });
  const { api, control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  await control(...TOP_UP);
  await control('POST', '/deliveries/settle');
  const { body: state } = await control('GET', '/state');
  const [pending] = state.tables.deliveries;
  const [attempt] = pending.attempts;
  const ids = Array.from({ length: MAX_FINISHED_DELIVERIES }, (_, index) => `evt_${index}`);
  const failed = ids.map((id, index) => ({
    ...pending,
    id,
    body: '{}',
    status: 'failed',
    nextRetryAt: null,
    attempts: [{ ...attempt, at: later(index) }],
  }));
  state.tables.deliveries.push(...failed.toReversed());
  state.counts.deliveries += failed.length;
  expect(await control('PUT', '/state', state)).toMatchObject({ status: 204 });
  await control('POST', '/clock/advance', { duration: '1m' });
  const status = async (id: string | undefined) => (await control('GET', `/deliveries/${id}`)).status;
  const total = (which: string) => api('GET', `/partner/webhooks/events?status=${which}`).body.total;
  return { api, control, ids, pending, status, total };
}

test('the last 10,000 finished deliveries are kept, by their last attempt, and all pending ones', async () => {
  const { api, control, ids, pending, status, total } = await full();
  // It finishes once more, and is the newest now.
  api('POST', `/partner/webhooks/events/${ids[0]}/retry`);
  await control('POST', '/deliveries/settle');
  await control('POST', '/checkpoints/full');
  // Without a URL each delivery fails immediately.
  const withoutUrl = () => api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  withoutUrl();
  for (let count = 0; count < 2; count++) await control(...TOP_UP);
  expect([total('failed'), total('pending')]).toEqual([MAX_FINISHED_DELIVERIES, 1]);
  const statuses = async () => Promise.all([...ids.slice(0, 4), pending.id].map(status));
  expect(await statuses()).toEqual([200, 404, 404, 200, 200]);
  expect(api('GET', `/partner/webhooks/events/${ids[1]}`).status).toBe(404);
  await control('POST', '/checkpoints/full/restore');
  expect(await statuses(), 'a restore brings them back').toEqual([200, 200, 200, 200, 200]);
  withoutUrl();
  await control(...TOP_UP);
  expect(await statuses()).toEqual([200, 404, 200, 200, 200]);
});
