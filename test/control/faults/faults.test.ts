import { expect, test } from 'vitest';
import { ACME_KEY, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const CREATE = '/partner/cardholders';

async function armed({ control }: TestSandbox, fault: Record<string, unknown>): Promise<string> {
  const { status, body } = await control('POST', '/faults', fault);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

const statusesOf = async ({ api }: TestSandbox, count: number, path = '/partner/cards') => {
  const statuses: number[] = [];
  for (let number = 0; number < count; number++) statuses.push((await api('GET', path)).status);
  return statuses;
};

test('a fault is armed, listed with how often it was applied, and deleted', async () => {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  const first = await control('POST', '/faults', { path: '/partner/cards', status: 503 });
  expect(first).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^flt_\w{16}$/) } });
  const { id } = first.body;
  const fault = { id, path: '/partner/cards', status: 503, when: 'before', after: 0 };
  expect(first.body).toEqual({ ...fault, hits: 0 });
  const other = await armed(sandbox, { method: 'post', status: 500, times: 3 });
  expect(await statusesOf(sandbox, 2)).toEqual([503, 503]);
  expect(await control('GET', '/faults')).toMatchObject({
    status: 200,
    body: [
      { ...fault, hits: 2 },
      { id: other, method: 'POST', times: 3, hits: 0 },
    ],
  });
  expect(await control('DELETE', `/faults/${id}`)).toMatchObject({ status: 204, body: null });
  expect(await statusesOf(sandbox, 1)).toEqual([200]);
  expect(await control('DELETE', `/faults/${id}`)).toMatchObject({
    status: 404,
    body: { success: false, error: `no fault with id "${id}"` },
  });
  expect(await control('DELETE', '/faults')).toMatchObject({ status: 204, body: null });
  expect((await control('GET', '/faults')).body).toEqual([]);
});

test('a forced status has the simple error body, which names the fault', async () => {
  const sandbox = await startSandbox();
  const id = await armed(sandbox, { status: 503 });
  const { body, headers } = await sandbox.api('GET', '/partner/cards');
  expect(body).toEqual({ success: false, error: `503 Service Unavailable, forced by fault ${id}` });
  expect(headers.get('x-ratelimit-remaining')).toBe('999');
  expect(headers.get('x-sandbox-request')).toMatch(/^req_/);
  expect(headers.get('retry-after')).toBeNull();
});

test.each([
  [{ status: 429 }, '1'],
  [{ status: 429, retryAfter: 7 }, '7'],
  [{ status: 503, retryAfter: 0 }, '0'],
  [{ status: 503 }, null],
])('%j is answered with Retry-After %s', async (fault, expected) => {
  const sandbox = await startSandbox();
  await armed(sandbox, fault);
  const { status, headers } = await sandbox.api('GET', '/partner/cards');
  expect({ status, retryAfter: headers.get('retry-after') }).toEqual({
    status: fault.status,
    retryAfter: expected,
  });
});

test.each([
  [{ status: 409, body: { success: false, error: { code: 'X' } } }, 409, 'application/json', '{"success":'],
  [{ status: 502, body: '<html>Bad Gateway</html>' }, 502, 'text/html', '<html>Bad Gateway</html>'],
  [{ status: 200, body: '{"data": [' }, 200, 'application/json', '{"data": ['],
  [{ status: 200, body: ' <html>' }, 200, 'text/html', ' <html>'],
  [{ status: 500, body: 'é <b> {' }, 500, 'text/plain', 'é <b> {'],
  [{ status: 599 }, 599, 'application/json', '{"success":false,"error":"599 Unknown, forced by fault'],
  [{ body: [] }, 200, 'application/json', '[]'],
  [{ status: 500, body: null }, 500, null, ''],
  [{ status: 204 }, 204, null, ''],
  [{ status: 302 }, 302, null, ''],
  [{ status: 399 }, 399, null, ''],
])('%j is answered as it says', async (fault, status, type, text) => {
  const sandbox = await startSandbox();
  await armed(sandbox, fault);
  const key = { 'x-service-api-key': 'sk_test_acme_0123456789abcdef' };
  const ask = (method: string) =>
    fetch(`${sandbox.origin}/v1/partner/cards`, { method, headers: key, redirect: 'manual' });
  const response = await ask('GET');
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe(type === null ? null : `${type}; charset=utf-8`);
  expect((await response.text()).startsWith(text)).toBe(true);
  const [{ refusal }] = (await sandbox.control('GET', '/requests')).body;
  expect(refusal === null).toBe(status < 400);
  const head = await ask('HEAD');
  expect({ status: head.status, text: await head.text() }).toEqual({ status, text: '' });
});

