import { expect, test } from 'vitest';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import type { Stage } from '../../../src/tools/scenarios/play/stage.ts';
import { isFullRun, PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';

/** A response of the API that a server alters. */
interface Answer {
  status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a planted difference changes members of any shape
  body: any;
}

type Alter = (answer: Answer, call: string) => void;

/** Alters the successful responses to calls whose method and path match. */
const on =
  (pattern: RegExp, change: (answer: Answer) => void, status = 0): Alter =>
  (answer, call) => {
    const isMeant = status === 0 ? answer.status < 400 : answer.status === status;
    if (isMeant && pattern.test(call)) change(answer);
  };

/** Alters every record of the successful responses to calls of a list. */
const eachOf = (pattern: RegExp, change: (record: Answer['body']) => void): Alter =>
  on(pattern, ({ body }) => {
    for (const record of body.data) change(record);
  });

const LIST = /^GET \/v1\/partner\/(cards|usage\/records|webhooks\/events)(\?|$)/;
const CARDS = /^GET \/v1\/partner\/cards(\?|$)/;
const USAGE = /^GET \/v1\/partner\/usage\/records/;
const CARDHOLDER = /^(POST|GET) \/v1\/partner\/cardholders(\/ch_\w+)?$/;
const CREATE = /^POST \/v1\/partner\/cardholders$/;
const EVENT = /^GET \/v1\/partner\/webhooks\/events\/evt_\w+$/;
const EVENTS = /^GET \/v1\/partner\/webhooks\/events(\?|$)/;
const CONFIG = /^GET \/v1\/partner\/webhooks\/config$/;
const REVEAL = /reveal-html$/;
const KYC = /\/kyc$/;
const ANY = /./;
const EMPTY = { data: [], total: 0, page: 1, limit: 20 };

/** What a server does differently, and how. */
const PLANTED: Readonly<Record<string, Alter>> = {
  'limit is a text': on(LIST, ({ body }) => (body.limit = String(body.limit))),
  'page is a text': on(LIST, ({ body }) => (body.page = String(body.page))),
  'total is missing': on(LIST, ({ body }) => delete body.total),
  'a list is bare': on(LIST, answer => (answer.body = answer.body.data)),
  'limit is ignored': on(LIST, ({ body }) => (body.limit = 50)),
  'pages are counted from 0': on(LIST, ({ body }) => (body.page -= 1)),
  'cards come oldest first': on(CARDS, ({ body }) =>
    body.data.unshift({ ...body.data.pop(), id: 'card_old' }),
  ),
  'usage comes oldest first': on(USAGE, ({ body }) => body.data.reverse()),
  'a list of cards is empty': on(CARDS, answer => (answer.body = { ...EMPTY, limit: answer.body.limit })),
  'phoneNumber is missing': on(CARDHOLDER, ({ body }) => delete body.phoneNumber),
  'phoneNumber is a number': on(CARDHOLDER, ({ body }) => (body.phoneNumber = 33612345678)),
  'createdAt is in seconds': on(CARDHOLDER, ({ body }) => (body.createdAt = 1773568800)),
  'createdAt is no ISO timestamp': on(CARDHOLDER, ({ body }) => (body.createdAt = '15/03/2026')),
  'lastName is null': on(CARDHOLDER, ({ body }) => (body.lastName = null)),
  'kycStatus is in capitals': on(CREATE, ({ body }) => (body.kycStatus = 'PENDING')),
  'a cardholder has an extra status': on(CARDHOLDER, ({ body }) => (body.status = 'onboarding')),
  'kycSource is another': on(CARDHOLDER, ({ body }) => (body.kycSource = 'bank')),
  'a new cardholder is 200': on(CREATE, answer => (answer.status = 200), 201),
  'a re-import is 201': on(CREATE, answer => (answer.status = 201), 200),
  'the id of a cardholder is a number': on(CARDHOLDER, ({ body }) => (body.id = 17)),
  'KYC returns an extra status': on(KYC, ({ body }) => (body.status = 'queued')),
  'KYC returns no cardProgramId': on(KYC, ({ body }) => delete body.cardProgramId),
  'a card has an extra status': eachOf(CARDS, card => (card.status = 'blocked')),
  'the limit of a card is a text': eachOf(CARDS, card => (card.limit = '100')),
  'last4 is a number': eachOf(CARDS, card => (card.last4 = 1234)),
  'a window of spendControl is missing': eachOf(CARDS, card => delete card.spendControl.cash.allTime),
  'spent is missing': eachOf(CARDS, card => delete card.spendControl.spent),
  'accessUrl is a path': on(REVEAL, ({ body }) => (body.accessUrl = new URL(body.accessUrl).pathname)),
  'accessUrl has another name': on(REVEAL, answer => (answer.body = { url: answer.body.accessUrl })),
  'the amount of usage is a text': eachOf(USAGE, record => (record.amount = '0.10')),
  'billingPeriod has a slash': eachOf(USAGE, record => (record.billingPeriod = '2026/03')),
  'usage has an extra type': eachOf(USAGE, record => (record.type = 'fx')),
  'subscribedEvents is a text': on(
    CONFIG,
    ({ body }) => (body.subscribedEvents = body.subscribedEvents.join()),
  ),
  'webhookSecret is missing': on(CONFIG, ({ body }) => delete body.webhookSecret),
  'attemptCount is a text': eachOf(EVENTS, event => (event.attemptCount = '1')),
  'nextRetryAt is missing': eachOf(EVENTS, event => delete event.nextRetryAt),
  'payload is an object': on(EVENT, ({ body }) => (body.payload = JSON.parse(body.payload))),
  'webhookUrl of an event is missing': on(EVENT, ({ body }) => delete body.webhookUrl),
  'an error is an object': on(ANY, ({ body }) => (body.error = { message: String(body.error) }), 404),
  'success is missing': on(ANY, ({ body }) => delete body.success, 400),
  'invalid input is 422': on(ANY, answer => (answer.status = 422), 400),
  'a wrong key is 403': on(ANY, answer => (answer.status = 403), 401),
  'a conflict has no code': on(ANY, ({ body }) => delete body.error.code, 409),
  'a conflict has no cardholder': on(
    ANY,
    ({ body }) => {
      delete body.error.cardholderId;
      delete body.error.existingCardholderId;
    },
    409,
  ),
  'a lock gives another reason': on(
    ANY,
    ({ body }) => {
      if ('reason' in body.error) body.error.reason = 'locked';
    },
    409,
  ),
  'Retry-After is missing': on(ANY, ({ headers }) => headers.delete('retry-after'), 429),
  'X-RateLimit-Reset is missing': answer => answer.headers.delete('x-ratelimit-reset'),
  'X-RateLimit-Reset is in milliseconds': ({ headers }) => {
    if (headers.has('x-ratelimit-reset'))
      headers.set('x-ratelimit-reset', `${headers.get('x-ratelimit-reset')}000`);
  },
  'JSON is sent as text/html': answer => answer.headers.set('content-type', 'text/html'),
};

/** A `fetch` like that of a server that alters the responses of the API. */
function altered(alter: Alter): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { pathname, search } = new URL(String(input));
    if (!pathname.startsWith('/v1')) return response;
    const answer: Answer = {
      status: response.status,
      headers: new Headers(response.headers),
      body: await response.json(),
    };
    alter(answer, `${init?.method} ${pathname}${search}`);
    return new Response(JSON.stringify(answer.body), answer);
  };
}

