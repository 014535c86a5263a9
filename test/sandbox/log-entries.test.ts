import { expect, test } from 'vitest';
import type { JournalEntry } from '../../src/core/journal/journal.ts';
import {
  type DeliveryLogEntry,
  type RequestLogEntry,
  toRequestLogEntry,
} from '../../src/sandbox/log-entries.ts';
import { startInProcess } from '../support/in-process.ts';
import { fakeReceiver, HOOKS } from '../support/receiver.ts';
import { START } from '../support/sandbox.ts';

/** A sandbox, and the log entries of its requests and deliveries. */
function logged(options = {}, hooks = {}) {
  const requests: RequestLogEntry[] = [];
  const deliveries: DeliveryLogEntry[] = [];
  const sandbox = startInProcess(options, {
    onResponse: entry => requests.push(entry),
    onDelivery: entry => deliveries.push(entry),
    ...hooks,
  });
  return { ...sandbox, requests, deliveries };
}

test('the log entry of a request has its answer, the rule behind a refusal and no secrets', () => {
  const { api, requests } = logged();
  api('GET', '/partner/cards/card_nobody?email=mia@example.com');
  expect(requests).toMatchObject([
    {
      world: 'main',
      at: START,
      partnerId: 'partner_acme',
      method: 'GET',
      url: expect.stringMatching(/^\/v1\/partner\/cards\/card_nobody\?/),
      status: 404,
      refusal: 'no card with id "card_nobody"',
      rule: 'assumption unknown-id',
      fault: null,
      dropped: false,
    },
  ]);
});

test('the log entry of a request has its duration in milliseconds, to the microsecond', () => {
  const entry = { path: '/', query: '', method: 'GET', refusal: null, rule: null, hints: [] };
  const logEntryOf = (durationMs: number) =>
    toRequestLogEntry({ ...entry, durationMs } as unknown as JournalEntry, 'main');
  expect(logEntryOf(1.2345678).durationMs).toBe(1.235);
  expect(logEntryOf(12).durationMs).toBe(12);
});

test('a delivery is logged after each attempt, and not before', async () => {
  const { transport } = fakeReceiver((_, count) => (count === 1 ? 500 : 200));
  const { control, deliveries } = logged({ forwardTo: HOOKS }, { transport });
  await control('POST', '/balance/top-up', { amount: 1 });
  expect(deliveries).toEqual([]);
  await control('POST', '/deliveries/settle');
  expect(deliveries).toMatchObject([
    {
      eventType: 'balance.top_up',
      status: 'pending',
      attemptCount: 1,
      responseStatus: 500,
      cause: 'answered 500',
    },
  ]);
  await control('POST', '/clock/advance', { duration: '1d' });
  expect(deliveries.slice(1)).toMatchObject([
    { status: 'delivered', attemptCount: 2, url: HOOKS, responseStatus: 200, cause: null, nextRetryAt: null },
  ]);
});

test('a delivery that fails without an attempt is logged once, with the time of its event', async () => {
  const { api, control, deliveries } = logged();
  api('PATCH', '/partner/webhooks/config', {
    webhookUrl: HOOKS,
    webhookSecret: 'a-secret-of-16-characters',
    subscribedEvents: ['balance.top_up'],
  });
  api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/clock/advance', { duration: '1m' });
  expect(deliveries).toMatchObject([
    {
      at: START,
      status: 'failed',
      attemptCount: 0,
      url: null,
      responseStatus: null,
      durationMs: 0,
      isExtra: false,
    },
  ]);
});
