import { expect, test } from 'vitest';
import { openEventStream } from '../../support/event-stream.ts';
import { visit } from '../../support/pages.ts';
import { fakeReceiver } from '../../support/receiver.ts';
import { type Json, newCardholder, startSandbox } from '../../support/sandbox.ts';
import { newWorld, type TestWorld } from '../../support/worlds.ts';

/** Two worlds of the same seed and fixture, and the receiver of both. */
async function twoWorlds() {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
  const [a, b] = [await newWorld(sandbox, { id: 'a' }), await newWorld(sandbox, { id: 'b' })];
  return { sandbox, a, b, seen };
}

/** Everything of a world that can be read, as text. */
async function readAll({ control }: TestWorld): Promise<string> {
  const paths = [
    '/state',
    '/clock',
    '/info',
    '/checkpoints',
    '/faults',
    '/webhook-faults',
    '/deliveries',
    '/requests',
    '/partners',
    '/requests/count',
    '/history',
    '/coverage',
    '/forwarding',
    '/webhooks/config',
    '/cardholders',
    '/cards',
  ];
  const bodies = await Promise.all(paths.map(async path => (await control('GET', path)).body));
  return JSON.stringify(bodies);
}

/** Calls everything in a world that changes something. */
async function useAll({ api, control }: TestWorld): Promise<void> {
  const ok = async (reply: Promise<{ status: number; body: Json }>) => {
    const { status, body } = await reply;
    expect([status, status < 300 ? '' : body]).toEqual([status, '']);
    return body;
  };
  await ok(
    api('PATCH', '/partner/webhooks/config', {
      webhookUrl: 'https://hooks.example.com/a',
      webhookSecret: 'the-secret-of-world-a',
      subscribedEvents: ['balance.top_up', 'cardholder.created', 'card.3ds_otp', 'card.transaction'],
    }),
  );
  const { id: holder } = await ok(api('POST', '/partner/cardholders', newCardholder()));
  await ok(api('POST', `/partner/cardholders/${holder}/kyc`, { cardProgramId: 'prog_everyday' }));
  await ok(control('POST', `/cardholders/${holder}/kyc/approve`));
  await ok(control('POST', `/cardholders/${holder}/status`, { status: 'suspended' }));
  await ok(control('POST', `/cardholders/${holder}/status`, { status: 'active' }));
  const card = await ok(
    api('POST', '/partner/cards', { cardholderId: holder, cardProgramId: 'prog_everyday' }),
  );
  await ok(api('POST', `/partner/cards/${card.id}/activate`));
  await ok(api('POST', `/partner/cards/${card.id}/reveal-html`, {}));
  const { id: session } = await ok(api('POST', '/partner/kyc-sessions', {}));
  await ok(control('POST', `/kyc-sessions/${session}/approve`, {}));
  await ok(control('POST', '/share-tokens', {}));
  await ok(control('POST', '/balance/top-up', { amount: 5 }));
  const payment = await ok(control('POST', '/transactions', { cardId: card.id, amount: 2 }));
  await ok(control('POST', `/transactions/${payment.id}/settle`, {}));
  const other = await ok(control('POST', '/transactions', { cardId: card.id, amount: 2 }));
  await ok(control('POST', `/transactions/${other.id}/reverse`));
  const { challengeId } = await ok(control('POST', `/cards/${card.id}/3ds`, {}));
  await ok(control('POST', `/3ds/${challengeId}/verify`, { otp: '000000' }));
  await ok(control('POST', '/events', { eventType: 'balance.low' }));
  await ok(control('POST', '/deliveries/settle', {}));
  await ok(control('POST', '/wait', { eventType: 'balance.top_up', timeoutMs: 60_000 }));
  await ok(control('POST', '/partners', { fixture: 'starter' }));
  await ok(control('PATCH', '/partners/partner_globex/settings', { ipAllowList: ['192.0.2.1'] }));
  await ok(control('POST', '/partners/partner_globex/keys/rotate', {}));
  await ok(control('POST', '/webhook-faults', { kind: 'drop' }));
  await ok(control('POST', '/checkpoints/before', {}));
  await ok(control('POST', '/clock/advance', { duration: '2d' }));
  await ok(control('POST', '/clock/freeze', { at: '2026-03-20T00:00:00Z' }));
  await ok(control('POST', '/faults', { status: 503, path: '/partner/balance' }));
  expect((await api('GET', '/partner/balance')).status).toBe(503);
  await ok(control('DELETE', '/requests'));
  const document = await ok(control('GET', '/state'));
  await ok(control('PUT', '/state', document));
  await ok(control('POST', '/checkpoints/before/restore'));
  await ok(control('POST', '/rewind', { steps: 1 }));
  await ok(control('POST', '/reset'));
  await ok(control('DELETE', '/checkpoints/before'));
  await ok(control('POST', '/clock/resume'));
}

