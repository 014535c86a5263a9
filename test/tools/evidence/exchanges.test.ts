import { expect, test } from 'vitest';
import {
  captureLine,
  type Exchange,
  evidenceOf,
  type ServiceCall,
  safeLine,
} from '../../../src/tools/evidence.ts';

const KEY = 'sk_test_acme_0123456789abcdef';

function exchange(request: Partial<ServiceCall> = {}, response: Partial<Exchange> = {}): Exchange {
  return {
    request: { method: 'GET', path: '/partner/cards', ...request },
    status: 200,
    headers: {},
    body: null,
    ...response,
  };
}
const bodyOf = (body: unknown) => evidenceOf(exchange({}, { body })).response.body;
const requestOf = (request: Partial<ServiceCall>) => evidenceOf(exchange(request)).request;

test('a line of a service has no secrets and no control characters', () => {
  expect(safeLine(`key ${KEY}\u001b[2J\nnext`)).toBe('key ***\\u001b[2J\\u000anext');
});

test('evidence of a plain request has its method, path, status and body, and nothing else', () => {
  expect(evidenceOf(exchange())).toEqual({
    request: { method: 'GET', path: '/partner/cards' },
    response: { status: 200, body: null },
  });
  const whole = exchange(
    {
      method: 'POST',
      query: { limit: '1', q: 'a b' },
      headers: { Origin: 'https://a.example.com' },
      body: { limit: 5 },
    },
    { status: 201, body: { id: 'card_1' } },
  );
  expect(evidenceOf(whole)).toEqual({
    request: {
      method: 'POST',
      path: '/partner/cards?limit=1&q=a+b',
      headers: { Origin: 'https://a.example.com' },
      body: { limit: 5 },
    },
    response: { status: 201, body: { id: 'card_1' } },
  });
});

test('of the response headers, evidence has those that verdicts rest on', () => {
  const shown = {
    'content-type': 'application/json',
    'retry-after': '1',
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '9',
    'access-control-allow-origin': '*',
    location: '/a\u0007',
    'cache-control': 'no-store',
  };
  const hidden = {
    'set-cookie': 'a=b',
    'x-content-type': 'x',
    'content-type-options': 'x',
    date: 'now',
    'my-location': 'x',
  };
  const { headers } = evidenceOf(exchange({}, { headers: { ...shown, ...hidden } })).response;
  expect(headers).toEqual({ ...shown, location: '/a\\u0007' });
  expect(captureLine('x', exchange({}, { headers: shown }), 0).response).toEqual({ status: 200, body: null });
});

test('secrets in the path, the query and the bodies are masked', () => {
  expect(requestOf({ path: `/partner/${KEY}`, query: { token: 'x', page: '1' } }).path).toBe(
    '/partner/***?token=***&page=1',
  );
  expect(requestOf({ path: '/partner/a\u202eb' }).path).toBe('/partner/a\\u202eb');
  expect(requestOf({ body: { webhookSecret: 's', name: KEY } }).body).toEqual({
    webhookSecret: '***',
    name: '***',
  });
  expect(requestOf({ body: `key=${KEY}` }).body).toBe('key=***');
  expect(bodyOf({ a: [{ password: 'x' }] })).toEqual({ a: [{ password: '***' }] });
  const captured = captureLine(
    'x',
    exchange({ path: `/partner/${KEY}`, body: { otp: 1 } }, { body: { pin: '1' } }),
    0,
  );
  expect(captured.request).toMatchObject({ path: '/partner/***', body: { otp: '***' } });
  expect(captured.response.body).toEqual({ pin: '***' });
});

