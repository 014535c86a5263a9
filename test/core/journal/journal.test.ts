import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import { manualTime } from '../../support/manual-time.ts';
import { type Json, newCardholder, START, startSandbox } from '../../support/sandbox.ts';

test('a secret in any part of a request is masked in its entry', async () => {
  const { api, control } = startInProcess();
  const secret = 'sk_test_secret_0123456789abcdef';
  api(secret, `/partner/${secret}?q=${secret}`, { note: secret });
  const { body } = await control('GET', '/requests');
  expect(body).toHaveLength(1);
  expect(JSON.stringify(body)).not.toContain(secret);
});

test('an entry holds the request, the response, the changes and the events', async () => {
  const { api, control } = await startSandbox();
  await control('POST', '/clock/advance', { duration: '90s' });
  const request = newCardholder({ phoneNumber: '+493012345' });
  const { body, headers } = await api('POST', '/partner/cardholders?colour=blue', request);
  const id = headers.get('x-sandbox-request');
  const { status, body: entry } = await control('GET', `/requests/${id}`);
  expect(status).toBe(200);
  const { request: recorded, response, ...rest } = entry;
  expect(rest).toEqual({
    id,
    at: '2026-03-15T10:01:30.000Z',
    partnerId: 'partner_acme',
    method: 'POST',
    path: '/v1/partner/cardholders',
    query: 'colour=blue',
    operation: 'cardholders.create',
    pattern: '/partner/cardholders',
    status: 201,
    durationMs: expect.any(Number),
    refusal: null,
    rule: null,
    fault: null,
    dropped: false,
    hints: ['query.colour is unknown and was ignored'],
    wouldPass: [],
    changes: [
      {
        kind: 'cardholder',
        id: body.id,
        action: 'created',
        before: null,
        after: expect.objectContaining({ id: body.id, partnerId: 'partner_acme', status: 'active' }),
      },
      expect.objectContaining({ kind: 'share token', action: 'created', before: null }),
    ],
    events: [{ id: expect.stringMatching(/^evt_/), eventType: 'cardholder.created', resourceId: body.id }],
  });
  expect(recorded).toMatchObject({ contentType: 'application/json', remoteAddress: '127.0.0.1' });
  expect(JSON.parse(recorded.body)).toEqual({ ...request, idp1ShareToken: '***' });
  expect(JSON.parse(response.body)).toEqual(body);
});

test('the entry of a refusal has its message and its rule', async () => {
  const { api, control } = await startSandbox();
  const person = newCardholder();
  await api('POST', '/partner/cardholders', person);
  const conflict = await api('POST', '/partner/cardholders', newCardholder({ email: person.email }));
  const unknown = await api('GET', '/partner/cards/nothing');
  const { body: entries } = await control('GET', '/requests');
  expect(entries[1]).toMatchObject({
    status: 409,
    refusal: conflict.body.error.message,
    rule: { fidelity: 'documented', id: null, section: '7', decision: null },
    changes: [],
    events: [],
  });
  expect(entries[0]).toMatchObject({
    status: 404,
    refusal: unknown.body.error,
    rule: { fidelity: 'assumed', id: 'unknown-id', section: '7', decision: expect.stringMatching(/404/) },
  });
});

test('a request without a partner and an operation has an entry too', async () => {
  const { api, control } = await startSandbox();
  const { headers } = await api('GET', '/nowhere', undefined, { 'x-service-api-key': 'sk_test_wrong' });
  expect((await control('GET', `/requests/${headers.get('x-sandbox-request')}`)).body).toMatchObject({
    at: START,
    partnerId: null,
    operation: null,
    pattern: null,
    status: 401,
    rule: { id: 'authentication' },
    request: { contentType: null, body: '' },
  });
});

test('every API response names its entry, and control requests have none', async () => {
  const { api, control, origin } = await startSandbox();
  const preflight = await fetch(`${origin}/v1/partner/cards`, { method: 'OPTIONS' });
  const replies = [
    await api('GET', '/partner/cards'),
    await api('HEAD', '/partner/cards'),
    await api('GET', '/partner/cards', undefined, { 'x-service-api-key': '' }),
    preflight,
  ];
  const named = replies.map(({ headers }) => headers.get('x-sandbox-request'));
  expect(new Set(named).size).toBe(4);
  for (const id of named) expect(id).toMatch(/^req_/);
  const { body, headers } = await control('GET', '/requests');
  expect(headers.get('x-sandbox-request')).toBeNull();
  expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([...named].sort());
});

