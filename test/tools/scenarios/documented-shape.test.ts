import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, parseScenario, playToEnd } from '../../support/scenario.ts';

/** A fetch that changes each response. */
function changing(change: (body: string, headers: Headers) => string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const headers = new Headers(response.headers);
    return new Response(change(await response.text(), headers), { status: response.status, headers });
  };
}

/** Where the response to a request differs from the interface once it is changed. */
async function differencesOf(
  request: string,
  change: (body: string, headers: Headers) => string,
  { hasControl = true, documentedShapes = true } = {},
) {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  const status = request.endsWith('nobody') ? 404 : 200;
  const scenario = await parseScenario(
    `  - request: ${request}\n    expect: { status: ${status} }`,
    documentedShapes ? 'documentedShapes: true' : '',
  );
  // Only the API is changed, not the control plane.
  const stage = await createStage(origin, { fetch: changing(change), hasControl: false });
  const { api: control } = await createStage(origin);
  const report = await playToEnd(scenario, { ...stage, control: hasControl ? control : null });
  return report.steps[0]?.differences;
}

const BALANCE = 'GET /partner/balance';
const CARDS = 'GET /partner/cards';
const CARD = 'GET /partner/cards/card_mia_active';

/** Changes the members of a body. */
const withMembers = (members: object) => (body: string) =>
  JSON.stringify({ ...JSON.parse(body), ...members });

test.each([BALANCE, CARDS, CARD, 'GET /partner/cards/card_nobody', 'GET /partner/card-programs'])(
  'the response of the sandbox to %s is as documented, whatever further members it has',
  async request => {
    expect(await differencesOf(request, body => body)).toEqual([]);
    expect(await differencesOf(request, withMembers({ furtherMember: 1 }))).toEqual([]);
  },
);

test('shapes are compared only where the scenario asks for it', async () => {
  const change = withMembers({ currency: 7 });
  expect(await differencesOf(BALANCE, change)).toEqual([
    { path: 'body.currency', expected: 'a text', got: '7' },
  ]);
  expect(await differencesOf(BALANCE, change, { documentedShapes: false })).toEqual([]);
});

test('a member that is missing differs, at its path in a list too', async () => {
  expect(await differencesOf(BALANCE, withMembers({ currency: undefined }))).toEqual([
    { path: 'body.currency', expected: 'a text', got: 'nothing' },
  ]);
  const withoutId = (body: string) => {
    const { data, ...rest } = JSON.parse(body);
    return JSON.stringify({ ...rest, data: data.map(({ id: _, ...card }: { id: string }) => card) });
  };
  const [first] = (await differencesOf(CARDS, withoutId)) ?? [];
  expect(first).toMatchObject({ path: 'body.data[0].id', got: 'nothing' });
});

test.each([
  [CARDS, { data: {} }, { path: 'body.data', expected: 'a list', got: '{}' }],
  [CARDS, { total: 1.5 }, { path: 'body.total', expected: 'a whole number', got: '1.5' }],
  [CARDS, { total: '1' }, { path: 'body.total', expected: 'a whole number', got: '"1"' }],
  [
    CARD,
    { createdAt: 'yesterday' },
    { path: 'body.createdAt', expected: 'an ISO 8601 timestamp', got: '"yesterday"' },
  ],
  [CARD, { last4: 12 }, { path: 'body.last4', expected: 'a text', got: '12' }],
  [
    CARD,
    { status: 'broken' },
    { path: 'body.status', expected: expect.stringMatching(/^one of .*active/), got: '"broken"' },
  ],
] as const)('%s with %j differs', async (request, members, difference) => {
  expect(await differencesOf(request, withMembers(members))).toEqual([difference]);
});

test('a text that does not match the documented pattern differs', async () => {
  const change = withMembers({ data: [{ billingPeriod: '2026/03' }] });
  expect(await differencesOf('GET /partner/usage/records', change)).toContainEqual({
    path: 'body.data[0].billingPeriod',
    expected: expect.stringMatching(/^a text that matches /),
    got: '"2026/03"',
  });
});