test('a share token that a probe has made up is shown, and any other is masked', () => {
  const tokenOf = (idp1ShareToken: unknown) => requestOf({ body: { idp1ShareToken, limit: 1 } }).body;
  for (const token of [
    'card-sandbox-calibration-a1-2',
    'idp1_test_approve_card-sandbox-calibration-a1-2',
    'x_test_manual_card-sandbox-calibration-1',
  ])
    expect(tokenOf(token)).toEqual({ idp1ShareToken: token, limit: 1 });
  for (const token of [
    'real',
    'idp1_live_approve_card-sandbox-calibration-1',
    'xcard-sandbox-calibration-1',
    'card-sandbox-calibration-1 x',
    'idp1_test_other_card-sandbox-calibration-1',
  ])
    expect(tokenOf(token)).toEqual({ idp1ShareToken: '***', limit: 1 });
  expect(tokenOf(['card-sandbox-calibration-a1'])).not.toEqual({
    idp1ShareToken: ['card-sandbox-calibration-a1'],
    limit: 1,
  });
  const other = requestOf({
    body: { shareTokenOf: 'card-sandbox-calibration-1', apiKey: 'card-sandbox-calibration-1' },
  });
  expect(other.body).toEqual({ shareTokenOf: '***', apiKey: '***' });
});

test('of a signed URL only the origin is shown', () => {
  const url = 'https://pages.example.com/a?signature=b';
  expect(bodyOf({ url, accessUrl: url, webhookUrl: 'https://a.example.com/hook', list: [{ url }] })).toEqual({
    url: 'https://pages.example.com/***',
    accessUrl: 'https://pages.example.com/***',
    webhookUrl: 'https://a.example.com/hook',
    list: [{ url: 'https://pages.example.com/***' }],
  });
  expect(bodyOf({ url: 'no URL', accessUrl: 7 })).toEqual({ url: 'no URL', accessUrl: 7 });
});

test('control characters are escaped in names and values, and line breaks are kept', () => {
  expect(bodyOf({ 'a\u0007': ['b\u0007\nc', 1, null, true] })).toEqual({
    'a\\u0007': ['b\\u0007\nc', 1, null, '… 1 more'],
  });
  expect(bodyOf('x\u0007\ny')).toBe('x\\u0007\ny');
});

test('long lists, texts and objects are cut, with a note of what is left out', () => {
  expect(bodyOf([1, 2, 3])).toEqual([1, 2, 3]);
  expect(bodyOf([1, 2, 3, 4, 5])).toEqual([1, 2, 3, '… 2 more']);
  expect(bodyOf({ data: [['a', 'b', 'c', 'd']] })).toEqual({ data: [['a', 'b', 'c', '… 1 more']] });
  const captured = captureLine('x', exchange({ body: 'y'.repeat(501) }, { body: [1, 2, 3, 4] }), 0);
  expect([captured.request.body, captured.response.body]).toEqual(['y'.repeat(501), [1, 2, 3, 4]]);
  expect(bodyOf('x'.repeat(500))).toBe('x'.repeat(500));
  expect(bodyOf('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
  expect(bodyOf({ ['n'.repeat(501)]: 'y'.repeat(501) })).toEqual({
    [`${'n'.repeat(500)}…`]: `${'y'.repeat(500)}…`,
  });
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]));
  expect(bodyOf(members(50))).toEqual(members(50));
  expect(bodyOf(members(52))).toEqual({ ...members(50), '…': '2 more' });
});

test('a line of a capture has the whole bodies, and says which key was used without the key', () => {
  const long = exchange(
    { query: { limit: '5' } },
    { body: { data: [1, 2, 3, 4, 5], apiKey: KEY }, headers: { location: 'x' } },
  );
  expect(captureLine('list-order', long, 0)).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    part: 'list-order',
    request: { method: 'GET', path: '/partner/cards?limit=5', key: 'partner' },
    response: { status: 200, body: { data: [1, 2, 3, 4, 5], apiKey: '***' } },
  });
  const keyed = (apiKey: string | null) =>
    captureLine('x', exchange({ apiKey, headers: { Origin: 'o' }, body: { otp: 1 } }), 0).request;
  expect(keyed(null)).toEqual({
    method: 'GET',
    path: '/partner/cards',
    key: 'none',
    headers: { Origin: 'o' },
    body: { otp: '***' },
  });
  expect(keyed(KEY).key).toBe('other');
});
