import { expect, test } from 'vitest';
import type { WebhookReceiver } from '../../../src/client/webhook-receiver.ts';
import { playScenario } from '../../../src/tools/scenarios/play/play.ts';
import { directWebhooks, usesWebhooks } from '../../../src/tools/scenarios/play/webhooks.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

const AS_PUBLISHED = { retrySpeed: 1, allowHttpWebhooks: true };

const EVENT = `  - control: POST /events
    body: { eventType: balance.low, data: { available: 5 } }`;

async function play(steps: string, hasControl = true) {
  const { origin } = await startSandbox(AS_PUBLISHED);
  return playToEnd(await parseScenario(steps), await createStage(origin, { hasControl }));
}

const ONE_WEBHOOK = '  - webhook: { eventType: balance.low }';

/** Directs the webhooks of a partner to the receiver of a scenario. */
async function directed(origin: string, steps: string) {
  const stage = await createStage(origin);
  const { inbox } = stage;
  if (typeof inbox === 'string') throw new Error(inbox);
  const scenario = await parseScenario(steps);
  const direction = await directWebhooks(scenario, stage, inbox);
  if (typeof direction === 'string') throw new Error(direction);
  return { scenario, stage, inbox, direction };
}

test('the data, the number of attempts and the status of a webhook are compared', async () => {
  const { steps, scenes } = await play(`${EVENT}
  - webhook: { eventType: balance.low, status: delivered, attempts: 1, data: { available: 5 } }
${EVENT}
  - webhook: { eventType: balance.low, status: failed, attempts: 2, data: { available: 6 } }
    within: 0s`);
  expect(steps.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'failed']);
  expect(steps[3]?.differences).toEqual([
    { path: 'webhook.data.available', expected: '6', got: '5' },
    { path: 'webhook.attempts', expected: '2', got: '1' },
    { path: 'webhook.status', expected: 'failed', got: 'delivered' },
  ]);
  expect(steps.map(({ rule }) => rule?.assumption)).toEqual([undefined, undefined, undefined, 'event-data']);
  const shown = scenes.filter(({ kind }) => kind === 'webhook');
  expect(shown).toMatchObject([
    {
      eventType: 'balance.low',
      attempts: 1,
      responseStatus: 200,
      isSigned: true,
      status: 'delivered',
      data: { available: 5 },
      shownPaths: ['available'],
    },
    { status: 'delivered', shownPaths: ['available'] },
  ]);
  expect(shown[0]).toMatchObject({ headers: { 'X-Service-Event': 'balance.low' } });
});

test('a webhook that was not delivered is shown with its response, and retried', async () => {
  const { steps, scenes } = await play(`  - respond: 503
${EVENT}
  - webhook: { eventType: balance.low, status: pending, attempts: 1 }
    capture: { id: body.id }
  - respond: 200
  - advance: 1h
  - webhook: { eventType: balance.low, id: "\${id}", status: delivered, attempts: 2 }`);
  expect(steps.flatMap(({ differences }) => differences)).toEqual([]);
  expect(scenes.filter(({ kind }) => kind === 'webhook')).toMatchObject([
    { responseStatus: 503, attempts: 1, status: 'pending' },
    { responseStatus: 200, attempts: 2, status: 'delivered' },
  ]);
});

test('a webhook that was sent more often than expected fails its step', async () => {
  const { steps } = await play(`  - respond: 503
${EVENT}
  - advance: 1h
  - webhook: { eventType: balance.low, attempts: 1 }
    within: 0s`);
  expect(steps.at(-1)?.differences).toEqual([{ path: 'webhook.attempts', expected: '1', got: '4' }]);
  expect(steps.at(-1)?.rule).toMatchObject({ section: '6.4', assumption: null });
});

test('of several webhooks the first one that is as expected counts, or else the most similar one', async () => {
  const { steps } = await play(`  - control: POST /events
    body: { eventType: balance.low, data: { available: 5, currency: USD } }
  - control: POST /events
    body: { eventType: balance.low, data: { available: 6, currency: EUR } }
  - webhook: { eventType: balance.low, data: { available: 7, currency: EUR } }
    within: 0s
  - webhook: { eventType: balance.low, data: { available: 5 } }
    within: 0s`);
  expect(steps[2]?.differences).toEqual([{ path: 'webhook.data.available', expected: '7', got: '6' }]);
  expect(steps[3]?.status).toBe('passed');
});