test('by default a fault applies before the request is processed: nothing changes, and no 404 or 400 is returned', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  await armed(sandbox, { status: 500 });
  const person = newCardholder();
  const refused = await api('POST', CREATE, person);
  expect(refused.status).toBe(500);
  for (const [method, path, body] of [
    ['POST', CREATE, '{'],
    ['GET', '/partner/cards/nothing', undefined],
    ['GET', '/nowhere', undefined],
    ['PUT', '/partner/cards', undefined],
  ] as const) {
    expect((await api(method, path, body)).status).toBe(500);
  }
  const { body: entry } = await control('GET', `/requests/${refused.headers.get('x-sandbox-request')}`);
  expect(entry).toMatchObject({ changes: [], events: [] });
  expect(JSON.parse(entry.request.body)).toEqual({ ...person, idp1ShareToken: '***' });
  await control('DELETE', '/faults');
  expect((await api('GET', CREATE)).body.total).toBe(0);
  expect((await api('POST', CREATE, person)).status).toBe(201);
});

test('with after, the cardholder is created although the response is a 503, and a retry is treated as a retry', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  await armed(sandbox, { method: 'POST', path: CREATE, status: 503, when: 'after', times: 1 });
  const person = newCardholder();
  const lost = await api('POST', CREATE, person);
  expect(lost.status).toBe(503);
  const { body: entry } = await control('GET', `/requests/${lost.headers.get('x-sandbox-request')}`);
  expect(entry.changes).toContainEqual(expect.objectContaining({ kind: 'cardholder', action: 'created' }));
  expect(entry.events).toMatchObject([{ eventType: 'cardholder.created' }]);
  const { body: list } = await api('GET', CREATE);
  expect(list.data).toMatchObject([{ externalUserId: person.externalUserId }]);

  const retry = await api('POST', CREATE, person);
  expect(retry).toMatchObject({ status: 400, body: { error: expect.stringMatching(/token/) } });
  const fresh = await api('POST', CREATE, { ...person, idp1ShareToken: `idp1_test_approve_${Math.PI}` });
  expect(fresh).toMatchObject({ status: 200, body: { id: list.data[0].id } });
});

test('with after, a refusal is replaced as well, and the journal shows both', async () => {
  const sandbox = await startSandbox();
  const id = await armed(sandbox, { status: 500, when: 'after' });
  await sandbox.api('GET', '/partner/cards/nothing');
  const { body } = await sandbox.control('GET', '/requests');
  expect(body[0]).toMatchObject({
    status: 500,
    refusal: `500 Internal Server Error, forced by fault ${id}`,
    rule: { id: 'faults' },
    fault: id,
    hints: [
      `fault ${id}: the request was handled, and its response 404 (no card with id "nothing") was replaced`,
    ],
  });
});

test('a refusal that is dropped is the one of the journal', async () => {
  const { api, control } = await startSandbox();
  const drop = { 'x-sandbox-fault': 'drop; when=after' };
  await expect(api('GET', '/partner/cards/nothing', undefined, drop)).rejects.toThrow();
  const [entry] = (await control('GET', '/requests')).body;
  expect(entry).toMatchObject({ status: 404, refusal: 'no card with id "nothing"', dropped: true });
});

test('a body without a status keeps the original status', async () => {
  const sandbox = await startSandbox();
  await armed(sandbox, { body: { id: 'something else' }, when: 'after' });
  expect(await sandbox.api('POST', CREATE, newCardholder())).toMatchObject({
    status: 201,
    body: { id: 'something else' },
  });
  expect((await sandbox.api('GET', '/partner/cards/nothing')).status).toBe(404);
});

