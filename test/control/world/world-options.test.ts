import { expect, test } from 'vitest';
import { subscribe } from '../../support/receiver.ts';
import { type Json, newCardholder, START, startSandbox } from '../../support/sandbox.ts';
import { newWorld } from '../../support/worlds.ts';

const FIXTURE = {
  partners: [{ id: 'partner_one', name: 'One', apiKey: 'sk_test_one', balance: 5 }],
};

/** Invalid requests, with the member that the message must name. */
const INVALID: readonly (readonly [string, Json])[] = [
  ...[
    '',
    'main',
    'taken',
    'assets',
    'present',
    '-a',
    '_a',
    'a b',
    'a/b',
    'a.b',
    'é',
    'a'.repeat(65),
    7,
    null,
  ].map(id => ['id', { id }] as const),
  ...[[], 'starter', ['none'], ['./fixtures/starter.yaml'], ['/etc/hosts'], ['Starter'], [7]].map(
    fixtures => ['fixtures', { fixtures }] as const,
  ),
  ['fixtures[0]', { fixtures: [{ partners: [{ id: 7 }] }] }],
  ['fixtures[1]', { fixtures: ['starter', { cardholderz: [] }] }],
  ['fixtures[0]', { fixtures: [{ cardholders: [] }] }],
  ...[-1, 1.5, '7', null, 2 ** 60].map(seed => ['seed', { seed }] as const),
  ...['noon', '', 7, '99999-01-01'].map(clock => ['clock', { clock }] as const),
  ...['yes', 1, null].map(freeze => ['freeze', { freeze }] as const),
  ...[0, -1, '2', null].map(retrySpeed => ['retrySpeed', { retrySpeed }] as const),
  ...['soon', '', '-1s', 2].map(kycDelay => ['kycDelay', { kycDelay }] as const),
  ...[-1, 1.5, 1_000_001, '5'].map(rateLimit => ['rateLimit', { rateLimit }] as const),
  ...['yes', 1].map(allowHttpWebhooks => ['allowHttpWebhooks', { allowHttpWebhooks }] as const),
  ...['nowhere', '', 'ftp://127.0.0.1/', 7].map(forwardTo => ['forwardTo', { forwardTo }] as const),
  ...['nobody', '', 7, 'Main'].map(from => ['from', { from }] as const),
  ...[{}, [], 'state', { format: 'card-sandbox-state', version: 99 }].map(
    state => ['state', { state }] as const,
  ),
  ['state', { from: 'main', state: {} }],
  ...['abc', '', '-1h', '1', 60, 'never'].map(ttl => ['ttl', { ttl }] as const),
  ['seed', { from: 'main', seed: 1 }],
  ['clock', { from: 'main', clock: START }],
  ['fixtures', { from: 'main', fixtures: ['empty'] }],
  ...['name', 'tll', 'world', 'maxWorlds', 'egress', 'webhookCa', 'map'].map(
    name => [name, { [name]: '1' }] as const,
  ),
];

test('every invalid member of a new world is a 400 that names it and creates nothing', async () => {
  const { control } = await startSandbox();
  await control('POST', '/worlds', { id: 'taken' });
  for (const [member, body] of INVALID) {
    const reply = await control('POST', '/worlds', body);
    expect([body, reply.status]).toEqual([body, 400]);
    const named = `body.${member}`.replace(/[.[\]]/g, '\\$&');
    expect(reply.body.error).toMatch(new RegExp(`^${named}[:.[]`));
    expect(reply.body.error).not.toMatch(/ENOENT|node:|<anonymous>/);
  }
  const { body } = await control('GET', '/worlds');
  expect(body.map(({ id }: Json) => id)).toEqual(['main', 'taken']);
});

test('ids are told apart by case, and may be percent-encoded in any path', async () => {
  const sandbox = await startSandbox();
  const [lower, upper] = [
    await newWorld(sandbox, { id: 'blue-1' }),
    await newWorld(sandbox, { id: 'Blue-1' }),
  ];
  await upper.control('POST', '/clock/advance', { duration: '1h' });
  expect((await lower.control('GET', '/clock')).body.now).toBe(START);
  for (const path of ['/worlds/%42lue%2D1/clock', '/worlds/Blue-1/clock']) {
    expect((await sandbox.control('GET', path)).body.now).toBe('2026-03-15T11:00:00.000Z');
  }
  expect((await sandbox.control('GET', '/worlds/%42lue-1')).body.id).toBe('Blue-1');
  const statuses = ['/worlds/%/clock', '/worlds/blue-1%2Fclock', '/worlds//clock', '/worlds/BLUE-1/clock'];
  const replies = await Promise.all(statuses.map(path => sandbox.control('GET', path)));
  expect(replies.map(({ status }) => status)).toEqual([400, 404, 404, 404]);
});

test('a path names one world only', async () => {
  const sandbox = await startSandbox();
  await newWorld(sandbox, { id: 'a' });
  await newWorld(sandbox, { id: 'b' });
  for (const path of [
    '/worlds/a/worlds/b',
    '/worlds/a/worlds/b/clock',
    '/worlds/main/worlds',
    '/worlds/a/worlds',
  ]) {
    expect((await sandbox.control('GET', path)).status).toBe(404);
  }
  expect((await sandbox.control('DELETE', '/worlds/a/worlds/b')).status).toBe(404);
  expect((await sandbox.control('GET', '/worlds/main/clock')).body).toEqual(
    (await sandbox.control('GET', '/clock')).body,
  );
  expect((await sandbox.control('GET', '/worlds/b')).status).toBe(200);
});

