import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTROL_OPERATIONS, controlPath } from '../../support/control-operations.ts';
import { recordResult, size } from '../../support/proof/proof-size.ts';
import { type Json, START, startSandbox } from '../../support/sandbox.ts';

const REQUESTS = size(2_000, 10_000);
const CONCURRENCY = 16;
const SERVER_TOKEN = 'token-of-the-server-0123456789abcdef';
/** The text of every 401. */
const UNKNOWN =
  'header Authorization: this control plane needs "Bearer <token>": the control token of the server, which is printed at start, or the token of the world';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Headers and query with which a caller may try to pass a token, and whether it is one of another world. */
interface Attempt {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly isOther: boolean;
}

/** Ways to pass a token that is none. `valid` are the tokens that must not be passed as they are. */
function attempts(old: readonly string[], other: string, valid: readonly string[]): fc.Arbitrary<Attempt> {
  const near = fc.constantFrom(...valid).chain(token =>
    fc.oneof(
      fc.nat(token.length - 1).map(length => token.slice(0, length)),
      fc.constantFrom(
        `${token}0`,
        `0${token}`,
        token.toUpperCase(),
        token.slice(3),
        `${token},${token}`,
        `"${token}"`,
      ),
      fc.constant(createHash('sha256').update(token).digest('base64')),
      fc.nat(token.length - 1).map(index => `${token.slice(0, index)}~${token.slice(index + 1)}`),
    ),
  );
  const token = fc.oneof(
    fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
    fc.stringMatching(/^wt_[\da-f]{32}$/),
    fc.constantFrom('', 'null', 'undefined', '0', 'true', '*', 'wt_', ...old),
    near,
  );
  const inHeader = token.map(text => ({ headers: bearer(text), query: '' }));
  const elsewhere = fc.constantFrom(...valid).chain(text =>
    fc.constantFrom(
      { headers: {}, query: '' },
      { headers: { authorization: text }, query: '' },
      { headers: { authorization: `Basic ${text}` }, query: '' },
      { headers: { authorization: `Basic ${btoa(`:${text}`)}` }, query: '' },
      {
        headers: { 'x-control-token': text, cookie: `token=${text}`, 'x-service-api-key': text },
        query: '',
      },
      { headers: { 'x-forwarded-for': '127.0.0.1', 'proxy-authorization': `Bearer ${text}` }, query: '' },
      { headers: {}, query: `?token=${text}&access_token=${text}` },
    ),
  );
  return fc.oneof(
    fc.oneof(inHeader, elsewhere).map(each => ({ ...each, isOther: false })),
    fc.constant({ headers: bearer(other), query: '', isOther: true }),
  );
}

test(`${REQUESTS.toLocaleString('en')} requests with wrong, old, other and forged tokens get no answer but that of health`, async context => {
  const sandbox = await startSandbox(
    { fixtures: ['starter'] },
    {},
    { controlToken: SERVER_TOKEN, requireToken: true },
  );
  const asServer = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await sandbox.control(method, path, body, bearer(SERVER_TOKEN))).body;
  const create = (id: string) =>
    asServer('POST', '/worlds', { id, fixtures: ['starter'], clock: START, freeze: true });
  const [blue, red, gone] = [await create('blue'), await create('red'), await create('gone')];
  await asServer('DELETE', '/worlds/gone');
  const { token } = await asServer('POST', '/worlds/blue/token');
  const old = [blue.token, gone.token];
  const states = () => Promise.all(['/state', '/worlds/blue/state'].map(path => asServer('GET', path)));
  const before = await states();

  const target = fc.record({
    operation: fc.constantFrom(...CONTROL_OPERATIONS, {
      method: 'GET',
      path: '/nothing',
      access: 'world' as const,
    }),
    world: fc.constantFrom(null, 'blue', 'main', 'none', 'gone', '%62lue'),
    attempt: attempts(old, red.token, [token, SERVER_TOKEN]),
  });
  const cases = fc.sample(target, { numRuns: REQUESTS, seed: 42 });
  const counts: Record<string, number> = {};
  const ask = async ({ operation, world, attempt }: (typeof cases)[number]) => {
    const { method, access } = operation;
    const { headers, query, isOther } = attempt;
    const path = controlPath(operation, world);
    const response = await fetch(`${sandbox.origin}/_sandbox${path}${query}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method !== 'GET' && { body: '{}' }),
    });
    const text = await response.text();
    const { status } = response;
    counts[status] = (counts[status] ?? 0) + 1;
    const sent = JSON.stringify({ method, path, attempt, status, text });
    // Two operations are for everybody, and the list of worlds shows a token its own world alone.
    if (world === null || operation.path === '/worlds') {
      if (access === 'anyone') return expect(status, sent).toBe(query === '' ? 200 : 400);
      if (access === 'any-world' && isOther)
        return expect(
          JSON.parse(text).map(({ id }: Json) => id),
          sent,
        ).toEqual(['red']);
    }
    expect(status, sent).toBe(isOther ? 403 : 401);
    if (isOther) expect(text, sent).toContain('the token belongs to the world \\"red\\"');
    else expect(JSON.parse(text), sent).toEqual({ success: false, error: UNKNOWN });
  };
  const queue = cases.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const each of queue) await ask(each);
    }),
  );
  expect(await states()).toEqual(before);
  expect((await sandbox.control('GET', '/worlds/blue/info', undefined, bearer(token))).status).toBe(200);
  recordResult(
    context,
    `${REQUESTS} requests, of which ${counts[401]} were a 401 and ${counts[403]} a 403; both worlds are unchanged`,
  );
});
