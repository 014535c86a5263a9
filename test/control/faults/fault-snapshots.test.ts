import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';

const ORDER = { status: 503, body: { retry: null }, path: '/partner/cards', after: 1, times: 2 };

/** A sandbox with a fault that lets one more request through and then acts twice. */
async function withFault() {
  const sandbox = startInProcess();
  const fault = (await sandbox.control('POST', '/faults', ORDER)).body;
  const statuses = () => Array.from({ length: 4 }, () => sandbox.api('GET', '/partner/cards').status);
  return { ...sandbox, fault, statuses };
}

test('a checkpoint keeps faults, with the requests that they have let through and acted on', async () => {
  const { api, control, fault, statuses } = await withFault();
  api('GET', '/partner/cards');
  api('GET', '/partner/cards');
  await control('POST', '/checkpoints/armed');
  expect(statuses()).toEqual([503, 200, 200, 200]);
  await control('DELETE', '/faults');
  await control('POST', '/checkpoints/armed/restore');
  expect((await control('GET', '/faults')).body).toEqual([{ ...fault, hits: 1 }]);
  expect(statuses()).toEqual([503, 200, 200, 200]);
});

test('a state document keeps faults, and a reset removes them', async () => {
  const { control, fault, statuses } = await withFault();
  const document = (await control('GET', '/state')).body;
  await control('POST', '/reset');
  expect((await control('GET', '/faults')).body).toEqual([]);
  expect((await control('PUT', '/state', document)).status).toBe(204);
  expect((await control('GET', '/faults')).body).toEqual([fault]);
  expect(statuses()).toEqual([200, 503, 503, 200]);
});

test('a state document without faults loads, as earlier releases wrote them', async () => {
  const { control } = await withFault();
  const document = (await control('GET', '/state')).body;
  delete document.tables.faults;
  delete document.counts.faults;
  expect((await control('PUT', '/state', document)).status).toBe(204);
  expect((await control('GET', '/faults')).body).toEqual([]);
});

test.each([
  { order: { when: 'before', after: 0 }, problem: 'order: a fault needs an effect' },
  {
    order: { status: 503, when: 'before', after: 1_000_001 },
    problem: 'order.after: must be at most 1000000',
  },
  {
    order: { status: 503, when: 'before', after: 0, times: 1_000_001 },
    problem: 'order.times: must be at most 1000000',
  },
])('a fault of a state document obeys the rules of others: $problem', async ({ order, problem }) => {
  const { control } = await withFault();
  const document = (await control('GET', '/state')).body;
  document.tables.faults[0].order = order;
  const { status, body } = await control('PUT', '/state', document);
  expect(status).toBe(400);
  expect(body.error).toContain(problem);
});