test('a webhook that does not arrive is a difference with what has arrived', async () => {
  const { steps } = await play(`  - webhook: { eventType: card.issued }
    within: 0s
${EVENT}
${EVENT}
  - webhook: { eventType: card.issued }
    within: 0s`);
  const expected = { path: 'webhook', expected: 'card.issued' };
  expect(steps[0]?.differences).toEqual([
    { ...expected, got: 'none that is new since earlier steps; no webhook has arrived' },
  ]);
  expect(steps[3]?.differences[0]?.got).toMatch(/^none that is new since earlier steps; no webhook/);
  expect(steps[3]?.rule).toMatchObject({ section: '6', assumption: 'event-data' });
});

test('a webhook of another type than is expected is named', async () => {
  const { steps } = await play(`${EVENT}
${EVENT}
  - webhook: { eventType: card.issued }
    within: 0s
  - webhook: { eventType: balance.low }
    within: 0s`);
  expect(steps[2]?.differences[0]?.got).toBe(
    'none that is new since earlier steps; arrived so far: balance.low',
  );
  expect(steps[3]?.status).toBe('passed');
});

test('an id of a delivery that nobody sent is never there', async () => {
  const { steps } = await play(`${EVENT}
  - webhook: { eventType: balance.low, id: evt_nobody }
    within: 0s`);
  expect(steps[1]?.status).toBe('failed');
});

test('a step waits for its webhook as long as it says', async () => {
  const { origin } = await startSandbox();
  let now = 0;
  const stage = await createStage(origin);
  const waited = async (within: string) => {
    now = 0;
    const wallClock = {
      elapsed: () => now,
      sleep: async (ms: number) => {
        now += ms;
      },
    };
    const scenario = await parseScenario(`  - webhook: { eventType: card.issued }${within}`);
    const { inbox } = stage;
    if (typeof inbox === 'string') throw new Error(inbox);
    const quiet: WebhookReceiver = { ...inbox, arrivals: [] };
    const unsubscribed = { ...stage, inbox: quiet, wallClock, control: null };
    await playScenario(scenario, unsubscribed, { keepGoing: true, run: 'test', variables: {} });
    return now;
  };
  expect(await waited('\n    within: 200ms')).toBe(200);
  expect(await waited('')).toBe(5_000);
});

test('the webhooks of a partner go to the receiver for the types of the scenario, and back afterwards', async () => {
  const sandbox = await startSandbox(AS_PUBLISHED);
  const config = async () => (await sandbox.api('GET', '/partner/webhooks/config')).body;
  await sandbox.api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://acme.test/hooks',
    webhookSecret: 'a-secret-of-more-than-16',
    subscribedEvents: ['card.issued'],
  });
  const before = await config();
  const { scenario, inbox, direction } = await directed(
    sandbox.origin,
    `  - webhook: { eventType: balance.low }
  - webhook: { eventType: card.issued }
  - webhook: { eventType: balance.low }
  - say: The end`,
  );
  expect(usesWebhooks(scenario)).toBe(true);
  expect(usesWebhooks(await parseScenario('  - say: The end'))).toBe(false);
  expect(await config()).toMatchObject({
    webhookUrl: inbox.url,
    subscribedEvents: ['balance.low', 'card.issued'],
  });
  expect(await direction.restore()).toBeNull();
  expect(await config()).toEqual(before);
});

test('a configuration is restored where the server omits what is not set', async () => {
  const sandbox = await startSandbox({ ...AS_PUBLISHED, assume: { 'unset-config': 'omitted' } });
  const { direction } = await directed(sandbox.origin, ONE_WEBHOOK);
  expect(await direction.restore()).toBeNull();
  const { body } = await sandbox.api('GET', '/partner/webhooks/config');
  expect(body.webhookUrl ?? null).toBeNull();
});

