import { expect, onTestFinished, test } from 'vitest';
import type { FeedMessage } from '../../../src/core/journal/feed.ts';
import type { DisturbancePlan } from '../../../src/sandbox/disturbance/plan.ts';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import type { WebhookFaultKind } from '../../../src/service/webhooks/fault-kinds.ts';
import { openInProcess } from '../../support/in-process.ts';
import { fakeReceiver, HOOKS, isSigned, type ReceivedWebhook, subscribe } from '../../support/receiver.ts';
import { type Json, START } from '../../support/sandbox.ts';

/** A sandbox that is subscribed to top-ups, with the steps of deliveries that its feed reports. */
async function listening(
  respond?: (request: ReceivedWebhook, count: number) => number | Promise<number>,
  disturbance?: DisturbancePlan,
) {
  const { transport, seen } = fakeReceiver(respond);
  const steps: string[] = [];
  const note = (message: FeedMessage) => {
    if (message.kind === 'delivery') steps.push(`${message.step} ${message.id}`);
  };
  const sandbox = openInProcess({}, { transport, disturbance }, (options, hooks) => {
    const core = createSandboxCore(options, hooks);
    core.feed.subscribe(note);
    return core;
  });
  onTestFinished(sandbox.stop);
  const { control } = sandbox;
  await subscribe(sandbox, ['balance.top_up']);
  const settle = () => control('POST', '/deliveries/settle');
  /** Raises an event. Resolves with the id of its delivery. */
  const topUp = async (): Promise<string> => {
    await control('POST', '/balance/top-up', { amount: 1 });
    return (await control('GET', '/deliveries')).body[0].id;
  };
  return { ...sandbox, seen, steps, settle, topUp };
}

/** Sends an additional request ahead of the first webhooks. */
const forging = (kind: WebhookFaultKind, times = 1): DisturbancePlan => [
  { id: 'forged', webhookFaults: [{ kind, extra: true, times }] },
];

/** A receiver that responds when the test says so, in any order. */
function holding() {
  const answers: ((status: number) => void)[] = [];
  const respond = () => new Promise<number>(resolve => answers.push(resolve));
  const answered = (place: number) => answers[place]?.(200);
  return { respond, answered };
}

test('the feed reports that a delivery is recorded, each attempt, a manual retry and a redelivery', async () => {
  const { api, control, steps, settle, topUp } = await listening((_, count) => (count === 1 ? 500 : 200));
  api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  const id = await topUp();
  expect(steps.splice(0)).toEqual([`recorded ${id}`]);
  api('PATCH', '/partner/webhooks/config', { webhookUrl: HOOKS });
  api('POST', `/partner/webhooks/events/${id}/retry`);
  await settle();
  expect(steps.splice(0)).toEqual([`retried ${id}`, `attempted ${id}`]);
  await control('POST', `/deliveries/${id}/redeliver`);
  expect(steps.splice(0)).toEqual([`attempted ${id}`]);
});

test('an attempt is signed with its time, and one that repeats an accepted one within the second with the second before', async () => {
  const { control, seen, settle, topUp } = await listening((_, count) => (count < 3 ? 500 : 200));
  const id = await topUp();
  await settle();
  await control('POST', '/clock/advance', { duration: '1h' });
  for (let count = 0; count < 3; count++) await control('POST', `/deliveries/${id}/redeliver`);
  const now = Date.parse(START) / 1_000;
  const times = seen.map(({ headers }) => Number(/^t=(\d+)/.exec(headers['X-Service-Signature'] ?? '')?.[1]));
  expect(seen.every(each => isSigned(each))).toBe(true);
  expect(times).toEqual([now, now, now, now - 1, now, now - 1]);
});

test('the feed reports an additional request as an attempt', async () => {
  const { steps, settle, topUp } = await listening(undefined, forging('tampered_body'));
  const id = await topUp();
  await settle();
  expect(steps).toEqual([`recorded ${id}`, `attempted ${id}`, `attempted ${id}`]);
});