test('nothing that is done in one world can be read, streamed or waited for in another', async () => {
  const { sandbox, a, b, seen } = await twoWorlds();
  const main: TestWorld = { ...b, id: 'main', control: sandbox.control, api: sandbox.api };
  const before = [await readAll(b), await readAll(main)];
  const streams = [await openEventStream(sandbox.origin), await openEventStream(sandbox.origin, '', 'b')];
  const waiting = b.control('POST', '/wait', { timeoutMs: 600_000 });
  await useAll(a);
  expect(seen.length).toBeGreaterThan(5);
  expect([await readAll(b), await readAll(main)]).toEqual(before);
  // The first event of each stream is that of its own world.
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  await b.control('POST', '/clock/advance', { duration: '1s' });
  for (const stream of streams) expect(await stream.next()).toMatchObject([{ event: 'clock', id: 1 }]);
  await b.api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hooks.example.com/b',
    webhookSecret: 'the-secret-of-world-b',
    subscribedEvents: ['balance.top_up'],
  });
  await b.control('POST', '/balance/top-up', { amount: 7 });
  expect((await waiting).body).toMatchObject({ eventType: 'balance.top_up' });
});

test('two worlds of one seed give the same ids, and neither takes the records, tokens or sessions of the other', async () => {
  const { sandbox, a, b } = await twoWorlds();
  const body = newCardholder();
  const [inA, inB] = [
    await a.api('POST', '/partner/cardholders', body),
    await b.api('POST', '/partner/cardholders', body),
  ];
  expect([inA.status, inB.status]).toEqual([201, 201]);
  expect(inA.body).toEqual(inB.body);
  const { body: token } = await a.control('POST', '/share-tokens', {});
  const fields = { idp1ShareToken: token.token };
  expect((await b.api('POST', '/partner/cardholders', newCardholder(fields))).status).toBe(400);
  expect((await sandbox.api('POST', '/partner/cardholders', newCardholder(fields))).status).toBe(400);
  expect((await a.api('POST', '/partner/cardholders', newCardholder(fields))).status).toBe(201);
  const session = (await a.api('POST', '/partner/kyc-sessions', {})).body;
  expect((await b.api('GET', `/partner/kyc-sessions/${session.id}`)).status).toBe(404);
  expect((await b.control('POST', `/kyc-sessions/${session.id}/approve`, {})).status).toBe(404);
  const challenge = await a.control('POST', '/cards/card_mia_active/3ds', {});
  expect((await b.control('POST', `/3ds/${challenge.body.challengeId}/verify`, { otp: '1' })).status).toBe(
    404,
  );
});

test('a link of one world shows nothing in another', async () => {
  const { sandbox, a, b } = await twoWorlds();
  const reveal = async ({ api }: Pick<TestWorld, 'api'>) =>
    new URL((await api('POST', '/partner/cards/card_mia_active/reveal-html', {})).body.accessUrl);
  const link = await reveal(a);
  const moved = (url: URL, world: string | null) => {
    const altered = new URL(url);
    if (world === null) altered.searchParams.delete('world');
    else altered.searchParams.set('world', world);
    return altered.href;
  };
  const others = ['b', 'main', null, 'nobody', '', 'A'];
  const statuses = async (url: URL) => {
    const found = [];
    for (const world of others) found.push((await visit(moved(url, world))).status);
    return found;
  };
  expect(await statuses(link)).toEqual([403, 403, 403, 404, 404, 404]);
  // The other worlds now have a link with the same id.
  const twins = [await reveal(b), await reveal({ api: sandbox.api })];
  expect(twins.map(({ pathname }) => pathname)).toEqual([link.pathname, link.pathname]);
  expect(await statuses(link)).toEqual([403, 403, 403, 404, 404, 404]);
  for (const url of [link, ...twins]) expect((await visit(url.href)).status).toBe(200);
  for (const url of [link, ...twins]) expect((await visit(url.href)).status).toBe(410);
  const session = new URL((await a.api('POST', '/partner/kyc-sessions', {})).body.url);
  expect(session.searchParams.get('world')).toBe('a');
  expect(await statuses(session)).toEqual([404, 404, 404, 404, 404, 404]);
  expect((await visit(session.href)).status).toBe(200);
  await sandbox.control('DELETE', '/worlds/a');
  for (const url of [link, session]) {
    const page = await visit(url.href);
    expect(page.status).toBe(404);
    // Who has a link does not learn which worlds there are.
    expect(page.text).not.toMatch(/\bb\b.*main|main.*\bb\b/);
  }
});

test('rate windows, faults and allow-lists of a world do not act in another', async () => {
  const { sandbox, a, b } = await twoWorlds();
  const limited = await newWorld(sandbox, { id: 'limited', rateLimit: 2 });
  const balance = ({ api }: Pick<TestWorld, 'api'>) => api('GET', '/partner/balance');
  expect(
    [await balance(limited), await balance(limited), await balance(limited)].map(({ status }) => status),
  ).toEqual([200, 200, 429]);
  expect((await balance(a)).headers.get('x-ratelimit-remaining')).toBe('999');
  expect((await balance(b)).headers.get('x-ratelimit-remaining')).toBe('999');
  await a.control('PATCH', '/partners/partner_acme/settings', { ipAllowList: ['192.0.2.1'] });
  expect([(await balance(a)).status, (await balance(b)).status, (await balance(sandbox)).status]).toEqual([
    401, 200, 200,
  ]);
});