test('unauthenticated and rate-limited requests are refused as usual and not counted by faults', async () => {
  const sandbox = await startSandbox({ rateLimit: 1 });
  const { api, control } = sandbox;
  await armed(sandbox, { status: 503 });
  const wrong = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': 'sk_test_wrong' });
  expect(wrong.status).toBe(401);
  expect(await statusesOf(sandbox, 2)).toEqual([503, 429]);
  await control('PATCH', '/partners/partner_acme/settings', { ipAllowList: ['198.51.100.7'] });
  expect(await statusesOf(sandbox, 1)).toEqual([401]);
  expect((await control('GET', '/faults')).body).toMatchObject([{ hits: 1 }]);
});

test('a fault applies to its method and path; GET includes HEAD', async () => {
  const sandbox = await startSandbox();
  const { api } = sandbox;
  await armed(sandbox, { method: 'GET', path: '/v1/partner/cards/{cardId}', status: 500 });
  await armed(sandbox, { method: 'patch', status: 502 });
  const replies = [
    await api('GET', '/partner/cards/one'),
    await api('HEAD', '/partner/cards/two'),
    await api('GET', '/partner/cards'),
    await api('POST', '/partner/cards/one/freeze'),
    await api('PATCH', '/partner/webhooks/config', {}),
    await api('PATCH', '/partner/nothing', {}),
    await api('GET', '/partner/webhooks/config'),
  ];
  expect(replies.map(({ status }) => status)).toEqual([500, 500, 200, 404, 502, 502, 200]);
});

test('faults do not apply to preflight requests', async () => {
  const sandbox = await startSandbox();
  await armed(sandbox, { status: 503 });
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const response = await fetch(`${sandbox.origin}/v1/partner/cards`, { method: 'OPTIONS', headers });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-headers')).toMatch(/x-sandbox-fault/);
  expect((await sandbox.control('GET', '/faults')).body).toMatchObject([{ hits: 0 }]);
});

test('a page of an allowed origin can read a forced response', async () => {
  const sandbox = await startSandbox();
  await armed(sandbox, { status: 429 });
  const origin = 'https://app.example';
  const { headers } = await sandbox.api('GET', '/partner/cards', undefined, { origin });
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After/);
});

test('unknownFields adds fields to every object of a response, errors included', async () => {
  const { api, control } = await startSandbox();
  await control('POST', '/faults', { unknownFields: true });
  const list = await api('GET', '/partner/card-programs');
  expect(list.body).toMatchObject({ page: 1, futureNull: null, data: [{ futureText: expect.any(String) }] });
  const missing = await api('GET', '/partner/cards/none');
  expect(missing.status).toBe(404);
  expect(missing.body).toMatchObject({ success: false, futureList: [{ futureText: 'café' }] });
});

test.each(['/partner/cardholders', '/partner/cards'])(
  'unknownStatusOf shows unknown statuses of one record of %s, and changes no other and not the record itself',
  async path => {
    const { api, control } = await startSandbox({ fixtures: ['starter'] });
    const list = async () => (await api('GET', path)).body.data;
    const [first, ...rest] = await list();
    await control('POST', '/faults', { unknownStatusOf: first.id });
    const kycStatus = first.kycStatus && { kycStatus: 'future_status' };
    expect(await list()).toEqual([{ ...first, status: 'future_status', ...kycStatus }, ...rest]);
    await control('DELETE', '/faults');
    expect(await list()).toEqual([first, ...rest]);
  },
);

test('inPieces ends pieces within characters, and loses nothing', async () => {
  const { origin, api, control } = await startSandbox();
  const { body } = await control('POST', '/cardholders', { identity: { firstName: 'Zoë 美咲' } });
  const expected = (await api('GET', `/partner/cardholders/${body.id}`)).body;
  const read = () =>
    fetch(`${origin}/v1/partner/cardholders/${body.id}`, { headers: { 'x-service-api-key': ACME_KEY } });
  expect((await read()).headers.get('content-length')).not.toBeNull();
  await control('POST', '/faults', { inPieces: true });
  const response = await read();
  expect(response.headers.get('content-length')).toBeNull();
  const pieces: Buffer[] = [];
  for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece));
  expect(JSON.parse(String(Buffer.concat(pieces)))).toEqual(expected);
  expect(pieces.map(String).join('')).toContain('\ufffd');
});