test.each([
  ['an attempt', undefined],
  ['an additional request', forging('tampered_body')],
])('%s in flight at a reset is reported no more', async (_what, disturbance) => {
  const { respond, answered } = holding();
  const { control, steps, seen, topUp } = await listening(respond, disturbance);
  const id = await topUp();
  await expect.poll(() => seen.length).toBe(1);
  await control('POST', '/reset');
  steps.length = 0;
  answered(0);
  await control('POST', '/deliveries/settle');
  expect(steps).toEqual([]);
  expect((await control('GET', `/deliveries/${id}`)).status).toBe(404);
});

test('a redelivery in flight at a reset is reported no more', async () => {
  const { respond, answered } = holding();
  const { control, steps, seen, topUp } = await listening((_, count) => (count === 1 ? 200 : respond()));
  const id = await topUp();
  await control('POST', '/deliveries/settle');
  const redelivered = control('POST', `/deliveries/${id}/redeliver`);
  await expect.poll(() => seen.length).toBe(2);
  await control('POST', '/reset');
  steps.length = 0;
  answered(0);
  await redelivered;
  await control('POST', '/deliveries/settle');
  expect(steps).toEqual([]);
});

test('a redelivery does not wait for that of another delivery', async () => {
  const { respond, answered } = holding();
  const { control, seen, settle, topUp } = await listening(({ event }, count) =>
    count > 2 && event.data.available === 1 ? respond() : 200,
  );
  const [first, second] = [await topUp(), await topUp()];
  await settle();
  const held = control('POST', `/deliveries/${first}/redeliver`);
  await expect.poll(() => seen.length).toBe(3);
  expect((await control('POST', `/deliveries/${second}/redeliver`)).body).toMatchObject({ attemptCount: 2 });
  answered(0);
  expect((await held).body).toMatchObject({ attemptCount: 2 });
});

test('the attempts of a delivery come one after the other, however many are asked for', async () => {
  const { respond, answered } = holding();
  const { control, seen, settle, topUp } = await listening(respond);
  const id = await topUp();
  await expect.poll(() => seen.length).toBe(1);
  const redeliver = () => control('POST', `/deliveries/${id}/redeliver`);
  await redeliver();
  answered(0);
  await expect.poll(() => seen.length).toBe(2);
  await redeliver();
  await control('GET', '/deliveries');
  expect(seen).toHaveLength(2);
  answered(1);
  await expect.poll(() => seen.length).toBe(3);
  answered(2);
  await settle();
  const { attempts } = (await control('GET', `/deliveries/${id}`)).body;
  expect(attempts.map(({ redelivery }: Json) => redelivery)).toEqual([undefined, true, true]);
});

test('while an attempt is in flight, an additional request before it is no attempt of the API', async () => {
  const { respond, answered } = holding();
  const { api, control, seen, settle, topUp } = await listening(
    (_, count) => (count === 1 ? 401 : respond()),
    forging('missing_signature'),
  );
  const id = await topUp();
  await expect.poll(() => seen.length).toBe(2);
  const read = () => api('GET', `/partner/webhooks/events/${id}`).body;
  expect(read()).toMatchObject({
    status: 'pending',
    attemptCount: 0,
    lastAttemptAt: null,
    lastResponseStatus: null,
    lastResponseBody: null,
  });
  answered(0);
  await settle();
  expect(read()).toMatchObject({ status: 'delivered', attemptCount: 1, lastResponseStatus: 200 });
  expect((await control('GET', `/deliveries/${id}`)).body).not.toHaveProperty('droppedAttempts');
});

test('an attempt that sends nothing after an additional request has ended', async () => {
  const { control, settle, topUp } = await listening(undefined, forging('tampered_body'));
  await control('POST', '/webhook-faults', { kind: 'drop', times: 1 });
  const id = await topUp();
  await settle();
  expect((await control('POST', `/deliveries/${id}/redeliver`)).body).toMatchObject({ attemptCount: 2 });
});

test('without a URL no additional request is sent', async () => {
  const { api, control, seen, settle, topUp } = await listening(() => 500, forging('tampered_body', 2));
  await topUp();
  await settle();
  expect(seen).toHaveLength(2);
  api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  await control('POST', '/clock/advance', { duration: '1s' });
  expect(seen).toHaveLength(2);
  api('PATCH', '/partner/webhooks/config', { webhookUrl: HOOKS });
  await control('POST', '/clock/advance', { duration: '1m' });
  expect(seen.slice(2, 4).map(({ event }) => event.id === seen[0]?.event.id)).toEqual([true, false]);
});
