import { expect, test } from 'vitest';
import type { CalibrateOptions } from '../../../src/tools/calibrate/calibrate.ts';
import { page, probed, type Routes, refuse, reply } from './other-service.ts';

const RECEIVER = 'a webhook receiver that the service reaches: --var webhookUrl=…';
const EVENTS = '/partner/webhooks/events';
const PEOPLE = '/partner/cardholders';
/** A loopback URL, so that the service reaches the receiver. Nothing is sent there. */
const LOCAL = 'http://127.0.0.1:9/v1';

/** Lets what was sent, or closed, arrive: both ends are in this process. */
async function ioTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve));
}

interface Habits {
  readonly signature?: string;
  readonly contentType?: string;
  /** How often an event was tried, as it shows. */
  readonly attempts?: number;
  readonly lastResponseStatus?: number;
  readonly isSilent?: boolean;
  /** Waits for the response to a webhook as long as it takes, while other requests go on. */
  readonly isPatient?: boolean;
  readonly approves?: boolean;
}

/** Sends webhooks about new cardholders over HTTP. Gives them up when `giveUp` is aborted. */
function sender(habits: Habits = {}, giveUp = new AbortController().signal): Routes {
  const { signature = `t=1773568800,v1=${'0'.repeat(64)}`, contentType = 'application/json' } = habits;
  let url: string | null = null;
  let status: number | null = null;
  const send = async (eventType: string, id: string) => {
    if (url === null || habits.isSilent) return;
    const headers = {
      'content-type': contentType,
      'x-service-event': eventType,
      'x-service-signature': signature,
    };
    const body = JSON.stringify({ id: 'evt_1', eventType, data: { id } });
    const sent = fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: giveUp }).then(
      response => {
        status = response.status;
      },
      () => undefined,
    );
    await (habits.isPatient ? ioTurns() : sent);
  };
  return {
    'GET /partner/webhooks/config': reply(200, { webhookUrl: null, subscribedEvents: [] }),
    'PATCH /partner/webhooks/config': ({ body }) => {
      url = body.webhookUrl;
      return reply(200);
    },
    [`POST ${PEOPLE}`]: async ({ body }) => {
      await send('cardholder.created', 'ch_1');
      return reply(201, { ...body, id: 'ch_1', createdAt: 't1' });
    },
    [`POST ${PEOPLE}/ch_1/kyc`]: async () => {
      if (habits.approves !== false) await send('cardholder.approved', 'ch_1');
      return reply(202);
    },
    [`GET ${PEOPLE}/ch_1`]: reply(200, { kycStatus: 'approved' }),
    [`GET ${EVENTS}`]: page({ id: 'evt_1' }),
    [`GET ${EVENTS}/evt_1`]: () =>
      reply(200, {
        payload: '{"data":{"id":"ch_1"}}',
        attemptCount: habits.attempts ?? 1,
        lastResponseStatus: habits.lastResponseStatus ?? status,
      }),
  };
}

const deliver = (id: string, routes: Routes, options: Partial<CalibrateOptions> = {}) =>
  probed(id, routes, { baseUrl: LOCAL, write: true, variables: { cardProgramId: 'p1' }, ...options });

test('the unit of the timestamp is that of its digits', async () => {
  expect(await deliver('signature-timestamp', sender())).toEqual({
    verdict: 'observed',
    text: 'the timestamp of the signature has 10 digits: seconds',
    shown: [`POST ${PEOPLE} 201`],
  });
  expect(await deliver('signature-timestamp', sender({ signature: 't=1773568800000,v1=00' }))).toMatchObject({
    verdict: 'contradicted',
    text: 'the timestamp of the signature has 13 digits: milliseconds',
    value: 'milliseconds',
  });
  expect(await deliver('signature-timestamp', sender({ signature: 'v1=00,t=1773568800,' }))).toEqual({
    verdict: 'unknown',
    text: 'a signature header with a timestamp',
    shown: [`POST ${PEOPLE} 201`],
  });
});

test('a webhook that does not arrive, and a service that does not reach the receiver, are unknown', async () => {
  expect(await deliver('signature-timestamp', sender({ isSilent: true }))).toEqual({
    verdict: 'unknown',
    text: RECEIVER,
    shown: [`POST ${PEOPLE} 201`],
  });
  const takes =
    'a webhook receiver that the service reaches: --var webhookUrl=https://… of a tunnel to --var webhookPort=…';
  const remote = await deliver('signature-timestamp', sender(), {
    baseUrl: 'https://service.example.com/v1',
  });
  expect(remote).toEqual({ verdict: 'unknown', text: takes, shown: [] });
  const refusing = { ...sender(), 'PATCH /partner/webhooks/config': refuse(400, 'https only') };
  expect(await deliver('signature-timestamp', refusing)).toEqual({
    verdict: 'unknown',
    text: `${takes} (https only)`,
    shown: ['PATCH /partner/webhooks/config 400'],
  });
});

