import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { CONTROL_OPERATIONS, controlPath } from '../../support/control-operations.ts';
import { type Json, type Reply, startSandbox } from '../../support/sandbox.ts';

const SERVER_TOKEN = 'token-of-the-server';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A server that needs tokens, with the worlds blue and red. */
async function teamServer() {
  const sandbox = await startSandbox({}, {}, { controlToken: SERVER_TOKEN, requireToken: true });
  const create = async (id: string): Promise<Json> =>
    (await sandbox.control('POST', '/worlds', { id }, bearer(SERVER_TOKEN))).body;
  return { sandbox, blue: await create('blue'), red: await create('red') };
}

/** A server that needs tokens, without HTTP: what calls its control plane, and its worlds blue and red. */
async function teamCore() {
  const core = createSandboxCore({ fixtures: ['empty'], freeze: true });
  onTestFinished(() => core.stop());
  let tokens = 0;
  const place = { origin: 'http://127.0.0.1:4242', host: '127.0.0.1', ownNames: [] };
  const newToken = () => `${tokens++}`;
  core.serveAt({ ...place, controlToken: SERVER_TOKEN, requireToken: true, newToken });
  const call = async (method: string, path: string, token: string, body: object = {}) => {
    const headers = {
      host: 'localhost',
      'content-type': 'application/json',
      ...(token !== '' && bearer(token)),
    };
    const request = { method, path: `/_sandbox${path}`, query: '', headers, remoteAddress: '127.0.0.1' };
    return core.control({ ...request, body: Buffer.from(method === 'GET' ? '' : JSON.stringify(body)) });
  };
  const tokenOf = async (id: string): Promise<string> =>
    JSON.parse((await call('POST', '/worlds', SERVER_TOKEN, { id })).body).token;
  return { call, blue: await tokenOf('blue'), red: await tokenOf('red') };
}

/** Operations after which the tokens of the world are none any more. */
const ENDS_TOKENS = ['worlds.remove', 'worlds.renewToken'];

test('each operation is for the server token and for the token of its world, as the table says', async () => {
  let team = await teamCore();
  for (const operation of CONTROL_OPERATIONS) {
    const { id, access, method } = operation;
    const { call, blue, red } = team;
    // A wait for a delivery that never comes ends soon.
    const body = id === 'deliveries.wait' ? { timeoutMs: 1 } : {};
    const refusal = async (world: string | null, token: string) => {
      const { status } = await call(method, controlPath(operation, world), token, body);
      return status === 401 || status === 403 ? status : false;
    };
    const of = async (world: string | null) => ({
      id,
      world,
      // First those that must change nothing.
      none: await refusal(world, ''),
      forged: await refusal(world, 'wt_0123456789abcdef0123456789abcdef'),
      other: await refusal(world, red),
      own: await refusal(world, blue),
      server: await refusal(world, SERVER_TOKEN),
    });
    const isServerWide = operation.path === '/worlds';
    const anyWorld = access === 'anyone' || access === 'any-world' ? false : 403;
    const nobody = access === 'anyone' ? false : 401;
    // Operations on the list of worlds have no path below a world.
    const [own, other, none] =
      isServerWide || access === 'server' ? [anyWorld, anyWorld, 401] : [false, 403, 401];
    expect(await of(null)).toEqual({
      id,
      world: null,
      server: false,
      own: anyWorld,
      other: anyWorld,
      none: nobody,
      forged: nobody,
    });
    expect(await of('blue')).toEqual({ id, world: 'blue', server: false, own, other, none, forged: none });
    if (ENDS_TOKENS.includes(id)) team = await teamCore();
  }
});