test('info of a world has its partners, its seed and its options; health and assumptions are those of the server', async () => {
  const sandbox = await startSandbox();
  const options = { seed: 7, rateLimit: 5, kycDelay: '9s', ttl: '30m', allowHttpWebhooks: true };
  const { control, keys } = await newWorld(sandbox, { id: 'a', fixtures: [FIXTURE], ...options });
  const { ttl, ...others } = options;
  expect((await sandbox.control('GET', '/worlds/a')).body).toMatchObject({
    id: 'a',
    url: sandbox.origin,
    controlUrl: `${sandbox.origin}/_sandbox/worlds/a`,
    baseUrl: `${sandbox.origin}/v1`,
    dashboardUrl: `${sandbox.origin}/dashboard/a`,
  });
  expect((await control('GET', '/info')).body).toMatchObject({
    seed: 7,
    dashboardUrl: `${sandbox.origin}/dashboard/a`,
    baseUrl: `${sandbox.origin}/v1`,
    options: { ...others, worldTtl: ttl, fixtures: ['body.fixtures[0]'], freeze: true, state: null },
    partners: [{ id: 'partner_one', name: 'One', apiKey: keys[0] }],
  });
  expect((await sandbox.control('GET', '/info')).body).toMatchObject({
    seed: 42,
    options: { rateLimit: 1_000, worldTtl: '1h' },
  });
  for (const path of ['/health', '/assumptions']) {
    expect((await control('GET', path)).body).toEqual((await sandbox.control('GET', path)).body);
  }
});

test('a world besides main cannot be saved to a file', async () => {
  const { control } = await newWorld(await startSandbox(), { id: 'a' });
  const { status, body } = await control('POST', '/state/save');
  expect(status).toBe(400);
  expect(body.error).toMatch(
    /has no state file, which only main can have; .*GET \/_sandbox\/worlds\/a\/state/,
  );
});

test('the number of worlds is limited, and a place becomes free when one ends', async () => {
  const none = await startSandbox({ maxWorlds: 0 });
  const refused = await none.control('POST', '/worlds', {});
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/--max-worlds/) } });
  const { control } = await startSandbox({ maxWorlds: 1 });
  expect((await control('POST', '/worlds', { id: 'a' })).status).toBe(201);
  expect((await control('POST', '/worlds', { id: 'b' })).status).toBe(400);
  expect((await control('GET', '/worlds/b')).status).toBe(404);
  expect((await control('DELETE', '/worlds/a')).status).toBe(204);
  expect((await control('GET', '/worlds/a')).status).toBe(404);
  expect((await control('DELETE', '/worlds/main')).status).toBe(400);
  expect((await control('POST', '/worlds', { id: 'b' })).status).toBe(201);
});

test('a copy and its source go on by themselves, and a reset of the copy goes back to the moment of the copy', async () => {
  const { api, control, ...sandbox } = await startSandbox();
  await subscribe({ api }, ['balance.top_up']);
  await control('POST', '/balance/top-up', { amount: 5 });
  await control('POST', '/deliveries/settle', {});
  await control('POST', '/clock/advance', { duration: '1h' });
  const copy = await newWorld({ api, control, ...sandbox }, { from: 'main', id: 'copy' });
  const ids = (body: Json) => body.data.map(({ id }: Json) => id);
  const added = newCardholder();
  const inMain = await api('POST', '/partner/cardholders', added);
  const inCopy = await copy.api('POST', '/partner/cardholders', added);
  // Both draw the next id of the same stream.
  expect(inCopy.body).toEqual(inMain.body);
  await copy.api('POST', '/partner/cardholders', newCardholder());
  await copy.control('POST', '/clock/advance', { duration: '1d' });
  expect(ids((await api('GET', '/partner/cardholders')).body)).toHaveLength(1);
  expect((await control('GET', '/clock')).body.now).toBe('2026-03-15T11:00:00.000Z');
  await copy.control('POST', '/reset');
  expect((await copy.control('GET', '/clock')).body.now).toBe('2026-03-15T11:00:00.000Z');
  expect((await copy.api('GET', '/partner/cardholders')).body.total).toBe(0);
  expect((await copy.api('GET', '/partner/webhooks/config')).body.subscribedEvents).toEqual([
    'balance.top_up',
  ]);
  await control('POST', '/reset');
  expect((await copy.api('GET', '/partner/webhooks/config')).body.subscribedEvents).toEqual([
    'balance.top_up',
  ]);
});

test('the clock of a copy and of a document is as it was, unless freeze says otherwise', async () => {
  const sandbox = await startSandbox({ freeze: false });
  const { state } = await newWorld(sandbox, { id: 'frozen', freeze: true });
  const document = JSON.parse(await state());
  const modeOf = async (options: Json) =>
    (await (await newWorld(sandbox, options)).control('GET', '/clock')).body.mode;
  for (const start of [{ from: 'frozen' }, { state: document }]) {
    expect(await modeOf(start)).toBe('frozen');
    expect(await modeOf({ ...start, freeze: true })).toBe('frozen');
    expect(await modeOf({ ...start, freeze: false })).toBe('running');
  }
  expect(await modeOf({ from: 'main', freeze: true })).toBe('frozen');
});
