import { expect, test } from 'vitest';
import { errorCode, errorMessage, failureReason, sendRequest, withBody } from '../../src/client/http.ts';

/** Sends a request and resolves with what `fetch` is called with. */
async function send(request: { readonly query?: Record<string, string>; readonly body?: unknown }) {
  const calls: { url: string; body: unknown; headers: Headers }[] = [];
  await sendRequest(
    { method: 'POST', url: '/v1/x', headers: { 'x-trace': 'a' }, ...request },
    (url, init) => {
      calls.push({ url: String(url), body: init?.body, headers: new Headers(init?.headers) });
      return Promise.resolve(new Response());
    },
  );
  return calls[0];
}

test('a body is sent as JSON, a text and a file unchanged', async () => {
  expect((await send({ body: { a: 1 } }))?.body).toBe('{"a":1}');
  expect((await send({ body: '{"a":' }))?.body).toBe('{"a":');
  const file = new Blob(['{}']);
  const call = await send({ body: file, query: { limit: '1' } });
  expect(call).toMatchObject({ url: '/v1/x?limit=1', body: file });
  expect(Object.fromEntries(call?.headers ?? [])).toEqual({
    'content-type': 'application/json',
    'x-trace': 'a',
  });
  expect((await send({}))?.headers.has('content-type')).toBe(false);
});

test('a response has its JSON, its text, or null for no body', () => {
  const read = (text: string) => withBody(new Response(text), text).body;
  expect(['{"a":1}', 'oops', ''].map(read)).toEqual([{ a: 1 }, 'oops', null]);
});

test('errors are read from simple, structured and other bodies', () => {
  const structured = { error: { code: 'KYC_LOCKED', message: 'no' } };
  expect([structured, { error: 'no' }, ['no'], null].map(errorMessage)).toEqual(['no', 'no', null, null]);
  expect([structured, { error: 'no' }, 'no'].map(errorCode)).toEqual(['KYC_LOCKED', null, null]);
});

test('a failure without a response names its cause', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(failureReason(new TypeError('fetch failed', { cause }))).toBe('ECONNREFUSED');
  expect(failureReason(new TypeError('fetch failed', { cause: new Error('reset') }))).toBe('reset');
  expect(failureReason(new TypeError('fetch failed'))).toBeNull();
});
