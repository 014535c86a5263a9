import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/client/generated/event-types.ts';
import {
  contradicted,
  observed,
  page,
  probed,
  type Routes,
  type Row,
  refuse,
  reply,
  type ServiceReply,
  type ServiceRequest,
  unknown,
} from './other-service.ts';

const CONFIG = '/partner/webhooks/config';
const EVENTS = '/partner/webhooks/events';
const PEOPLE = '/partner/cardholders';
const CARDS = '/partner/cards';
const NOWHERE = 'https://card-sandbox-calibration.example.com/webhooks';
const CHANGE = `PATCH ${CONFIG}`;
const READ = `GET ${CONFIG}`;
const CREATE = `POST ${PEOPLE}`;

interface Config {
  webhookUrl?: string | null;
  webhookSecret?: string | null;
  subscribedEvents: readonly string[];
}

/** Keeps a configuration. `change` answers a change otherwise, or leaves it to the service. */
function config(
  change: (request: ServiceRequest, current: Config) => ServiceReply | undefined = () => undefined,
  first: Config = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] },
  show: (current: Config) => object = each => each,
): Routes {
  let current = first;
  return {
    [READ]: () => reply(200, show(current)),
    [CHANGE]: request => {
      const answer = change(request, current);
      if (answer !== undefined) return answer;
      const { body, headers } = request;
      const types: readonly string[] = body.subscribedEvents ?? [];
      if (headers.has('origin') || /name:word@/.test(body.webhookUrl ?? '')) return refuse(400);
      if (types.some(type => !EVENT_TYPES.some(known => known === type))) return refuse(422);
      current = {
        ...current,
        ...body,
        ...(body.subscribedEvents && { subscribedEvents: [...new Set(types)] }),
      };
      return reply(200, show(current));
    },
  };
}

const omitNull = (current: Config) =>
  Object.fromEntries(Object.entries(current).filter(([, value]) => value !== null));
const UNSET = 'a partner without a webhook URL, or --write';
const SET = { webhookUrl: NOWHERE, webhookSecret: 's', subscribedEvents: [] };
const CHANGED = `a change gets a 200 with the whole configuration and ${EVENT_TYPES.length} event types; an unknown type gets a`;
const readOnly = { write: false };

