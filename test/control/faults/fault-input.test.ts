import { expect, test } from 'vitest';
import { startInProcess } from '../../support/in-process.ts';
import { startSandbox } from '../../support/sandbox.ts';

const EFFECT =
  'body: a fault needs an effect: a status, a delay, a body, unknownFields, unknownStatusOf, inPieces or drop';
const DROP =
  'body: a fault that drops the connection sends no response; leave out status, body and retry-after';
/** As deep as the body of a fault may be, so that a state document has room around it. */
const deep = JSON.parse('['.repeat(90) + ']'.repeat(90));

test.each([
  [{}, EFFECT],
  [{ method: 'GET', path: '/partner/cards', times: 1, after: 1, when: 'after' }, EFFECT],
  [{ retryAfter: 3 }, EFFECT],
  [{ delayMs: 1, retryAfter: 3 }, 'body: retry-after needs a status'],
  [{ drop: true, status: 500 }, DROP],
  [{ drop: true, body: null }, DROP],
  [{ drop: false }, 'body.drop: must be true'],
  [
    { drop: true, inPieces: true },
    'body: a fault that drops the connection sends no pieces; leave out inPieces',
  ],
  [
    { unknownStatusOf: 'ch_1', status: 503 },
    'body: unknownStatusOf changes the response of the sandbox; leave out status, body and drop',
  ],
  [
    { unknownFields: true, status: 503 },
    'body: unknownFields changes the response of the sandbox; leave out status, body and drop',
  ],
  [{ unknownStatusOf: '' }, 'body.unknownStatusOf: must have at least 1 character'],
  [{ status: 204, body: {} }, 'body: a response with status 204 has no body; leave it out'],
  [{ status: 199 }, 'body.status: must be at least 200'],
  [{ status: 600 }, 'body.status: must be at most 599'],
  [{ status: '503' }, 'body.status: must be a number'],
  [{ status: 503.5 }, 'body.status: must be a whole number'],
  [{ delayMs: -1 }, 'body.delayMs: must be at least 0'],
  [{ delayMs: 60_001 }, 'body.delayMs: must be at most 60000'],
  [{ status: 500, times: 0 }, 'body.times: must be at least 1'],
  [{ status: 500, after: -1 }, 'body.after: must be at least 0'],
  [{ status: 500, when: 'during' }, 'body.when: must be one of "before", "after"'],
  [{ status: 429, retryAfter: 1e9 }, 'body.retryAfter: must be at most 86400'],
  [{ body: [deep] }, 'body.body: must be nested at most 90 deep, without a member __proto__'],
  [
    JSON.parse('{"body":{"__proto__":1}}'),
    'body.body: must be nested at most 90 deep, without a member __proto__',
  ],
  [
    { status: 500, path: '/partner/crads' },
    'body.path: no operation has the path "/partner/crads"; did you mean GET /partner/cards?',
  ],
  [
    { status: 500, path: '/partner/cards/card_1/freeze' },
    'body.path: no operation has the path "/partner/cards/card_1/freeze"; did you mean POST /partner/cards/{id}/freeze?',
  ],
  [
    { status: 500, path: '/_sandbox/reset' },
    'body.path: no operation has the path "/_sandbox/reset"; write it as a pattern such as /partner/cards/{id}',
  ],
  [{ status: 500, path: '' }, /^body\.path: no operation has the path ""/],
  [
    { status: 500, path: '/partner/cards', method: 'DELETE' },
    'body.method: "DELETE" is not a method of /partner/cards; known are GET, POST',
  ],
  [{ status: 500, method: 'PUT' }, /^body\.method: "PUT" is not a method of any operation; known are .*GET/],
])('the fault %j is refused', async (fault, error) => {
  const { control } = await startSandbox();
  const reply = await control('POST', '/faults', fault);
  expect(reply.status).toBe(400);
  if (typeof error === 'string') expect(reply.body).toEqual({ success: false, error });
  else expect(reply.body.error).toMatch(error);
  expect((await control('GET', '/faults')).body).toEqual([]);
});

test('the bounds themselves are accepted', async () => {
  const { control } = await startSandbox();
  for (const fault of [
    { status: 200 },
    { status: 599 },
    { delayMs: 0 },
    { delayMs: 60_000 },
    { status: 500, times: 1, after: 1_000_000 },
    { body: deep },
    { drop: true, delayMs: 10, when: 'after' },
    { status: 500, method: 'POST', path: '/partner/cards/{id}/freeze' },
  ]) {
    expect(await control('POST', '/faults', fault)).toMatchObject({ status: 201, body: fault });
    await control('DELETE', '/faults');
  }
});

test('a thousand faults are enough', async () => {
  const { api, control } = startInProcess();
  for (let number = 0; number < 1_000; number++) await control('POST', '/faults', { status: 500, after: 9 });
  expect(await control('POST', '/faults', { status: 500 })).toMatchObject({
    status: 400,
    body: { error: 'there are already 1000 faults; DELETE /_sandbox/faults clears them' },
  });
  expect(api('GET', '/partner/cards').status).toBe(200);
});