test('entries can be found by path, by pattern, by method and by status', async () => {
  const { api, control } = await startSandbox();
  await api('GET', '/partner/cards/one');
  await api('GET', '/partner/cards/two');
  await api('GET', '/partner/cards');
  await api('POST', '/partner/cards', {});
  const found = async (query: string) => {
    const { status, body } = await control('GET', `/requests?${query}`);
    expect(status).toBe(200);
    return body.map(({ method, path }: Record<string, string>) => `${method} ${path}`);
  };
  const [one, two] = ['GET /v1/partner/cards/one', 'GET /v1/partner/cards/two'];
  expect(await found('path=/v1/partner/cards/one')).toEqual([one]);
  expect(await found('path=/partner/cards/one')).toEqual([one]);
  expect(await found('path=/partner/cards/{id}')).toEqual([two, one]);
  expect(await found('path=/partner/cards')).toEqual(['POST /v1/partner/cards', 'GET /v1/partner/cards']);
  expect(await found('method=post')).toEqual(['POST /v1/partner/cards']);
  expect(await found('status=404')).toEqual([two, one]);
  expect(await found('status=404&path=/partner/cards/two&method=GET')).toEqual([two]);
  expect(await found('status=500')).toEqual([]);
  expect((await control('GET', '/requests?status=often')).status).toBe(400);
});