const configuration: Row[] = [
  [
    'unset-config',
    'with null',
    config(),
    observed('a webhook URL that is not set is null', `${READ} 200`),
    readOnly,
  ],
  [
    'unset-config',
    'without the members',
    config(undefined, undefined, omitNull),
    contradicted('a webhook URL that is not set is left out', 'omitted'),
    readOnly,
  ],
  ['unset-config', 'with a URL', config(undefined, SET), unknown(UNSET, `${READ} 200`), readOnly],
  [
    'unset-config',
    'with a URL that is cleared',
    config(undefined, SET, omitNull),
    contradicted('a webhook URL that is not set is left out', 'omitted'),
  ],
  [
    'unset-config',
    'whose URL cannot be cleared',
    config(() => refuse(400), SET),
    unknown(UNSET, `${READ} 200`),
  ],
  ['unset-config', 'that keeps its URL', config(() => reply(200), SET), unknown(UNSET, `${READ} 200`)],
  [
    'webhook-config',
    'with the assumed rules',
    config(),
    observed(
      `${CHANGED} 422, credentials in the URL a 400`,
      `${CHANGE} 200`,
      `${CHANGE} 422`,
      `${CHANGE} 400`,
    ),
  ],
  [
    'webhook-config',
    'that accepts unknown types',
    config(({ body }) => (body.subscribedEvents?.includes('card.sandbox') ? reply(200) : undefined)),
    contradicted(`${CHANGED} 200, credentials in the URL a 400`),
  ],
  [
    'webhook-config',
    'that accepts credentials',
    config(({ body }) => (/word/.test(body.webhookUrl ?? '') ? reply(200) : undefined)),
    contradicted(`${CHANGED} 422, credentials in the URL a 200`),
  ],
  [
    'webhook-config',
    'with another configuration',
    config(undefined, undefined, ({ webhookUrl, subscribedEvents }) => ({ webhookUrl, subscribedEvents })),
    contradicted(
      `a change gets a 200 with another configuration and ${EVENT_TYPES.length} event types; an unknown type gets a 422, credentials in the URL a 400`,
    ),
  ],
  [
    'webhook-config',
    'that keeps a type twice',
    config(undefined, undefined, current => ({
      ...current,
      subscribedEvents: [...current.subscribedEvents, 'card.issued'],
    })),
    contradicted(
      `a change gets a 200 with the whole configuration and ${EVENT_TYPES.length + 1} event types; an unknown type gets a 422, credentials in the URL a 400`,
    ),
  ],
  [
    'webhook-config',
    'that refuses changes',
    config(() => refuse(403, 'not allowed')),
    contradicted(
      'a change gets a 403: not allowed; an unknown type gets a 403, credentials in the URL a 403',
    ),
  ],
  ['webhook-config', 'without a configuration', {}, unknown('a webhook configuration', `${READ} 404`)],
  [
    'patch-config',
    'that merges',
    config(),
    observed(
      'a change of subscribedEvents alone keeps the webhook URL',
      `${CHANGE} 200`,
      `${CHANGE} 200`,
      `${READ} 200`,
    ),
  ],
  [
    'patch-config',
    'that replaces',
    config(undefined, undefined, current =>
      current.subscribedEvents.includes('card.transaction') ? { webhookUrl: null } : current,
    ),
    contradicted('a change of subscribedEvents alone removes the webhook URL', 'replace'),
  ],
  [
    'patch-config',
    'that refuses changes',
    config(() => refuse(409)),
    unknown('a webhook configuration that can be changed', `${CHANGE} 409`),
  ],
  [
    'patch-config',
    'that refuses parts',
    config(({ body }) => (body.webhookUrl === undefined ? refuse(422) : undefined)),
    unknown('a webhook configuration that can be changed', `${CHANGE} 200`, `${CHANGE} 422`),
  ],
  [
    'webhook-config-origin',
    'that refuses a foreign one',
    config(),
    observed('a change with a foreign Origin gets a 400', `${CHANGE} 400`),
  ],
  [
    'webhook-config-origin',
    'that does not look at it',
    config(() => reply(200)),
    contradicted('a change with a foreign Origin gets a 200'),
  ],
];

interface EventHabits {
  /** What a read of an event shows beside its payload. */
  readonly shown?: object;
  readonly payload?: (record: object, type: string) => unknown;
  readonly retry?: ServiceReply;
  /** Whether events without a subscription are recorded too. */
  readonly isDeaf?: boolean;
  readonly refusesCardholders?: boolean;
  /** Answers lists of events, or leaves them to the service. */
  readonly list?: (type: string) => ServiceReply | undefined;
  readonly kyc?: readonly string[];
  /** An event that is there from the beginning. */
  readonly first?: object;
}