test('the token of a world sees and ends its own world alone, and stops no server', async () => {
  const { sandbox, blue, red } = await teamServer();
  const as = (token: string, method: string, path: string): Promise<Reply> =>
    sandbox.control(method, path, undefined, bearer(token));
  const ids = async (token: string) => (await as(token, 'GET', '/worlds')).body.map(({ id }: Json) => id);
  expect(await ids(SERVER_TOKEN)).toEqual(['main', 'blue', 'red']);
  expect(await ids(blue.token)).toEqual(['blue']);
  expect((await as(blue.token, 'GET', '/worlds/blue')).body).toMatchObject({ id: 'blue' });
  for (const world of ['red', 'main', 'nothing', '%72ed']) {
    for (const path of ['', '/info', '/nothing']) {
      expect((await as(blue.token, 'GET', `/worlds/${world}${path}`)).status, world + path).toBe(403);
    }
    expect((await as(blue.token, 'DELETE', `/worlds/${world}`)).status).toBe(403);
  }
  for (const path of ['/stop', '/worlds/blue/stop', '/worlds']) {
    expect((await as(blue.token, 'POST', path)).status, path).toBe(403);
  }
  expect((await as(blue.token, 'DELETE', '/worlds/blue')).status).toBe(204);
  expect((await as(blue.token, 'GET', '/worlds/blue')).status, 'its token ended with it').toBe(401);
  expect(await ids(red.token)).toEqual(['red']);
});

test('the stream of a world is for its token and that of the server', async () => {
  const { sandbox, blue, red } = await teamServer();
  const url = `${sandbox.origin}/_sandbox/worlds/blue/stream`;
  for (const token of [red.token, 'wrong']) {
    expect([401, 403]).toContain((await fetch(url, { headers: bearer(token) })).status);
  }
  for (const token of [blue.token, SERVER_TOKEN]) {
    const stop = new AbortController();
    expect((await fetch(url, { headers: bearer(token), signal: stop.signal })).status).toBe(200);
    stop.abort();
  }
});

test('a new token ends the earlier one; main has none, and a server without tokens issues none', async () => {
  const { sandbox, blue, red } = await teamServer();
  const renew = (world: string, token: string) =>
    sandbox.control('POST', `/worlds/${world}/token`, undefined, bearer(token));
  const show = async (token: string) =>
    (await sandbox.control('GET', '/worlds/blue/info', undefined, bearer(token))).status;
  expect((await renew('blue', red.token)).status).toBe(403);
  const { status, body: second } = await renew('blue', blue.token);
  expect(status).toBe(201);
  expect([await show(blue.token), await show(second.token)]).toEqual([401, 200]);
  const { body: third } = await renew('blue', SERVER_TOKEN);
  expect([await show(second.token), await show(third.token)]).toEqual([401, 200]);
  expect((await renew('main', SERVER_TOKEN)).body.error).toContain('"main" has no token');
  const open = await startSandbox();
  const { body: created } = await open.control('POST', '/worlds', { id: 'blue' });
  expect(created).not.toHaveProperty('token');
  expect((await open.control('POST', '/worlds/blue/token')).body.error).toContain('--control-token');
});

test('no forged token is answered, with one text whatever was called', async () => {
  const { sandbox, blue } = await teamServer();
  const texts = new Set<string>();
  const forged = fc.oneof(
    fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
    fc.stringMatching(/^wt_[\da-f]{32}$/),
    fc.nat(blue.token.length - 1).map(length => blue.token.slice(0, length)),
    fc.constantFrom(`${blue.token}0`, blue.token.toUpperCase(), `${SERVER_TOKEN}0`),
  );
  const path = fc.constantFrom(
    '/info',
    '/worlds',
    '/worlds/blue',
    '/worlds/none',
    '/worlds/blue/state',
    '/no',
  );
  await fc.assert(
    fc.asyncProperty(forged, path, async (token, path) => {
      const { status, body } = await sandbox.control('GET', path, undefined, bearer(token));
      expect(status).toBe(401);
      texts.add(body.error);
    }),
    { numRuns: 100 },
  );
  expect(texts.size).toBe(1);
});

test('tokens stand in no history, journal, state or list', async () => {
  const { sandbox, blue } = await teamServer();
  const as = async (method: string, path: string) => {
    const url = `${sandbox.origin}/_sandbox/worlds/blue${path}`;
    const response = await fetch(url, { method, headers: bearer(blue.token) });
    return [response.status, await response.text()] as const;
  };
  await as('POST', '/reset');
  for (const path of ['/history', '/requests', '/state', '/info', '']) {
    const [status, text] = await as('GET', path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(text, path).not.toContain(blue.token.slice(3));
  }
});