test('limit returns the newest matching entries', async () => {
  const { api, control } = await startSandbox();
  for (const id of ['one', 'two', 'three']) await api('GET', `/partner/cards/${id}`);
  await api('GET', '/partner/cards');
  const found = async (query: string) =>
    (await control('GET', `/requests?${query}`)).body.map(({ path }: { path: string }) => path.slice(18));
  expect(await found('limit=2')).toEqual(['', 'three']);
  expect(await found('limit=2&status=404')).toEqual(['three', 'two']);
  expect(await found('limit=1000')).toHaveLength(4);
  for (const limit of ['0', '1001', '-1', '1.5', 'all', '']) {
    expect(await control('GET', `/requests?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: 'query.limit: must be a whole number from 1 to 1000' },
    });
  }
});

test('the last 1,000 requests are kept, newest first', async () => {
  const { api, control } = startInProcess();
  for (let number = 1; number <= 1_001; number++) api('GET', `/partner/cards/c${number}`);
  const { body: oldest } = await control('GET', '/requests?path=/partner/cards/c2');
  for (let number = 1_002; number <= 2_010; number++) api('GET', `/partner/cards/c${number}`);
  const { body } = await control('GET', '/requests');
  const expected = Array.from({ length: 1_000 }, (_, index) => `/v1/partner/cards/c${2_010 - index}`);
  expect(body.map(({ path }: { path: string }) => path)).toEqual(expected);
  const [{ id }] = oldest;
  expect(await control('GET', `/requests/${id}`)).toMatchObject({
    status: 404,
    body: { success: false, error: `no request in the journal with id "${id}"` },
  });
});

test('bodies are cut at 16 KiB, shorter ones are kept whole', async () => {
  const { api, control } = await startSandbox();
  const text = (length: number) => `{"x":"${'y'.repeat(length - 8)}"}`;
  const kept = async (body: unknown) => {
    const { headers } = await api('POST', '/partner/cards/nothing/freeze', body);
    const { body: entry } = await control('GET', `/requests/${headers.get('x-sandbox-request')}`);
    return entry.request.body;
  };
  expect(await kept(text(16_384))).toBe(text(16_384));
  const cut = await kept(text(16_385));
  expect(Buffer.byteLength(cut)).toBe(16_384);
  expect(cut).toBe(`${text(16_385).slice(0, 16_384 - Buffer.byteLength('… (cut)'))}… (cut)`);
});

test('DELETE empties the journal', async () => {
  const { api, control } = await startSandbox();
  const { headers } = await api('GET', '/partner/cards');
  expect(await control('DELETE', '/requests')).toMatchObject({ status: 204, body: null });
  expect((await control('GET', '/requests')).body).toEqual([]);
  expect((await control('GET', `/requests/${headers.get('x-sandbox-request')}`)).status).toBe(404);
});

test('an entry has the time that the caller waited, the delay of a fault included', async () => {
  let elapsed = 1_000;
  const { api, control } = await startSandbox(
    {},
    { realTime: { ...manualTime().realTime, elapsed: () => (elapsed += 7) } },
  );
  const { headers } = await api('GET', '/partner/balance');
  const entry = await control('GET', `/requests/${headers.get('x-sandbox-request')}`);
  expect(entry.body.durationMs).toBe(7);
  await api('GET', '/partner/balance', undefined, { 'x-sandbox-fault': 'delay=20ms' });
  expect((await control('GET', '/requests')).body[0].durationMs).toBe(27);
});

test('an entry has the headers of the request and of the response, with secrets masked', async () => {
  const { api, control } = await startSandbox();
  const headers = {
    'X-Trace': 'abc',
    Authorization: 'Bearer abc',
    Cookie: 'id=1',
    'X-Note': 'card 4242424242424242',
  };
  const response = await api('GET', '/partner/balance', undefined, headers);
  const id = response.headers.get('x-sandbox-request');
  const { body: entry } = await control('GET', `/requests/${id}`);
  expect(entry.request.headers).toMatchObject({
    'x-trace': 'abc',
    'x-note': 'card ***',
    'x-service-api-key': '***',
    authorization: '***',
    cookie: '***',
  });
  expect(entry.response.headers).toMatchObject({
    'x-sandbox-request': id,
    'x-ratelimit-remaining': '999',
    'content-type': 'application/json; charset=utf-8',
  });
});

test('requests with the same headers, others and the same again keep their own', async () => {
  const { api, control } = await startSandbox();
  for (const trace of ['one', 'one', 'two', 'one']) {
    await api('GET', '/partner/balance', undefined, { 'x-trace': trace });
  }
  await api('GET', '/partner/balance');
  const { body: entries } = await control('GET', '/requests');
  expect(entries.map((each: Json) => each.request.headers['x-trace'])).toEqual([
    undefined,
    ...['one', 'two', 'one', 'one'],
  ]);
});

test('a live key in any header is in no entry', async () => {
  const { api, control } = await startSandbox();
  const live = `sk_live_${'1'.repeat(24)}`;
  await api('GET', '/partner/balance', undefined, { 'x-service-api-key': live });
  await api('GET', '/partner/balance', undefined, { 'x-other': `key ${live}` });
  const { body: entries } = await control('GET', '/requests');
  expect(entries[0].request.headers['x-other']).toBe('key ***');
  expect(JSON.stringify(entries)).not.toContain(live);
});

test('a change has the record before and after, with amounts in units and secrets masked', async () => {
  const { api, control } = await startSandbox({ fixtures: ['starter'] });
  const [card] = (await api('GET', '/partner/cards?status=active')).body.data;
  const changesOf = async (method: string, path: string, body?: unknown) => {
    const { headers } = await api(method, path, body);
    return (await control('GET', `/requests/${headers.get('x-sandbox-request')}`)).body.changes;
  };
  const [frozen] = await changesOf('POST', `/partner/cards/${card.id}/freeze`);
  expect(frozen).toMatchObject({ kind: 'card', id: card.id, action: 'updated' });
  expect(frozen.before).toMatchObject({ status: 'active', limits: { limit: card.limit } });
  expect(frozen.after).toEqual({ ...frozen.before, status: 'frozen' });
  const [configured] = await changesOf('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hooks.partner.test/in',
    webhookSecret: 'whsec_0123456789abcdef0123456789abcdef',
    subscribedEvents: ['card.issued'],
  });
  expect(configured.after).toMatchObject({ webhookSecret: '***', subscribedEvents: ['card.issued'] });
});

test('entries can be found by a class of statuses, and since a time', async () => {
  const { api, control } = await startSandbox({ fixtures: ['starter'] });
  const [card] = (await api('GET', '/partner/cards?status=active')).body.data;
  await control('DELETE', '/requests');
  await api('POST', `/partner/cards/${card.id}/freeze`);
  await control('POST', '/clock/advance', { duration: '1m' });
  await api('POST', `/partner/cards/${card.id}/freeze`);
  await control('POST', '/clock/advance', { duration: '1m' });
  await api('POST', `/partner/cards/${card.id}/unfreeze`);
  const found = async (query: string) =>
    (await control('GET', `/requests?${query}`)).body.map((each: Json) => each.operation);
  expect(await found('status=4xx')).toEqual(['cards.freeze']);
  expect(await found('status=2xx')).toEqual(['cards.unfreeze', 'cards.freeze']);
  expect(await found('since=2026-03-15T10:01:00Z')).toEqual(['cards.unfreeze', 'cards.freeze']);
});

test.each([
  ['/partner/cardz', '; did you mean GET /partner/cards?'],
  ['/v1/partner/cardz', '; did you mean GET /partner/cards?'],
  ['/partner/cards/', '; did you mean GET /partner/cards?'],
  ['/partner/cards/{id}/thaw', ''],
  ['/partner/cards/any/thaw', ''],
])(
  'a filter for the path %s, which no operation has, is an error instead of no requests',
  async (path, hint) => {
    const { control } = startInProcess();
    for (const list of ['/requests', '/requests/count']) {
      const { status, body } = await control('GET', `${list}?path=${encodeURIComponent(path)}`);
      expect(status).toBe(400);
      expect(body.error).toContain(`query.path: no operation has the path ${JSON.stringify(path)}${hint}`);
    }
    for (const known of ['/partner/cards/{id}', '/partner/cards/any', '/v1/partner/cards']) {
      expect(await control('GET', `/requests/count?path=${known}`)).toMatchObject({ status: 200 });
    }
  },
);
