import { expect, test } from 'vitest';
import type { FaultEffect } from '../../../src/core/faults/effect-schema.ts';
import { faultResponse, NO_REPLY, replacesRequest } from '../../../src/core/faults/fault-response.ts';
import { FAULT_RULE } from '../../../src/core/operation/errors.ts';

const REPLY = { status: 201, body: { id: 'x' } };
const REFUSAL = { status: 409, message: 'no', rule: FAULT_RULE };

/** Applies a fault to a reply, or to a request that the fault replaces. */
function apply(
  effect: Partial<FaultEffect>,
  { id = 'flt_1', reply = REPLY as typeof NO_REPLY, method = 'GET' } = {},
) {
  return faultResponse(
    { id, effect: { when: 'after', ...effect } },
    { reply, refusal: reply.status === 409 ? REFUSAL : null, headers: {} },
    method,
  );
}

test.each<[Partial<FaultEffect>, boolean]>([
  [{ status: 503 }, true],
  [{ body: null }, true],
  [{ drop: true }, true],
  [{ delayMs: 5 }, false],
  [{ status: 503, when: 'after' }, false],
])('%j replaces the handling of the request: %j', (effect, expected) => {
  expect(replacesRequest({ id: 'x', effect: { when: 'before', ...effect } })).toBe(expected);
});

test.each<[Partial<FaultEffect>, number, unknown, string | undefined]>([
  [{ status: 503 }, 503, '503 Service Unavailable, forced by fault flt_1', undefined],
  [{ status: 400 }, 400, '400 Bad Request, forced by fault flt_1', undefined],
  [{ status: 599 }, 599, '599 Unknown, forced by fault flt_1', undefined],
  [{ status: 429 }, 429, '429 Too Many Requests, forced by fault flt_1', '1'],
  [{ status: 429, retryAfter: 0 }, 429, '429 Too Many Requests, forced by fault flt_1', '0'],
  [{ status: 503, retryAfter: 7 }, 503, '503 Service Unavailable, forced by fault flt_1', '7'],
])('%j responds with an error that names the fault', (effect, status, error, retryAfter) => {
  const { response, refusal, hint } = apply(effect);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.body)).toEqual({ success: false, error });
  expect(response.headers['Retry-After']).toBe(retryAfter);
  expect(refusal).toEqual({ message: error, rule: FAULT_RULE });
  expect(hint).toBe('fault flt_1: the request was handled, and its response 201 was replaced');
});

test.each<[Partial<FaultEffect>, number, string, string | undefined]>([
  [{ status: 200 }, 200, '', undefined],
  [{ status: 399 }, 399, '', undefined],
  [{ status: 204 }, 204, '', undefined],
  [{ body: { a: 1 } }, 201, '{"a":1}', 'application/json; charset=utf-8'],
  [{ body: ' {"a":' }, 201, ' {"a":', 'application/json; charset=utf-8'],
  [{ body: '[1]' }, 201, '[1]', 'application/json; charset=utf-8'],
  [{ body: ' <html>' }, 201, ' <html>', 'text/html; charset=utf-8'],
  [{ body: 'é <b> {' }, 201, 'é <b> {', 'text/plain; charset=utf-8'],
])('%j is not a refusal, and a body gets a matching content type', (effect, status, body, type) => {
  const { response, refusal } = apply(effect);
  expect([response.status, response.body, response.headers['Content-Type']]).toEqual([status, body, type]);
  if (type !== undefined) expect(response.headers['Content-Length']).toBe(String(Buffer.byteLength(body)));
  expect(refusal).toBeNull();
  expect(apply(effect, { method: 'HEAD' }).response).toEqual({ ...response, body: '' });
});

test('a replaced request is not handled', () => {
  const before = apply({ body: 'x' }, { reply: NO_REPLY });
  expect([before.response.status, before.hint]).toEqual([
    200,
    'fault flt_1: the response was 200, and the request was not handled',
  ]);
  const dropped = apply({ drop: true }, { reply: NO_REPLY });
  expect(dropped.response).toMatchObject({ status: 503, drop: true });
  expect(dropped.hint).toBe('fault flt_1: the connection was closed, and the request was not handled');
  const message = 'the connection was closed without a response by fault flt_1';
  expect(JSON.parse(dropped.response.body)).toEqual({ success: false, error: message });
  expect(dropped.refusal).toEqual({ message, rule: FAULT_RULE });
});

test('the hint names a response that was dropped or replaced', () => {
  const dropped = apply({ drop: true });
  expect(dropped.response).toMatchObject({ status: 201, body: '{"id":"x"}', drop: true });
  expect(dropped.hint).toBe('fault flt_1: the request was handled, and its response 201 was dropped');
  const refused = apply({ drop: true }, { reply: { status: 409, body: {} } });
  expect(refused.refusal).toBe(REFUSAL);
  expect(refused.hint).toBe('fault flt_1: the request was handled, and its response 409 (no) was dropped');
  expect(apply({ status: 500 }, { reply: { status: 409, body: {} } }).hint).toMatch(
    /its response 409 \(no\) was replaced$/,
  );
});

test('a delay changes nothing but the time, and the fault of a header is named by the header', () => {
  const { response, refusal, hint } = apply({ delayMs: 250 }, { id: 'header' });
  expect(response).toMatchObject({ status: 201, body: '{"id":"x"}', delayMs: 250 });
  expect(Object.hasOwn(response, 'drop')).toBe(false);
  expect(refusal).toBeNull();
  expect(hint).toBe(
    'header X-Sandbox-Fault: the request was handled, and its response was sent, delayed by 250 ms',
  );
  expect(Object.hasOwn(apply({ status: 500 }).response, 'delayMs')).toBe(false);
  expect(apply({ status: 500, delayMs: 0 }).response.delayMs).toBe(0);
});
