import { expect, test } from 'vitest';
import { MAX_FINISHED_DELIVERIES } from '../../../src/service/webhooks/sending.ts';
import { startInProcess } from '../../support/in-process.ts';

const TOP_UP = ['POST', '/balance/top-up', { amount: 1 }] as const;

test('the last 10,000 finished deliveries are kept, and all pending ones', async () => {
  const send = ({ url }: { url: string }) =>
    Promise.resolve({ url, status: 500, body: '', cause: 'answered 500', durationMs: 1 });
  const { api, control } = startInProcess({}, { transport: { send, close: () => undefined } });
  const config = (change: object) => api('PATCH', '/partner/webhooks/config', change);
  const events = (query = '') => api('GET', `/partner/webhooks/events${query}`).body;
  config({ webhookUrl: 'https://hooks.example/', webhookSecret: 'a-secret-of-16-characters' });
  config({ subscribedEvents: ['balance.top_up'] });
  await control(...TOP_UP);
  await control('POST', '/deliveries/settle');
  config({ webhookUrl: null });
  // Without a URL each delivery fails immediately.
  for (let count = 0; count < MAX_FINISHED_DELIVERIES; count++) await control(...TOP_UP);
  const [before, first] = [events('?page=101&limit=100'), events('?page=100&limit=100').data.at(-1)];
  expect(before).toMatchObject({ total: MAX_FINISHED_DELIVERIES + 1, data: [{ status: 'pending' }] });
  await control('POST', '/checkpoints/full');
  for (let count = 0; count < 3; count++) await control(...TOP_UP);
  expect(events('?status=failed').total).toBe(MAX_FINISHED_DELIVERIES);
  expect(events('?status=pending').data).toEqual(before.data);
  expect(api('GET', `/partner/webhooks/events/${first.id}`).status).toBe(404);
  expect((await control('GET', `/deliveries/${first.id}`)).status).toBe(404);
  await control('POST', '/checkpoints/full/restore');
  expect(events('?page=101&limit=100')).toEqual(before);
  await control(...TOP_UP);
  expect(events('?status=failed').total).toBe(MAX_FINISHED_DELIVERIES);
  expect(api('GET', `/partner/webhooks/events/${first.id}`).status).toBe(404);
});

test('a retried delivery counts from when it finishes again', async () => {
  const { api, control } = startInProcess();
  api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['balance.top_up'] });
  for (let count = 0; count < MAX_FINISHED_DELIVERIES; count++) await control(...TOP_UP);
  const [oldest, next] = [1, 0].map(
    place => api('GET', `/partner/webhooks/events?page=5000&limit=2`).body.data[place].id,
  );
  await control('POST', '/clock/advance', { duration: '1s' });
  api('POST', `/partner/webhooks/events/${oldest}/retry`);
  await control('POST', '/deliveries/settle');
  await control(...TOP_UP);
  const status = (id: string) => api('GET', `/partner/webhooks/events/${id}`).status;
  expect([status(oldest), status(next)]).toEqual([200, 404]);
  await control('POST', '/checkpoints/here');
  await control('POST', '/checkpoints/here/restore');
  await control(...TOP_UP);
  expect(status(oldest), 'after a restore too').toBe(200);
});
