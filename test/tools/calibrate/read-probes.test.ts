import { expect, test } from 'vitest';
import {
  API_KEY,
  contradicted,
  observed,
  page,
  probed,
  type Report,
  type Routes,
  type Row,
  refuse,
  reply,
} from './other-service.ts';

const CARDS = '/partner/cards';
const PEOPLE = '/partner/cardholders';
const USAGE = '/partner/usage/records';
const EVENTS = '/partner/webhooks/events';
const TRANSACTIONS = '/partner/transactions';

const unknown = (text: string, ...shown: readonly string[]): Partial<Report> => ({
  verdict: 'unknown',
  text,
  shown,
});

/** Lists cards for the key of the partner, and answers any other with a status. */
const cardsFor = (others: number, keys: readonly string[] = [API_KEY]): Routes => ({
  [`GET ${CARDS}`]: ({ headers }) =>
    keys.includes(headers.get('x-service-api-key') ?? '') ? page() : refuse(others),
});
const LIMITS = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1800000000' };
/** Lists cards with a rate limit; `second` are the headers with a refused input, `third` with an unknown key. */
const limited = (
  second: Record<string, string>,
  third: Record<string, string> = {},
  first = LIMITS,
): Routes => ({
  [`GET ${CARDS}`]: ({ query, headers }) =>
    headers.get('x-service-api-key') !== API_KEY
      ? reply(401, {}, third)
      : query.page === '0'
        ? reply(400, {}, second)
        : reply(200, { data: [], total: 0 }, first),
});
const BLOCKED = 'a key whose IP allow-list does not contain this machine: --var blockedKey=…';
const PREVIOUS = 'the key before the last rotation, within its grace period: --var previousKey=…';
const RATE = (left: number, right: number) =>
  `3 of 3 headers with a refused input, 0 with a 401; ${left} requests left, then ${right}`;

