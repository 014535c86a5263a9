import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ControlOperation } from '../../../src/core/operation/operation.ts';
import { controlGroups } from '../../../src/sandbox/operation-groups.ts';
import { type Json, type Reply, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const SERVER_TOKEN = 'token-of-the-server';
const OPERATIONS = controlGroups.flatMap(({ operations }) => operations());
/** They end what the test calls, or wait for a time. */
const DEEDS = ['stop', 'worlds.remove', 'worlds.renewToken', 'deliveries.wait', 'stream'];

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A server that needs tokens, with the worlds blue and red. */
async function teamServer() {
  const sandbox = await startSandbox({}, {}, { controlToken: SERVER_TOKEN, requireToken: true });
  const create = async (id: string): Promise<Json> =>
    (await sandbox.control('POST', '/worlds', { id }, bearer(SERVER_TOKEN))).body;
  return { sandbox, blue: await create('blue'), red: await create('red') };
}

/** The paths that an operation has: for `main` without a world, and for each world. */
function pathFor({ path }: ControlOperation, world: string | null): string {
  const filled = path.replace('{world}', world ?? 'main').replace(/\{\w+\}/g, 'some_id');
  return world === null || path.startsWith('/worlds') ? filled : `/worlds/${world}${filled}`;
}

/** Calls an operation with an empty body and returns the status: 401 and 403 are those of the fence. */
async function statusOf(sandbox: TestSandbox, operation: ControlOperation, path: string, token: string) {
  const { method } = operation;
  const headers = { 'content-type': 'application/json', ...(token !== '' && bearer(token)) };
  const init: RequestInit = { method, headers, ...(method !== 'GET' && { body: '{}' }) };
  const response = await fetch(`${sandbox.origin}/_sandbox${path}`, init);
  await response.text();
  return response.status;
}

test('each operation is for the server token and for the token of its world, as the table says', async () => {
  const { sandbox, blue, red } = await teamServer();
  const harmless = OPERATIONS.filter(({ id }) => !DEEDS.includes(id));
  expect(harmless.length).toBe(OPERATIONS.length - DEEDS.length);
  for (const operation of harmless) {
    const { id, access } = operation;
    const status = (world: string | null, token: string) =>
      statusOf(sandbox, operation, pathFor(operation, world), token);
    const of = async (world: string | null) => ({
      id,
      world,
      server: isFenced(await status(world, SERVER_TOKEN)),
      own: isFenced(await status(world, blue.token)),
      other: isFenced(await status(world, red.token)),
      none: isFenced(await status(world, '')),
      forged: isFenced(await status(world, 'wt_0123456789abcdef0123456789abcdef')),
    });
    const isServerWide = operation.path === '/worlds';
    const anyWorld = access === 'anyone' || access === 'any-world' ? false : 403;
    const nobody = access === 'anyone' ? false : 401;
    // Operations on the list of worlds have no path below a world.
    const [own, other, none] =
      isServerWide || access === 'server' ? [anyWorld, anyWorld, 401] : [false, 403, 401];
    expect(await of(null)).toEqual({
      ...{ id, world: null, server: false },
      ...{ own: anyWorld, other: anyWorld, none: nobody, forged: nobody },
    });
    expect(await of('blue')).toEqual({ id, world: 'blue', server: false, own, other, none, forged: none });
  }
});

/** The status, if it is one with which the fence refuses. */
function isFenced(status: number): number | false {
  return status === 401 || status === 403 ? status : false;
}

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
  for (const path of ['/history', '/history/export', '/requests', '/state', '/info', '']) {
    const [status, text] = await as('GET', path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(text, path).not.toContain(blue.token.slice(3));
  }
});