/** Records the events of new cardholders and cards, and reads them. */
function events({
  shown = {},
  payload = envelope,
  retry = reply(200, DETAILS),
  isDeaf,
  refusesCardholders,
  list,
  kyc = [],
  first,
}: EventHabits = {}): Routes {
  let types: readonly string[] = [];
  const recorded: { id: string; eventType: string; createdAt: string; payload: unknown }[] = [];
  const raise = (eventType: string, record: object) => {
    if (!isDeaf && !types.includes(eventType)) return;
    const id = `evt_${recorded.length + 1}`;
    recorded.push({ id, eventType, createdAt: 't1', payload: payload(record, eventType) });
  };
  let count = 0;
  return {
    [READ]: reply(200, { webhookUrl: null, subscribedEvents: [] }),
    [CHANGE]: ({ body }) => {
      types = body.subscribedEvents;
      return reply(200);
    },
    [CREATE]: ({ body }) => {
      if (refusesCardholders) return refuse(422, 'no such token');
      count += 1;
      const record = {
        ...body,
        idp1ShareToken: undefined,
        id: `ch_${count}`,
        createdAt: 't1',
        kycStatus: 'pending',
      };
      raise('cardholder.created', record);
      return reply(201, record);
    },
    [`POST ${PEOPLE}/*`]: ({ path }) => {
      for (const type of kyc) raise(type, { id: path.split('/')[3] });
      return reply(202);
    },
    [`GET ${PEOPLE}/*`]: reply(200, { kycStatus: 'approved' }),
    [`POST ${CARDS}`]: () => {
      count += 1;
      const record = { id: `card_${count}`, createdAt: 't1' };
      raise('card.issued', record);
      return reply(201, record);
    },
    [`POST ${CARDS}/*`]: reply(200),
    [`GET ${EVENTS}`]: ({ query: { eventType, limit, from } }) => {
      if (eventType === undefined)
        return limit === '1' && first !== undefined ? page({ id: 'evt_0' }) : page();
      const answer = list?.(eventType);
      if (answer !== undefined) return answer;
      if (limit === '100' && from !== 't1') return refuse(500);
      return page(...recorded.filter(each => each.eventType === eventType).map(({ id }) => ({ id })));
    },
    [`GET ${EVENTS}/*`]: ({ path }) => {
      const id = path.split('/').at(-1);
      if (id === 'evt_0') return reply(200, first);
      const found = recorded.find(each => each.id === id);
      const text = typeof found?.payload === 'string' ? found.payload : JSON.stringify(found?.payload);
      return found === undefined ? refuse(404) : reply(200, { ...UNSENT, ...found, payload: text, ...shown });
    },
    [`POST ${EVENTS}/*`]: retry,
  };
}

const envelope = (data: object, eventType: string) => ({ id: 'x', eventType, createdAt: 't1', data });
const UNSENT = { status: 'failed', attemptCount: 0, webhookUrl: null };
const DETAILS = Object.fromEntries(
  ['id', 'eventType', 'status', 'attemptCount', 'payload', 'lastResponseBody', 'webhookUrl'].map(name => [
    name,
    null,
  ]),
);
const of = (payload: string): Routes => events({ first: { payload } });
const BODY = 'the body of a webhook';
const RAISED = 'a new cardholder or card, which raises an event: --var shareTokens=…';
const KYC_UPDATED = 'after an approval cardholder.kyc.updated is listed, and cardholder.approved is';
const HISTORY = 'an approved KYC while cardholder.approved is subscribed to: --write';
const QUIET = 'without a subscription there is';
const attempts = (attemptCount: number, seconds: number | null, status = 'pending') =>
  events({
    shown: {
      status,
      attemptCount,
      lastAttemptAt: '2026-03-15T10:00:00.000Z',
      nextRetryAt:
        seconds === null
          ? null
          : new Date(Date.parse('2026-03-15T10:00:00.000Z') + seconds * 1_000).toISOString(),
    },
  });
const DUE = (count: number, seconds: number) =>
  `after ${count} attempts the next retry is due after ${seconds} s`;
const program = { variables: { cardProgramId: 'p1', cardholderId: 'ch_var' } };
const approving = { variables: { cardProgramId: 'p1' } };

