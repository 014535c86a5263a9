import { expect, test } from 'vitest';
import { FAULT_RULE, type FaultEffect } from '../../../src/kernel/faults/fault.ts';
import { faultResponse, NO_REPLY, takesPlace } from '../../../src/kernel/faults/fault-response.ts';

const REPLY = { status: 201, body: { id: 'x' } };
const REFUSAL = { status: 409, message: 'no', rule: FAULT_RULE };

/** What a fault makes of an answer, or of a request whose place it has taken. */
function made(
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
])('%j takes the place of the request: %j', (effect, takes) => {
  expect(takesPlace({ id: 'x', effect: { when: 'before', ...effect } })).toBe(takes);
});

test.each<[Partial<FaultEffect>, number, unknown, string | undefined]>([
  [{ status: 503 }, 503, '503 Service Unavailable, forced by fault flt_1', undefined],
  [{ status: 400 }, 400, '400 Bad Request, forced by fault flt_1', undefined],
  [{ status: 599 }, 599, '599 of no name, forced by fault flt_1', undefined],
  [{ status: 429 }, 429, '429 Too Many Requests, forced by fault flt_1', '1'],
  [{ status: 429, retryAfter: 0 }, 429, '429 Too Many Requests, forced by fault flt_1', '0'],
  [{ status: 503, retryAfter: 7 }, 503, '503 Service Unavailable, forced by fault flt_1', '7'],
])('%j is answered as an error that says so', (effect, status, error, retryAfter) => {
  const { answer, refusal, hint } = made(effect);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toEqual({ success: false, error });
  expect(answer.headers['Retry-After']).toBe(retryAfter);
  expect(refusal).toEqual({ message: error, rule: FAULT_RULE });
  expect(hint).toBe('fault flt_1: the request was handled, its answer 201 replaced');
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
])('%j is no refusal, and a body goes by a name that fits', (effect, status, body, type) => {
  const { answer, refusal } = made(effect);
  expect([answer.status, answer.body, answer.headers['Content-Type']]).toEqual([status, body, type]);
  if (type !== undefined) expect(answer.headers['Content-Length']).toBe(String(Buffer.byteLength(body)));
  expect(refusal).toBeNull();
  expect(made(effect, { method: 'HEAD' }).answer).toEqual({ ...answer, body: '' });
});

test('a request whose place was taken was not looked at', () => {
  const before = made({ body: 'x' }, { reply: NO_REPLY });
  expect([before.answer.status, before.hint]).toEqual([
    200,
    'fault flt_1: 200 was answered and the request not looked at',
  ]);
  const dropped = made({ drop: true }, { reply: NO_REPLY });
  expect(dropped.answer).toMatchObject({ status: 503, drop: true });
  expect(dropped.hint).toBe('fault flt_1: the connection was closed and the request not looked at');
  const message = 'the connection was closed without an answer by fault flt_1';
  expect(JSON.parse(dropped.answer.body)).toEqual({ success: false, error: message });
  expect(dropped.refusal).toEqual({ message, rule: FAULT_RULE });
});

test('an answer that is lost or replaced is told with what it was', () => {
  const lost = made({ drop: true });
  expect(lost.answer).toMatchObject({ status: 201, body: '{"id":"x"}', drop: true });
  expect(lost.hint).toBe('fault flt_1: the request was handled, its answer 201 lost');
  const refused = made({ drop: true }, { reply: { status: 409, body: {} } });
  expect(refused.refusal).toBe(REFUSAL);
  expect(refused.hint).toBe('fault flt_1: the request was handled, its answer 409 (no) lost');
  expect(made({ status: 500 }, { reply: { status: 409, body: {} } }).hint).toMatch(
    /its answer 409 \(no\) replaced$/,
  );
});

test('a delay changes nothing but the time, and a fault of the request itself is called by its header', () => {
  const { answer, refusal, hint } = made({ delayMs: 250 }, { id: 'header' });
  expect(answer).toMatchObject({ status: 201, body: '{"id":"x"}', delayMs: 250 });
  expect(Object.hasOwn(answer, 'drop')).toBe(false);
  expect(refusal).toBeNull();
  expect(hint).toBe('header X-Sandbox-Fault: the request was handled and its answer sent, 250 ms late');
  expect(Object.hasOwn(made({ status: 500 }).answer, 'delayMs')).toBe(false);
  expect(made({ status: 500, delayMs: 0 }).answer.delayMs).toBe(0);
});