test('a body of another kind differs as a whole', async () => {
  for (const body of ['[]', '"text"', 'null', '7']) {
    expect(await differencesOf(BALANCE, () => body)).toEqual([
      { path: 'body', expected: 'an object', got: body },
    ]);
  }
});

test('an error has the documented envelope', async () => {
  const request = 'GET /partner/cards/card_nobody';
  expect(await differencesOf(request, withMembers({ success: true }))).toEqual([
    { path: 'body.success', expected: 'false', got: 'true' },
  ]);
  expect(await differencesOf(request, withMembers({ error: undefined }))).toHaveLength(1);
});

test('the content type is JSON, with or without a charset', async () => {
  const withType = (type: string | null) => (body: string, headers: Headers) => {
    if (type === null) headers.delete('content-type');
    else headers.set('content-type', type);
    return body;
  };
  expect(await differencesOf(BALANCE, withType('Application/JSON; charset=utf-8'))).toEqual([]);
  const expected = { path: 'headers.Content-Type', expected: 'application/json' };
  expect(await differencesOf(BALANCE, withType('text/x-application/json'))).toContainEqual({
    ...expected,
    got: '"text/x-application/json"',
  });
  expect(await differencesOf(BALANCE, withType('application/jsonp'))).toContainEqual({
    ...expected,
    got: '"application/jsonp"',
  });
});

test('the headers of the rate limit are all there and well formed, or none is', async () => {
  const withHeaders = (values: Record<string, string | null>) => (body: string, headers: Headers) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return body;
  };
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
  const none = Object.fromEntries(names.map(name => [name, null]));
  expect(await differencesOf(BALANCE, withHeaders(none))).toEqual([]);
  expect(await differencesOf(BALANCE, withHeaders({ 'X-RateLimit-Limit': null }))).toEqual([
    { path: 'headers.X-RateLimit-Limit', expected: 'a whole number', got: 'nothing' },
  ]);
  expect(
    await differencesOf(
      BALANCE,
      withHeaders({ 'X-RateLimit-Limit': 'x60', 'X-RateLimit-Remaining': '59x', 'X-RateLimit-Reset': '60' }),
    ),
  ).toEqual([
    { path: 'headers.X-RateLimit-Limit', expected: 'a whole number', got: '"x60"' },
    { path: 'headers.X-RateLimit-Remaining', expected: 'a whole number', got: '"59x"' },
    { path: 'headers.X-RateLimit-Reset', expected: 'a Unix timestamp in seconds', got: '"60"' },
  ]);
});

test('a difference that the step names itself is reported once', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(
    `  - request: ${CARDS}\n    expect: { body: { total: 0 } }`,
    'documentedShapes: true',
  );
  const fetch = changing(withMembers({ total: '7' }));
  const { steps } = await playToEnd(scenario, await createStage(origin, { fetch, hasControl: false }));
  expect(steps[0]?.differences).toEqual([{ path: 'body.total', expected: '0', got: '"7"' }]);
});

test('a request of no operation is compared with nothing', async () => {
  const { origin } = await startSandbox();
  const scenario = await parseScenario(
    '  - request: GET /partner/nothing\n    expect: { status: 404 }',
    'documentedShapes: true',
  );
  const { steps } = await playToEnd(scenario, await createStage(origin, { fetch: changing(() => '[]') }));
  expect(steps[0]?.differences).toEqual([]);
});

test('without a control plane, only responses that the interface shows are compared', async () => {
  const noControl = { hasControl: false };
  expect(await differencesOf(BALANCE, withMembers({ currency: 7 }), noControl)).toEqual([]);
  expect(await differencesOf(CARD, withMembers({ last4: 7 }), noControl)).toEqual([]);
  expect(await differencesOf(CARDS, withMembers({ total: '1' }), noControl)).toHaveLength(1);
});