/** A clock on which waiting takes no time, so that a step does not wait for what never comes. */
function quickClock(): Stage['wallClock'] {
  let now = 0;
  return {
    async sleep(ms) {
      now += ms;
      await new Promise<void>(setImmediate);
    },
    elapsed: () => now,
  };
}

/** What the built-in scenarios leave out, much of it done by the control plane. */
const OTHERS = 'test/support/scenarios/other-conditions.yaml';

/** Returns whether a scenario reports a difference. */
async function isFound(alter: Alter, hasControl: boolean): Promise<boolean> {
  for (const name of [...scenarioNames(), ...(hasControl ? [OTHERS] : [])]) {
    const options = hasControl ? {} : ({ freeze: false, kycDelay: '0s' } as const);
    const { origin } = await startSandbox({ retrySpeed: 1, allowHttpWebhooks: true, ...options });
    const inbox = hasControl ? {} : { inbox: 'the server cannot reach this machine' };
    const stage = await createStage(origin, { fetch: altered(alter), hasControl, ...inbox });
    const scenario = readScenario(name);
    const report = await playToEnd(scenario, { ...stage, wallClock: quickClock() });
    if (report.failed > 0) return true;
  }
  return false;
}

/** Each of them in the full proof, and every tenth in the short one. */
const TRIED = Object.entries(PLANTED).filter((_, index) => isFullRun || index % 10 === 0);

async function missed(hasControl: boolean): Promise<string[]> {
  const names: string[] = [];
  for (const [name, alter] of TRIED) if (!(await isFound(alter, hasControl))) names.push(name);
  return names;
}

/** What a server without a control plane and webhooks does not show: there it has no card that was used. */
const HIDDEN = [
  'limit is a text',
  'page is a text',
  'total is missing',
  'a list is bare',
  'limit is ignored',
  'pages are counted from 0',
  'a card has an extra status',
  'the limit of a card is a text',
  'last4 is a number',
  'a window of spendControl is missing',
  'spent is missing',
  'the amount of usage is a text',
  'billingPeriod has a slash',
  'usage has an extra type',
  'subscribedEvents is a text',
  'webhookSecret is missing',
  'cards come oldest first',
  'usage comes oldest first',
  'a list of cards is empty',
  'attemptCount is a text',
  'nextRetryAt is missing',
  'payload is an object',
  'webhookUrl of an event is missing',
  'Retry-After is missing',
];

test(
  'the scenarios find no difference in an unaltered server',
  async () => {
    for (const hasControl of [true, false]) expect(await isFound(() => undefined, hasControl)).toBe(false);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'the scenarios find every planted difference',
  async context => {
    expect(Object.keys(PLANTED).length).toBeGreaterThanOrEqual(40);
    expect(await missed(true)).toEqual([]);
    recordResult(context, `${TRIED.length} differences, all found`);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'without a control plane and webhooks they miss only what such a server does not show',
  async context => {
    expect(await missed(false)).toEqual(TRIED.map(([name]) => name).filter(name => HIDDEN.includes(name)));
    recordResult(context, `${TRIED.length} differences, ${HIDDEN.length} not shown`);
  },
  PROOF_TIMEOUT_MS,
);
