import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ACME_KEY, type Json, startSandbox } from '../../support/sandbox.ts';

const CLOCK = '2026-03-01T12:00:00.000Z';

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** The scenario of a history of these requests of one partner. */
async function recorded(...requests: SentRequest[]): Promise<Json> {
  const sandbox = await startSandbox({ fixtures: ['starter'], clock: CLOCK, freeze: true });
  for (const { method, path, body, headers } of requests) {
    const key = { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json' };
    const options = { method, headers: { ...key, ...headers }, ...(body !== undefined && { body }) };
    await fetch(sandbox.origin + path, options).catch(() => undefined);
  }
  return parse(await (await fetch(`${sandbox.origin}/_sandbox/history/export?format=scenario`)).text());
}

/** The only step of a history of one request. */
async function stepOf(request: SentRequest): Promise<Json> {
  const { steps } = await recorded(request);
  expect(steps).toHaveLength(1);
  return steps[0];
}

test('a world without requests has a scenario that says so, without a partner and variables', async () => {
  expect(await recorded()).toEqual({
    name: 'A recorded history',
    description: '0 requests to the world main. Play it on a sandbox with the same start.',
    recording: true,
    steps: [{ say: 'Nothing has happened' }],
  });
});

test('a step has the request, its moment, its status and the body of its answer', async () => {
  expect(await stepOf({ method: 'GET', path: '/v1/partner/cardholders/ch_x' })).toEqual({
    say: 'no cardholder with id "ch_x"',
    request: 'GET /partner/cardholders/ch_x',
    at: CLOCK,
    expect: { status: 404, recorded: '{"success":false,"error":"no cardholder with id \\"ch_x\\""}' },
  });
});

test('a query stays as it was sent, but for a secret, which is a variable of its name', async () => {
  const path = '/v1/partner/cards/card_x?a&b=&c=1=2&api_key=secret_value_123&=z';
  const { steps, variables } = await recorded({ method: 'GET', path });
  expect(steps[0].request).toBe(`GET /partner/cards/card_x?a&b=&c=1=2&api_key=\${api_key}&=z`);
  expect(variables).toEqual({ api_key: 'recorded_api_key' });
});

test.each([
  ['a list', '[1, "x"]', [1, 'x']],
  ['a text', '"text"', '"text"'],
  ['an object with any names', '{"a b": {"c": true}, "d": [null]}', { 'a b': { c: true }, d: [null] }],
  ['JSON that would change', '{"a": 1.0}', '{"a": 1.0}'],
  ['no JSON', '{"count": 5', '{"count": 5'],
])('a body that is %s is sent as it was', async (_, body, expected) => {
  expect((await stepOf({ method: 'POST', path: '/v1/partner/cardholders', body })).body).toEqual(expected);
});

test('numbers that are secrets become others, whether the body is JSON or not', async () => {
  const text = '{"cvv": 917, "pan": 4242424242424242, "count": 5';
  const path = '/v1/partner/cardholders';
  const json = await stepOf({ method: 'POST', path, body: `${text}}` });
  expect(json.body).toEqual({ cvv: 0, pan: 0, count: 5 });
  expect((await stepOf({ method: 'POST', path, body: text })).body).toBe(
    '{"cvv": 100, "pan": 1000000000000000, "count": 5',
  );
});

test('a secret becomes a variable as long as it, so that it is refused or accepted as before', async () => {
  const body = '{"webhookSecret": "short", "other": {"webhookSecret": "a-secret-of-24-characters"}}';
  const { steps, variables } = await recorded({ method: 'PATCH', path: '/v1/partner/webhooks/config', body });
  expect(variables).toEqual({ webhookSecret: 'recor', webhookSecret2: 'recorded_webhookSecret2_0' });
  expect(steps[0].body).toEqual({
    webhookSecret: `\${webhookSecret}`,
    other: { webhookSecret: `\${webhookSecret2}` },
  });
});

test('a request without a body has none', async () => {
  const steps = (
    await recorded(
      { method: 'DELETE', path: '/v1/partner/cards' },
      { method: 'POST', path: '/v1/partner/kyc-sessions', body: '' },
    )
  ).steps;
  expect(steps.map((step: Json) => 'body' in step)).toEqual([false, false]);
});

test('only headers that decide an answer are kept, and a type other than JSON', async () => {
  const path = '/v1/partner/kyc-sessions';
  const headers = { origin: 'http://localhost:3000', 'x-forwarded-for': '1.2.3.4', 'x-other': 'x' };
  const step = await stepOf({ method: 'GET', path, headers });
  expect(step.headers).toEqual({ origin: 'http://localhost:3000', 'x-forwarded-for': '1.2.3.4' });
  const typed = { method: 'POST', path, body: '{}' };
  expect((await stepOf({ ...typed, headers: { 'content-type': 'text/plain' } })).headers).toEqual({
    'content-type': 'text/plain',
  });
  const withCharset = { 'content-type': 'Application/JSON ; charset=utf-8' };
  expect((await stepOf({ ...typed, headers: withCharset })).headers).toBeUndefined();
  expect((await stepOf({ ...typed, headers: { 'content-type': 'application/json5' } })).headers).toEqual({
    'content-type': 'application/json5',
  });
});

test('an empty key counts as none, and the request is sent without one', async () => {
  const headers = { 'x-service-api-key': '' };
  expect((await stepOf({ method: 'GET', path: '/v1/partner/balance', headers })).key).toBeNull();
});

test('the moment of a request is given where the clock is elsewhere than at the request before', async () => {
  const balance = { method: 'GET', path: '/v1/partner/balance' };
  const advance = { method: 'POST', path: '/_sandbox/clock/advance', body: '{"duration": "1m"}' };
  const { steps } = await recorded(balance, balance, advance, balance, balance);
  expect(steps.map(({ at }: Json) => at ?? null)).toEqual([
    CLOCK,
    null,
    null,
    '2026-03-01T12:01:00.000Z',
    null,
  ]);
  expect(steps[2]).toMatchObject({ control: 'POST /clock/advance', body: { duration: '1m' } });
});

test('an id of a response becomes a variable only where a later request has it and none before had', async () => {
  const { steps } = await recorded(
    { method: 'GET', path: '/v1/partner/cards/card_mia_active' },
    { method: 'GET', path: '/v1/partner/cards' },
    { method: 'GET', path: '/v1/partner/cards/card_sara_frozen' },
    { method: 'GET', path: '/v1/partner/cards/card_mia_active' },
  );
  expect(steps.map(({ request }: Json) => request)).toEqual([
    'GET /partner/cards/card_mia_active',
    'GET /partner/cards',
    `GET /partner/cards/\${card}`,
    'GET /partner/cards/card_mia_active',
  ]);
  expect(steps.map(({ capture }: Json) => capture)).toEqual([
    undefined,
    { card: 'body.data[1].id' },
    undefined,
    undefined,
  ]);
});