const recording: Row[] = [
  [
    'webhook-envelope',
    'with an envelope',
    of('{"id":"x","eventType":"y","createdAt":"z","data":{}}'),
    observed(`${BODY} has the members id, eventType, createdAt, data`, `GET ${EVENTS}/evt_0 200`),
    readOnly,
  ],
  [
    'webhook-envelope',
    'without one',
    of('{"id":"x","status":"y"}'),
    contradicted(`${BODY} has the members id, status`, 'data'),
    readOnly,
  ],
  [
    'webhook-envelope',
    'with another one',
    of('{"data":{},"more":1}'),
    { verdict: 'contradicted', text: `${BODY} has the members data, more` },
    readOnly,
  ],
  [
    'webhook-envelope',
    'whose webhooks are empty',
    of('{}'),
    { verdict: 'contradicted', text: `${BODY} has the members ` },
    readOnly,
  ],
  [
    'webhook-envelope',
    'without an event',
    events(),
    unknown('a delivery event', `GET ${EVENTS}?limit=1 200`),
    readOnly,
  ],
  [
    'webhook-envelope',
    'that records a new event',
    events(),
    observed(`${BODY} has the members id, eventType, createdAt, data`, `GET ${EVENTS}/evt_1 200`),
  ],
  [
    'event-body',
    'with JSON',
    of('{"id":"x"}'),
    observed(`${BODY} is a JSON object`, `GET ${EVENTS}/evt_0 200`),
    readOnly,
  ],
  ['event-body', 'with XML', of('<id>x</id>'), contradicted(`${BODY} is not a JSON object`), readOnly],
  [
    'event-history',
    'that lists all types',
    events({ list: () => page({}) }),
    {
      verdict: 'contradicted',
      text: 'card.3ds_otp events are listed',
      value: 'twelve',
    },
    readOnly,
  ],
  [
    'event-history',
    'that refuses some types',
    events({ list: () => refuse(400) }),
    { verdict: 'observed', text: 'eventType=card.3ds_otp gets a 400' },
    readOnly,
  ],
  ['event-history', 'with empty lists', events(), unknown(HISTORY), readOnly],
  [
    'event-history',
    'that records nine types',
    events({ kyc: ['cardholder.kyc.updated'] }),
    observed(`${KYC_UPDATED} not`, `GET ${EVENTS}/evt_2 200`),
    approving,
  ],
  [
    'event-history',
    'that records twelve types',
    events({ kyc: ['cardholder.kyc.updated', 'cardholder.approved'] }),
    contradicted(`${KYC_UPDATED} too`, 'twelve'),
    approving,
  ],
  ['event-history', 'that records no KYC', events(), unknown(HISTORY), approving],
  ['event-history', 'whose cardholder was approved earlier', events(), unknown(HISTORY), program],
  [
    'event-data',
    'with the record',
    events(),
    observed('the data of cardholder.created is the record', `${CREATE} 201`, `GET ${EVENTS}/evt_1 200`),
  ],
  [
    'event-data',
    'with the record and no envelope',
    events({ payload: record => record }),
    observed('the data of cardholder.created is the record'),
  ],
  [
    'event-data',
    'with another status',
    events({ payload: (record, type) => envelope({ ...record, kycStatus: 'none', email: '' }, type) }),
    contradicted('the data of cardholder.created is not the record: email, kycStatus differ'),
  ],
  [
    'event-data',
    'with more than the record',
    events({ payload: (record, type) => envelope({ ...record, more: 1 }, type) }),
    contradicted('the data of cardholder.created is not the record'),
  ],
  [
    'event-data',
    'without a share token, and with a card',
    events({ refusesCardholders: true }),
    observed('the data of card.issued is the record', `POST ${CARDS} 201`, `GET ${EVENTS}/evt_1 200`),
    program,
  ],
  [
    'event-data',
    'without a share token or a card',
    { ...events({ refusesCardholders: true }), [`POST ${CARDS}`]: refuse(409) },
    unknown(
      'a share token that the service accepts (422: no such token); pass --var shareTokens=…',
      `${CREATE} 422`,
    ),
    program,
  ],
  ['event-data', 'that records nothing', events({ list: () => page() }), unknown(RAISED, `${CREATE} 201`)],
  [
    'event-data',
    'that cannot be configured',
    { ...events(), [CHANGE]: refuse(403) },
    unknown('a webhook configuration without a URL', `${CHANGE} 403`),
  ],
  [
    'deliveries',
    'with the assumed rules',
    events(),
    observed(
      `without a URL a delivery event is failed with 0 attempts; ${QUIET} none`,
      ...[`GET ${EVENTS}/evt_1 200`, `${CREATE} 201`],
    ),
  ],
  [
    'deliveries',
    'whose events have no URL at all',
    events({ shown: { webhookUrl: undefined } }),
    observed(`without a URL a delivery event is failed with 0 attempts; ${QUIET} none`),
  ],
  [
    'deliveries',
    'that waits for a URL',
    events({ shown: { status: 'pending' } }),
    contradicted(`without a URL a delivery event is pending with 0 attempts; ${QUIET} none`),
  ],
  [
    'deliveries',
    'that counts attempts without a URL',
    events({ shown: { attemptCount: 1 } }),
    contradicted(`without a URL a delivery event is failed with 1 attempts; ${QUIET} none`),
  ],
  [
    'deliveries',
    'with a URL of its own',
    events({ shown: { webhookUrl: NOWHERE } }),
    contradicted(`without a URL a delivery event is failed with 0 attempts; ${QUIET} none`),
  ],
  [
    'deliveries',
    'that records without a subscription',
    events({ isDeaf: true }),
    contradicted(`without a URL a delivery event is failed with 0 attempts; ${QUIET} one`),
  ],
  [
    'manual-retry',
    'that reads the event',
    events(),
    observed(
      'a manual retry of a failed delivery event gets a 200 with the single-event read',
      `POST ${EVENTS}/evt_1/retry 200`,
    ),
  ],
  [
    'manual-retry',
    'that does not read it',
    events({ retry: reply(200, { ...DETAILS, payload: undefined }) }),
    contradicted('a manual retry of a failed delivery event gets a 200 without the single-event read'),
  ],
  [
    'manual-retry',
    'with a 202',
    events({ retry: reply(202, DETAILS) }),
    contradicted('a manual retry of a failed delivery event gets a 202 with the single-event read'),
  ],
  [
    'manual-retry',
    'whose events do not fail',
    events({ shown: { status: 'pending' } }),
    { verdict: 'unknown', text: 'a delivery event that has failed', shown: [] },
  ],
  [
    'retry-schedule',
    'that retries soon',
    attempts(1, 62),
    observed(DUE(1, 62), `${CREATE} 201`, `GET ${EVENTS}/evt_1 200`),
  ],
  ['retry-schedule', 'that retries late', attempts(1, 62.5), contradicted(DUE(1, 62.5))],
  ['retry-schedule', 'that has tried twice', attempts(2, 300), observed(DUE(2, 300))],
  ['retry-schedule', 'that retries at once', attempts(1, 0), contradicted(DUE(1, 0))],
  [
    'retry-schedule',
    'that does not retry',
    attempts(1, null),
    contradicted('after 1 attempts the next retry is not scheduled'),
  ],
  [
    'retry-schedule',
    'that does not try',
    attempts(0, 1),
    unknown('a delivery that fails, and a first attempt in time', `${CREATE} 201`),
  ],
  [
    'retry-schedule',
    'that refuses the URL',
    { ...events(), [CHANGE]: refuse(422) },
    unknown('a webhook URL that the service accepts', `${CHANGE} 422`),
  ],
];

test.each([...configuration, ...recording])('%s of a service %s', async (id, _, routes, report, options) => {
  const found = await probed(id, routes, { write: true, ...options });
  expect(found).toMatchObject(report);
  if (report.verdict === 'contradicted' && report.value === undefined) expect(found.value).toBeUndefined();
});

test('the webhook configuration is restored at the end, with its secret if it had one', async () => {
  const restored = async (before: Config) => {
    const bodies: unknown[] = [];
    const routes = config(({ body }) => {
      bodies.push(body);
      return undefined;
    }, before);
    await probed('patch-config', routes, { write: true });
    return bodies;
  };
  const before = {
    webhookUrl: 'https://a.example.com/',
    webhookSecret: 's1',
    subscribedEvents: ['card.issued'],
  };
  expect(await restored(before)).toEqual([
    { webhookUrl: NOWHERE, webhookSecret: 'a-secret-of-the-calibration', subscribedEvents: ['card.issued'] },
    { subscribedEvents: ['card.transaction'] },
    before,
  ]);
  expect((await restored({ subscribedEvents: [] })).at(-1)).toEqual({
    webhookUrl: null,
    subscribedEvents: [],
  });
});