test.each(['http://localhost:9/v1', 'http://[::1]:9/v1', 'http://127.1.2.3/v1'])(
  'a service at %s reaches the receiver without a tunnel',
  async baseUrl => {
    expect(await deliver('signature-timestamp', sender(), { baseUrl })).toMatchObject({
      verdict: 'observed',
    });
  },
);

test.each(['http://127.0.0.1.example.com/v1', 'http://my-localhost/v1', 'http://localhost.example.com/v1'])(
  'a service at %s does not',
  async baseUrl => {
    expect(await deliver('signature-timestamp', sender(), { baseUrl })).toMatchObject({ verdict: 'unknown' });
  },
);

test('with the URL of a tunnel, that is what the service is told', async () => {
  const urls: unknown[] = [];
  const routes: Routes = {
    ...sender({ isSilent: true }),
    'PATCH /partner/webhooks/config': ({ body }) => {
      urls.push(body.webhookUrl);
      return reply(200);
    },
  };
  await deliver('signature-timestamp', routes, {
    baseUrl: 'https://service.example.com/v1',
    variables: { webhookUrl: 'https://tunnel.example.com/hook' },
  });
  expect(urls).toEqual(['https://tunnel.example.com/hook', 'https://tunnel.example.com/hook', null]);
});

test('an approval that raises an event arrives, or does not', async () => {
  const shown = [`POST ${PEOPLE} 201`, `POST ${PEOPLE}/ch_1/kyc 202`, `GET ${PEOPLE}/ch_1 200`];
  expect(await deliver('unrecorded-events', sender())).toEqual({
    verdict: 'observed',
    text: 'cardholder.approved arrives',
    shown,
  });
  expect(await deliver('unrecorded-events', sender({ approves: false }))).toEqual({
    verdict: 'contradicted',
    text: 'cardholder.approved does not arrive',
    shown,
  });
});

test('a redirect is one failed attempt, whose status the event shows', async () => {
  expect(await deliver('delivery-attempts', sender())).toEqual({
    verdict: 'observed',
    text: 'a redirect counts with the status 302; the content type is application/json',
    shown: [`POST ${PEOPLE} 201`, `GET ${EVENTS}/evt_1 200`],
  });
  expect(await deliver('delivery-attempts', sender({ lastResponseStatus: 404 }))).toMatchObject({
    verdict: 'contradicted',
    text: 'a redirect counts with the status 404; the content type is application/json',
  });
  expect(await deliver('delivery-attempts', sender({ contentType: 'text/plain' }))).toMatchObject({
    verdict: 'contradicted',
    text: 'a redirect counts with the status 302; the content type is text/plain',
  });
  expect(await deliver('delivery-attempts', sender({ attempts: 0 }))).toEqual({
    verdict: 'unknown',
    text: RECEIVER,
    shown: [`POST ${PEOPLE} 201`],
  });
});

test('only the first webhook gets the redirect, and a retry of it is accepted', async () => {
  const statuses: number[] = [];
  const base = sender();
  let url = '';
  const headers = { 'x-service-event': 'cardholder.created' };
  const body = '{"id":"evt_1","data":{"id":"ch_1"}}';
  const routes: Routes = {
    ...base,
    'PATCH /partner/webhooks/config': request => {
      url = request.body.webhookUrl ?? '';
      return reply(200);
    },
    [`POST ${PEOPLE}`]: async () => {
      for (let attempt = 0; attempt < 3; attempt++)
        statuses.push((await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).status);
      return reply(201, { id: 'ch_1' });
    },
  };
  await deliver('delivery-attempts', routes);
  expect(statuses).toEqual([302, 204, 204]);
});

test.each([
  [10_000, '10s', 'observed'],
  [2_000, '2s', 'contradicted'],
  [900, '1s', 'contradicted'],
  [1_100, '1s', 'contradicted'],
  [800, '800ms', 'contradicted'],
  [1_300, '1300ms', 'contradicted'],
  [1_500, '2s', 'contradicted'],
])('an attempt that is given up after %d ms is measured as %s', async (patience, value, verdict) => {
  const controller = new AbortController();
  let now = 0;
  const time = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
      if (now === patience) controller.abort();
      if (now === patience) await ioTurns();
    },
  };
  const routes = sender({ isPatient: true }, controller.signal);
  const found = await deliver('webhook-timeout', routes, { time, asyncTimeoutMs: 60_000 });
  expect([found.verdict, found.text]).toEqual([
    verdict,
    `an attempt without a response is given up after about ${value}`,
  ]);
  expect(found.shown).toEqual([`POST ${PEOPLE} 201`]);
});

test('an attempt that is not given up within a minute is unknown', async () => {
  let now = 0;
  const time = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
  const controller = new AbortController();
  const routes = sender({ isPatient: true }, controller.signal);
  expect(await deliver('webhook-timeout', routes, { time, asyncTimeoutMs: 60_000 })).toEqual({
    verdict: 'unknown',
    text: 'a service that gives up within 60 s',
    shown: [`POST ${PEOPLE} 201`],
  });
  controller.abort();
});