const access: Row[] = [
  [
    'authentication',
    'that refuses all three',
    { ...cardsFor(401), 'GET /partner/no-such-operation': refuse(401) },
    observed(
      'without a key 401, with an unknown key 401, without a key on an unknown path 401',
      ...[`GET ${CARDS} 401`, `GET ${CARDS} 401`, 'GET /partner/no-such-operation 401'],
    ),
  ],
  [
    'authentication',
    'that does not know the path first',
    cardsFor(401),
    contradicted('without a key 401, with an unknown key 401, without a key on an unknown path 404'),
  ],
  ['ip-allow-list', 'without a blocked key', {}, unknown(BLOCKED)],
  [
    'ip-allow-list',
    'that blocks a key',
    cardsFor(403),
    observed('a caller that is not on the allow-list gets a 403', `GET ${CARDS} 403`),
    { variables: { blockedKey: 'sk_test_blocked' } },
  ],
  [
    'ip-allow-list',
    'that does not block the key',
    {},
    unknown(BLOCKED, `GET ${CARDS} 200`),
    { variables: { blockedKey: 'sk_test_blocked' } },
  ],
  [
    'allow-list-status',
    'with a 403',
    cardsFor(403),
    contradicted('a caller that is not on the allow-list gets a 403', 403, `GET ${CARDS} 403`),
    { variables: { blockedKey: 'sk_test_blocked' } },
  ],
  [
    'allow-list-status',
    'with a status that the sandbox cannot have',
    cardsFor(451),
    { verdict: 'contradicted', text: 'a caller that is not on the allow-list gets a 451' },
    { variables: { blockedKey: 'sk_test_blocked' } },
  ],
  [
    'cors',
    'that answers preflight requests',
    {
      [`OPTIONS ${CARDS}`]: ({ headers }) =>
        headers.get('origin') === 'https://card-sandbox-calibration.example.com' &&
        headers.get('access-control-request-method') === 'GET' &&
        headers.get('x-service-api-key') === null
          ? reply(204, null)
          : refuse(400),
    },
    observed('a preflight request without a key gets a 204', `OPTIONS ${CARDS} 204`),
  ],
  ['cors', 'without CORS', {}, contradicted('a preflight request without a key gets a 404')],
  [
    'rate-limit',
    'that counts each request',
    limited({ ...LIMITS, 'x-ratelimit-remaining': '8' }),
    observed(RATE(9, 8), `GET ${CARDS}?limit=1 200`, `GET ${CARDS}?page=0 400`, `GET ${CARDS} 401`),
  ],
  ['rate-limit', 'that does not count a refused one', limited(LIMITS), contradicted(RATE(9, 9))],
  [
    'rate-limit',
    'whose window has just ended',
    limited({ ...LIMITS, 'x-ratelimit-reset': '1800000060' }),
    observed(RATE(9, 9)),
  ],
  [
    'rate-limit',
    'without headers on a refused input',
    limited({ 'x-ratelimit-reset': '1800000000' }),
    contradicted('1 of 3 headers with a refused input, 0 with a 401; 9 requests left, then NaN'),
  ],
  [
    'rate-limit',
    'without one of the headers on a refused input, in a new window',
    limited({ 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1800000060' }),
    contradicted('2 of 3 headers with a refused input, 0 with a 401; 9 requests left, then 9'),
  ],
  [
    'rate-limit',
    'with headers for an unknown key',
    limited({ ...LIMITS, 'x-ratelimit-remaining': '8' }, { 'x-ratelimit-limit': '10' }),
    contradicted('3 of 3 headers with a refused input, 1 with a 401; 9 requests left, then 8'),
  ],
  [
    'rate-limit',
    'without one',
    {},
    unknown('a rate limit; its headers are missing', `GET ${CARDS}?limit=1 200`),
  ],
  ['key-rotation', 'without an earlier key', {}, unknown(PREVIOUS)],
  [
    'key-rotation',
    'that still accepts the earlier key',
    cardsFor(401, [API_KEY, 'sk_test_earlier']),
    observed('the previous key gets a 200', `GET ${CARDS} 200`),
    { variables: { previousKey: 'sk_test_earlier' } },
  ],
  [
    'key-rotation',
    'that has no grace period',
    cardsFor(401),
    contradicted('the previous key gets a 401'),
    { variables: { previousKey: 'sk_test_earlier' } },
  ],
];

const ID = 'card-sandbox-calibration-unknown';
const missing = (status: number, error: string): Routes => ({
  [`GET ${PEOPLE}/${ID}`]: refuse(status, error),
  [`GET ${EVENTS}/${ID}`]: refuse(404, error),
});
const QUERY_TEXT = 'page=0, limit=101, limit=ten, an unknown status and from=yesterday are refused';
/** Refuses the invalid queries with this message, except those of `accepted`. */
const picky = (message: (name: string) => string, accepted: readonly string[] = []): Routes => {
  const answer = (query: Readonly<Record<string, string>>, names: readonly string[]) => {
    const name = names.find(each => query[each] !== undefined && query[each] !== '1');
    return name === undefined || accepted.includes(`${name}=${query[name]}`)
      ? page()
      : refuse(422, message(name));
  };
  return {
    [`GET ${CARDS}`]: ({ query }) => answer(query, ['page', 'limit']),
    [`GET ${EVENTS}`]: ({ query }) => answer(query, ['status', 'from']),
  };
};

const input: Row[] = [
  [
    'unknown-id',
    'whose message names the id',
    missing(404, `there is no ${ID}`),
    observed(
      'reads of unknown ids get 404 and 404, and the message names the id',
      ...[`GET ${PEOPLE}/${ID} 404`, `GET ${EVENTS}/${ID} 404`],
    ),
  ],
  [
    'unknown-id',
    'whose message does not name the id',
    missing(404, 'not found'),
    contradicted('reads of unknown ids get 404 and 404, but the message does not name the id'),
  ],
  [
    'unknown-id',
    'with another status',
    missing(410, `there is no ${ID}`),
    contradicted('reads of unknown ids get 410 and 404, and the message names the id'),
  ],
  [
    'unknown-id',
    'with a structured body',
    {
      ...missing(404, ID),
      [`GET ${PEOPLE}/${ID}`]: reply(404, { success: false, error: { code: 'x', message: ID }, more: 1 }),
    },
    contradicted('reads of unknown ids get 404 and 404, and the message names the id'),
  ],
  [
    'unknown-operation',
    'that says so',
    { 'GET /partner/cardz': refuse(404, 'no such operation: GET /partner/cardz') },
    observed('an unknown path gets a 404: no such operation: GET /partner/cardz', 'GET /partner/cardz 404'),
  ],
  [
    'unknown-operation',
    'with another message',
    { 'GET /partner/cardz': refuse(404, 'there is no such operation') },
    contradicted('an unknown path gets a 404: there is no such operation'),
  ],
  [
    'unknown-operation',
    'with another status',
    { 'GET /partner/cardz': refuse(400, 'no such operation') },
    contradicted('an unknown path gets a 400: no such operation'),
  ],
  [
    'invalid-input',
    'that names the field',
    picky(name => `bad ${name}`),
    observed(
      `${QUERY_TEXT}, and the messages name the field`,
      ...[`GET ${CARDS}?page=0 422`, `GET ${CARDS}?limit=101 422`, `GET ${CARDS}?limit=ten 422`],
      ...[`GET ${EVENTS}?status=${ID} 422`, `GET ${EVENTS}?from=yesterday 422`],
    ),
  ],
  [
    'invalid-input',
    'that names no field in one message',
    picky(name => (name === 'status' ? 'bad' : `bad ${name}`)),
    contradicted(`${QUERY_TEXT}, but the messages do not name the field`),
  ],
  [
    'invalid-input',
    'that accepts some',
    picky(name => `bad ${name}`, ['limit=101', 'from=yesterday']),
    contradicted('2 of 5 invalid queries are not refused as input'),
  ],
  [
    'unknown-members',
    'that ignores a parameter',
    { [`GET ${CARDS}`]: page({}) },
    observed('an unknown query parameter gets a 200', `GET ${CARDS}?cardSandboxCalibration=unknown 200`),
  ],
  [
    'unknown-members',
    'that refuses a parameter',
    {
      [`GET ${CARDS}`]: ({ query }) => (query.cardSandboxCalibration === undefined ? page({}) : refuse(400)),
    },
    contradicted('an unknown query parameter gets a 400'),
  ],
  [
    'unknown-members',
    'that filters by a parameter',
    { [`GET ${CARDS}`]: ({ query }) => (query.cardSandboxCalibration === undefined ? page({}) : page()) },
    contradicted('an unknown query parameter gets a 200'),
  ],
  [
    'timestamps',
    'that accepts them all',
    { [`GET ${EVENTS}`]: page() },
    observed(
      'of a date, a timestamp without and one with a time zone, 0 are refused',
      `GET ${EVENTS}?from=2020-02-29&limit=1 200`,
      `GET ${EVENTS}?from=2020-02-29T10%3A00%3A00&limit=1 200`,
      `GET ${EVENTS}?from=2020-02-29T10%3A00%3A00.5%2B01%3A00&limit=1 200`,
    ),
  ],
  [
    'timestamps',
    'that accepts no date',
    { [`GET ${EVENTS}`]: ({ query }) => (query.from?.includes('T') ? page() : refuse(400)) },
    contradicted('of a date, a timestamp without and one with a time zone, 1 are refused'),
  ],
  [
    'identifiers',
    'with the assumed prefixes',
    {
      [`GET ${CARDS}`]: page({ id: 'card_1' }),
      [`GET ${USAGE}`]: page({ id: 'use_1' }),
      [`GET ${EVENTS}`]: page({ id: 'evt_1' }, { id: 'evt_2' }),
    },
    observed(
      'ids have the prefixes of their kinds',
      ...[`GET ${CARDS}?limit=5 200`, `GET ${USAGE}?limit=5 200`, `GET ${EVENTS}?limit=5 200`],
    ),
  ],
  [
    'identifiers',
    'with another prefix',
    { [`GET ${EVENTS}`]: page({ id: 'evt_1' }, { id: 'event_2' }) },
    contradicted('there is an id event_2'),
  ],
  [
    'identifiers',
    'without records',
    {},
    unknown(
      'a card, a usage record or a delivery event',
      ...[`GET ${CARDS}?limit=5 200`, `GET ${USAGE}?limit=5 404`, `GET ${EVENTS}?limit=5 404`],
    ),
  ],
  [
    'address-fields',
    'that returns no address',
    { [`GET ${PEOPLE}`]: page({ id: 'ch_1' }) },
    observed('no read returns the address', `GET ${PEOPLE}?limit=1 200`),
  ],
  [
    'address-fields',
    'that returns the address',
    { [`GET ${PEOPLE}`]: page({ id: 'ch_1', residenceCity: 'x', PostalCode: 'y', address: {} }) },
    contradicted('reads return residenceCity, PostalCode, address'),
  ],
  [
    'address-fields',
    'without cardholders',
    { [`GET ${PEOPLE}`]: page() },
    unknown('a cardholder', `GET ${PEOPLE}?limit=1 200`),
  ],
];

const at = (day: number) => ({ createdAt: `2026-03-0${day}T00:00:00Z` });
const PROGRAM = Object.fromEntries(
  ['id', 'name', 'type', 'brand', 'currency', 'status', 'createdAt'].map(name => [name, 'p1']),
);
const FEES = { card_issuance: 1, transaction_processing: 1, kyc_verification: 1 };
const spent = (sales: number, cash: number) => ({
  spendControl: { spent: { sales: { perTransaction: sales }, cash: { perTransaction: cash } } },
});
const CARD = { type: 'virtual', brand: 'visa', ...spent(0, 0) };
const USE = { createdAt: '2026-03-01T00:00:00Z', billingPeriod: '2026-03' };
const BALANCE = Object.fromEntries(
  ['available', 'held', 'currency', 'lowThreshold', 'alertThreshold', 'updatedAt'].map(name => [name, 0]),
);

const lists: Row[] = [
  [
    'list-order',
    'with the newest first',
    { [`GET ${CARDS}`]: page(at(3), at(1)), [`GET ${USAGE}`]: page(at(2), {}, at(1), { createdAt: 'x' }) },
    observed(`GET ${CARDS} is newest first, GET ${USAGE} is newest first`, `GET ${CARDS}?limit=100 200`),
  ],
  [
    'list-order',
    'with the oldest first',
    { [`GET ${CARDS}`]: page(at(3), at(3)), [`GET ${TRANSACTIONS}`]: page(at(1), at(2)) },
    contradicted(`GET ${TRANSACTIONS} is oldest first`, 'oldest', `GET ${TRANSACTIONS}?limit=100 200`),
  ],
  [
    'list-order',
    'whose lists differ',
    { [`GET ${PEOPLE}`]: page(at(3), at(1)), [`GET ${EVENTS}`]: page(at(1), at(2)) },
    contradicted(
      `GET ${PEOPLE} is newest first, GET ${EVENTS} is oldest first`,
      null,
      ...[`GET ${PEOPLE}?limit=100 200`, `GET ${EVENTS}?limit=100 200`],
    ),
  ],
  [
    'list-order',
    'without two records',
    { [`GET ${CARDS}`]: page(at(1)) },
    unknown('a list with two records that were created at different times'),
  ],
  [
    'invalid-input-status',
    'with a 422',
    picky(name => name),
    contradicted('page=0 gets a 422', 422, `GET ${CARDS}?page=0 422`),
  ],
  [
    'invalid-input-status',
    'with a 400',
    { [`GET ${CARDS}`]: ({ query }) => (query.page === '0' ? refuse(400) : page()) },
    observed('page=0 gets a 400'),
  ],
  [
    'invalid-input-status',
    'that accepts page=0',
    {},
    unknown('a request that the service refuses as input', `GET ${CARDS}?page=0 200`),
  ],
  [
    'card-programs',
    'with the assumed fields',
    {
      'GET /partner/card-programs': page(PROGRAM),
      'GET /partner/card-programs/p1': reply(200, { ...PROGRAM, fees: FEES }),
    },
    observed(
      'a card program has the assumed fields',
      ...['GET /partner/card-programs?limit=100 200', 'GET /partner/card-programs/p1 200'],
    ),
  ],
  [
    'card-programs',
    'without some fields and fees',
    {
      'GET /partner/card-programs': page(PROGRAM),
      'GET /partner/card-programs/p1': reply(200, {
        ...PROGRAM,
        name: undefined,
        fees: { card_issuance: 1 },
      }),
    },
    contradicted('a card program has no name, transaction_processing, kyc_verification'),
  ],
  [
    'card-programs',
    'without a read',
    {
      'GET /partner/card-programs': page(PROGRAM),
      'GET /partner/card-programs/p1': reply(203, { ...PROGRAM, fees: FEES }),
    },
    contradicted('a card program has the assumed fields'),
  ],
  ['card-programs', 'without a list', {}, contradicted('GET /partner/card-programs gets a 404')],
  [
    'card-programs',
    'without programs',
    { 'GET /partner/card-programs': page() },
    unknown('a card program', 'GET /partner/card-programs?limit=100 200'),
  ],
  [
    'card-values',
    'with the assumed values',
    { [`GET ${CARDS}`]: page(CARD, { ...CARD, type: 'physical', brand: 'mastercard' }) },
    observed(
      '2 cards have an assumed type and brand; spent.*.perTransaction is always 0',
      `GET ${CARDS}?limit=100 200`,
    ),
  ],
  [
    'card-values',
    'with another type',
    { [`GET ${CARDS}`]: page(CARD, { ...CARD, type: 'metal' }) },
    contradicted('there is a card with type metal and brand visa'),
  ],
  [
    'card-values',
    'with another brand',
    { [`GET ${CARDS}`]: page({ ...CARD, brand: 'amex' }) },
    contradicted('there is a card with type virtual and brand amex'),
  ],
  ...[spent(5, 0), spent(0, 5)].map(
    (spending): Row => [
      'card-values',
      'with a spent amount per transaction',
      { [`GET ${CARDS}`]: page(CARD, { ...CARD, ...spending }) },
      contradicted('2 cards have an assumed type and brand; spent.*.perTransaction is not always 0'),
    ],
  ),
  ['card-values', 'without cards', {}, unknown('a card', `GET ${CARDS}?limit=100 200`)],
  [
    'usage',
    'with the month of createdAt',
    {
      [`GET ${USAGE}`]: page(USE, { ...USE, type: 'kyc_verification', referenceId: 'ch_1' }),
      [`GET ${PEOPLE}/ch_1`]: reply(200),
    },
    observed(
      '0 of 2 usage records have another billing period than the month of createdAt; a kyc_verification record refers to a cardholder',
      ...[`GET ${USAGE}?limit=100 200`, `GET ${PEOPLE}/ch_1 200`],
    ),
  ],
  [
    'usage',
    'whose records do not refer to cardholders',
    { [`GET ${USAGE}`]: page(USE, { ...USE, type: 'kyc_verification', referenceId: 'ch_1' }) },
    contradicted(
      '0 of 2 usage records have another billing period than the month of createdAt; a kyc_verification record does not refer to a cardholder',
    ),
  ],
  [
    'usage',
    'with another billing period',
    {
      [`GET ${USAGE}`]: page({ ...USE, billingPeriod: '2026-04' }, USE, { ...USE, billingPeriod: '2026-02' }),
    },
    contradicted(
      '2 of 3 usage records have another billing period than the month of createdAt; a kyc_verification record refers to a cardholder',
      null,
      `GET ${USAGE}?limit=100 200`,
    ),
  ],
  [
    'usage',
    'without records',
    { [`GET ${USAGE}`]: page() },
    unknown('a usage record', `GET ${USAGE}?limit=100 200`),
  ],
  [
    'balance',
    'with the assumed fields',
    { 'GET /partner/balance': reply(200, BALANCE) },
    observed('the balance has the assumed fields', 'GET /partner/balance 200'),
  ],
  [
    'balance',
    'without some fields',
    { 'GET /partner/balance': reply(200, { available: 1, currency: 'EUR', updatedAt: 'x' }) },
    contradicted('the balance has no held, lowThreshold, alertThreshold'),
  ],
  [
    'balance',
    'without a balance',
    { 'GET /partner/balance': reply(501, BALANCE) },
    contradicted('GET /partner/balance gets a 501'),
  ],
];

const TRANSACTION = Object.fromEntries(
  'id cardId cardholderId type status amount settledAmount currency merchant declineReason declineDetail reversalReason createdAt updatedAt'
    .split(' ')
    .map(name => [name, 't1']),
);
const transactions = (...data: readonly unknown[]): Routes => ({ [`GET ${TRANSACTIONS}`]: page(...data) });
const TRANSACTION_LIST = `GET ${TRANSACTIONS}?limit=100 200`;
const MERCHANT = { name: 'x', mcc: '1', city: 'y', country: 'DE' };
/** A card with this amount spent, and its transactions. */
const spending = (allTime: unknown, own: readonly unknown[], total = own.length): Routes => ({
  [`GET ${CARDS}`]: page({ id: 'c0' }, { id: 'c1', spendControl: { spent: { sales: { allTime } } } }),
  [`GET ${TRANSACTIONS}`]: ({ query }) =>
    query.cardId === undefined
      ? page({ cardId: 'c0', status: 'declined' }, { cardId: 'c1', status: 'settled' })
      : query.cardId === 'c1' && query.limit === '100'
        ? reply(200, { data: own, total })
        : page(),
});
const SALES = [
  { type: 'sale', status: 'authorized', amount: 10.1, settledAmount: null },
  { type: 'sale', status: 'settled', amount: 5, settledAmount: 6.2 },
  { type: 'sale', status: 'reversed', amount: 7, settledAmount: 7 },
  { type: 'cash', status: 'settled', amount: 9, settledAmount: 9 },
];
/** A transaction whose authorization expired after this time. */
const expired = (ms: number): Routes =>
  transactions(
    { reversalReason: 'merchant' },
    {
      reversalReason: 'expired',
      createdAt: '2026-03-01T00:00:00.000Z',
      updatedAt: new Date(Date.parse('2026-03-01T00:00:00.000Z') + ms).toISOString(),
    },
  );
const TTL = 'a transaction whose authorization has expired (reversalReason expired)';

const transactionRows: Row[] = [
  [
    'transactions',
    'with the assumed fields',
    {
      [`GET ${TRANSACTIONS}`]: ({ query }) =>
        query.cardId === 'card-sandbox-calibration' ? page() : page(TRANSACTION),
      [`GET ${TRANSACTIONS}/t1`]: reply(200, TRANSACTION),
    },
    observed(
      'a transaction has the assumed fields; the list filters by cardId',
      ...[
        TRANSACTION_LIST,
        `GET ${TRANSACTIONS}/t1 200`,
        `GET ${TRANSACTIONS}?cardId=card-sandbox-calibration 200`,
      ],
    ),
  ],
  [
    'transactions',
    'without the filter',
    { ...transactions(TRANSACTION), [`GET ${TRANSACTIONS}/t1`]: reply(200, TRANSACTION) },
    contradicted('a transaction has the assumed fields; the list does not filter by cardId'),
  ],
  [
    'transactions',
    'without a field',
    {
      [`GET ${TRANSACTIONS}`]: ({ query }) => (query.cardId === undefined ? page(TRANSACTION) : page()),
      [`GET ${TRANSACTIONS}/t1`]: reply(200, { ...TRANSACTION, merchant: undefined }),
    },
    contradicted('a transaction has no merchant; the list filters by cardId'),
  ],
  [
    'transactions',
    'without a list',
    {},
    contradicted(`GET ${TRANSACTIONS} gets a 404`, null, `GET ${TRANSACTIONS}?limit=100 404`),
  ],
  ['transactions', 'without transactions', transactions(), unknown('a transaction', TRANSACTION_LIST)],
  [
    'merchants',
    'with the assumed fields',
    transactions({ merchant: MERCHANT }),
    observed('a merchant has the assumed fields', TRANSACTION_LIST),
  ],
  [
    'merchants',
    'without a city',
    transactions({ merchant: { ...MERCHANT, city: undefined } }),
    contradicted('a merchant has no city'),
  ],
  ['merchants', 'without transactions', transactions(), unknown('a transaction', TRANSACTION_LIST)],
  [
    'decline-reasons',
    'with assumed reasons',
    transactions(
      { status: 'settled', declineReason: 'odd' },
      { status: 'declined', declineReason: 'card_frozen' },
      { status: 'declined', declineReason: 'do_not_honor' },
    ),
    observed('2 declined transactions have an assumed reason', TRANSACTION_LIST),
  ],
  [
    'decline-reasons',
    'with another reason',
    transactions(
      { status: 'declined', declineReason: 'card_frozen' },
      { status: 'declined', declineReason: 'odd' },
    ),
    contradicted('there is a declined transaction with the reason odd'),
  ],
  [
    'decline-reasons',
    'without a declined one',
    transactions({ status: 'settled' }),
    unknown('a declined transaction', TRANSACTION_LIST),
  ],
  [
    'transaction-moves',
    'with the assumed states',
    transactions(...['authorized', 'declined', 'reversed'].map(status => ({ status })), {
      status: 'settled',
      settledAmount: 1,
    }),
    observed(
      'all transactions are in assumed states; 0 of 1 settled ones have no settledAmount',
      TRANSACTION_LIST,
    ),
  ],
  [
    'transaction-moves',
    'without an amount that was settled',
    transactions({ status: 'settled', settledAmount: 1 }, { status: 'settled', settledAmount: null }),
    contradicted('all transactions are in assumed states; 1 of 2 settled ones have no settledAmount'),
  ],
  [
    'transaction-moves',
    'with another state',
    transactions({ status: 'settled', settledAmount: 1 }, { status: 'disputed' }),
    contradicted('there is a transaction with the status disputed'),
  ],
  [
    'transaction-moves',
    'without a settled one',
    transactions({ status: 'disputed' }),
    unknown('a settled transaction', TRANSACTION_LIST),
  ],
  [
    'spend-windows',
    'whose sales add up',
    spending(16.3, SALES),
    observed(
      'the sales of a card count 16.3, and spent.sales.allTime is 16.3',
      ...[`GET ${CARDS}?limit=100 200`, `GET ${TRANSACTIONS}?cardId=c1&limit=100 200`],
    ),
  ],
  [
    'spend-windows',
    'whose sales do not add up',
    spending(25.3, SALES),
    contradicted('the sales of a card count 16.3, and spent.sales.allTime is 25.3'),
  ],
  [
    'spend-windows',
    'with more transactions than a page has',
    spending(16.3, SALES, 101),
    unknown('a card with at most 100 transactions', `GET ${TRANSACTIONS}?cardId=c1&limit=100 200`),
  ],
  [
    'spend-windows',
    'with exactly a page of transactions',
    spending(16.3, SALES, 100),
    { verdict: 'observed' },
  ],
  [
    'spend-windows',
    'whose cards have only declined transactions',
    { ...transactions({ cardId: 'c0', status: 'declined' }), [`GET ${CARDS}`]: page({ id: 'c0' }) },
    unknown('a card with a transaction', `GET ${CARDS}?limit=100 200`),
  ],
  ...(
    [
      [7 * 86_400_000, '7d'],
      [36 * 3_600_000, '36h'],
      [90 * 60_000 + 400, '90m'],
      [61_000, '61s'],
      [10_000, '10s'],
      [9_999, '9999ms'],
      [2_000, '2s'],
    ] as const
  ).map(
    ([ms, text]): Row => [
      'authorization-ttl',
      `whose authorizations expire after ${text}`,
      expired(ms),
      text === '7d'
        ? observed('an authorization expired after 7d', TRANSACTION_LIST)
        : contradicted(`an authorization expired after ${text}`, text),
    ],
  ),
  [
    'authorization-ttl',
    'whose authorizations never expire',
    transactions(
      { status: 'settled', createdAt: '2024-01-01T00:00:00Z' },
      { status: 'authorized', createdAt: '2025-03-09T00:00:00Z' },
      { status: 'settled', createdAt: '2026-03-11T00:00:00Z' },
    ),
    contradicted('a transaction is authorized since 2025-03-09T00:00:00Z', 'never', TRANSACTION_LIST),
  ],
  [
    'authorization-ttl',
    'with an authorization of a year and a day',
    transactions(
      { status: 'authorized', createdAt: '2025-03-10T00:00:00Z' },
      { status: 'settled', createdAt: '2026-03-11T00:00:00Z' },
    ),
    unknown(TTL, TRANSACTION_LIST),
  ],
];

/** Delivery events of authorized transactions, each as [id of the transaction, amount, day, status]. */
const amounts = (...events: readonly (readonly [string, number, number, string?])[]): Routes => ({
  [`GET ${EVENTS}`]: ({ query }) =>
    query.eventType === 'card.transaction' && query.limit === '30'
      ? page(...events.map(([, , day], index) => ({ id: `e${index}`, ...at(day) })))
      : page(),
  ...Object.fromEntries(
    events.map(([id, amount, , status = 'authorized'], index) => [
      `GET ${EVENTS}/e${index}`,
      reply(200, { payload: JSON.stringify({ data: { id, amount, status } }) }),
    ]),
  ),
});
const topUp = (payload: string): Routes => ({
  [`GET ${EVENTS}`]: ({ query }) =>
    query.eventType === 'balance.top_up' && query.limit === '1' ? page({ id: 'e1' }) : page(),
  [`GET ${EVENTS}/e1`]: reply(200, { payload }),
});
const RAISED = 'the delivery events of a transaction whose authorized amount was raised';

const history: Row[] = [
  [
    'authorization-expiry',
    'with the assumed reasons',
    transactions(
      { status: 'reversed', reversalReason: 'merchant' },
      { status: 'reversed', reversalReason: 'expired' },
      { status: 'reversed', reversalReason: 'merchant' },
      { status: 'settled', reversalReason: 'odd' },
    ),
    observed('reversed transactions have the reversalReason merchant, expired', TRANSACTION_LIST),
  ],
  [
    'authorization-expiry',
    'with another reason',
    transactions(
      { status: 'reversed', reversalReason: 'expired' },
      { status: 'reversed', reversalReason: 'odd' },
    ),
    contradicted('reversed transactions have the reversalReason expired, odd'),
  ],
  [
    'authorization-expiry',
    'without a reversal',
    transactions({ status: 'settled' }),
    unknown('a reversed transaction', TRANSACTION_LIST),
  ],
  [
    'over-settlement',
    'that settles more',
    transactions(
      { status: 'settled', amount: 9, settledAmount: 9 },
      { status: 'settled', amount: 9, settledAmount: 10 },
    ),
    observed('a transaction of 9 is settled with 10', TRANSACTION_LIST),
  ],
  [
    'over-settlement',
    'with another state',
    transactions({ status: 'disputed', amount: 9, settledAmount: 10 }),
    contradicted('a transaction of 9 is settled with 10'),
  ],
  [
    'over-settlement',
    'that settles what was authorized',
    transactions({ status: 'settled', amount: 9, settledAmount: 9 }),
    unknown('a transaction that was settled for more than it was authorized for', TRANSACTION_LIST),
  ],
  [
    'increments',
    'that raised an amount, by the times of the events',
    amounts(['t2', 1, 4], ['t1', 15, 3], ['t1', 10, 2], ['t3', 99, 1]),
    observed(
      'the amount of an authorized transaction changes from 10 to 15',
      `GET ${EVENTS}/e2 200`,
      `GET ${EVENTS}/e1 200`,
    ),
  ],
  ['increments', 'that lowered an amount', amounts(['t1', 5, 3], ['t1', 10, 2]), unknown(RAISED)],
  ['increments', 'that repeated an amount', amounts(['t1', 10, 3], ['t1', 10, 2]), unknown(RAISED)],
  ['increments', 'that settled more', amounts(['t1', 15, 3, 'settled'], ['t1', 10, 2]), unknown(RAISED)],
  [
    'partial-reversals',
    'that lowered an amount',
    amounts(['t1', 5, 3], ['t1', 10, 2]),
    observed('the amount of an authorized transaction changes from 10 to 5'),
  ],
  [
    'partial-reversals',
    'that repeated an amount',
    amounts(['t1', 10, 3], ['t1', 10, 2]),
    unknown('the delivery events of a transaction that was partly reversed'),
  ],
  [
    'balance-events',
    'with the balance',
    topUp('{"data":{"available":1,"held":0,"currency":"EUR"}}'),
    observed('balance.top_up holds the balance', `GET ${EVENTS}/e1 200`),
  ],
  [
    'balance-events',
    'with the balance and no envelope',
    topUp('{"available":1,"held":0,"currency":"EUR"}'),
    observed('balance.top_up holds the balance'),
  ],
  ...['{"data":{"available":1,"held":0}}', 'no JSON', '[1]'].map(
    (payload): Row => [
      'balance-events',
      `with ${payload}`,
      topUp(payload),
      contradicted('balance.top_up does not hold the balance'),
    ],
  ),
  [
    'balance-events',
    'without an event',
    { [`GET ${EVENTS}`]: page() },
    unknown(
      'a delivery event of the type balance.top_up',
      `GET ${EVENTS}?eventType=balance.top_up&limit=1 200`,
    ),
  ],
];

test.each([...access, ...input, ...lists, ...transactionRows, ...history])(
  '%s of a service %s',
  async (id, _, routes, report, options) => {
    const found = await probed(id, routes, options);
    expect(found).toMatchObject(report);
    if (report.verdict === 'contradicted') expect(found.value).toEqual(report.value);
  },
);