test('a configuration that the server refuses to restore is reported with its reason', async () => {
  const { origin, control } = await startSandbox(AS_PUBLISHED);
  const { direction } = await directed(origin, ONE_WEBHOOK);
  await control('POST', '/faults', { status: 503 });
  expect(await direction.restore()).toMatch(/^503, /);
});

test.each(['POST /reset', 'POST /checkpoints/start/restore'])(
  'webhooks arrive after %s in a scenario, and the configuration is restored',
  async call => {
    const sandbox = await startSandbox(AS_PUBLISHED);
    const config = async () => (await sandbox.api('GET', '/partner/webhooks/config')).body;
    const before = await config();
    await sandbox.control('POST', '/checkpoints/start');
    const steps = `  - control: ${call}
${EVENT}
  - webhook: { eventType: balance.low, status: delivered }
  - control: POST /checkpoints/here
  - control: POST /checkpoints/here/restore`;
    const { scenario, stage, direction } = await directed(sandbox.origin, steps);
    const options = { keepGoing: true, run: 'test', variables: {} };
    const played = await playScenario(scenario, { ...stage, redirect: direction.redirect }, options);
    expect(played.steps.flatMap(({ differences }) => differences)).toEqual([]);
    await direction.restore();
    expect(await config()).toMatchObject({ webhookUrl: before.webhookUrl, subscribedEvents: [] });
  },
);

test('a configuration without a secret is restored as far as it can be', async () => {
  const sandbox = await startSandbox(AS_PUBLISHED);
  const config = async () => (await sandbox.api('GET', '/partner/webhooks/config')).body;
  const before = await config();
  const { direction } = await directed(sandbox.origin, ONE_WEBHOOK);
  expect(await direction.restore()).toBeNull();
  const { webhookUrl, subscribedEvents } = before;
  expect(await config()).toMatchObject({ webhookUrl, subscribedEvents });
});

test('a server that refuses the address of the receiver says why', async () => {
  const { origin } = await startSandbox({ allowHttpWebhooks: false });
  const stage = await createStage(origin);
  if (typeof stage.inbox === 'string') throw new Error(stage.inbox);
  const scenario = await parseScenario('  - webhook: { eventType: balance.low }');
  const inbox = { ...stage.inbox, url: 'http://partner.example/hooks' };
  expect(await directWebhooks(scenario, stage, inbox)).toMatch(
    /^the server does not send webhooks to http:\/\/partner\.example\/hooks: 400, \w/,
  );
});

test('of webhooks that differ as much, the first one is compared', async () => {
  const { steps } = await play(`  - control: POST /events
    body: { eventType: balance.low, data: { available: 5 } }
  - control: POST /events
    body: { eventType: balance.low, data: { available: 6 } }
  - webhook: { eventType: balance.low, data: { available: 7 } }
    within: 0s`);
  expect(steps[2]?.differences).toEqual([{ path: 'webhook.data.available', expected: '7', got: '5' }]);
});

test('a webhook that does not arrive is reported with what keeps it away', async () => {
  const { origin, control } = await startSandbox(AS_PUBLISHED);
  const stage = await createStage(origin);
  const scenario = await parseScenario('  - webhook: { eventType: cardholder.approved }\n    within: 0s');
  const reported = async () => (await playToEnd(scenario, stage)).steps[0]?.differences[0]?.got;
  const none = 'none that is new since earlier steps; no webhook has arrived';
  expect(await reported()).toBe(none);
  await control('PUT', '/forwarding', { url: 'http://127.0.0.1:9/hooks', allowHttp: true });
  expect(await reported()).toBe(`${none}; the sandbox forwards webhooks to http://127.0.0.1:9/hooks`);
  if (typeof stage.inbox === 'string') throw new Error(stage.inbox);
  await control('PUT', '/forwarding', { url: stage.inbox.ownUrl, allowHttp: true });
  expect(await reported()).toBe(none);
  stage.inbox.respond(503);
  await control('POST', '/events', { eventType: 'cardholder.approved' });
  await control('POST', '/deliveries/settle');
  stage.inbox.keep(0);
  expect(await reported()).toBe(
    `${none}; the clock is frozen, and delivery.attempt is due at 2026-03-15T10:01:00.000Z: a step with advance runs it`,
  );
});
