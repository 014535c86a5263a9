import { writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox, defineFixture, type Sandbox, startServer } from '../../../src/index.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { ACME_KEY, newCardholder, START } from '../../support/sandbox.ts';

const OPTIONS = { fixtures: ['starter'], clock: START, freeze: true };

/** Where a sandbox can run; each returns its handle. One on a port is called as one in process. */
const PLACES: [place: string, open: () => Promise<Sandbox>][] = [
  ['in process', async () => closed(createSandbox(OPTIONS))],
  ['elsewhere', async () => connect({ url: closed(await startServer(OPTIONS)).url })],
];

function closed(sandbox: Sandbox): Sandbox {
  onTestFinished(() => sandbox.close());
  return sandbox;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are valid
const person = () => newCardholder() as any;

describe.each(PLACES)('a sandbox %s', (_place, open) => {
  test('creates worlds whose handles speak to them alone', async () => {
    const sandbox = await open();
    const world = await sandbox.worlds.create({ id: 'blue', fixtures: ['empty'] });
    expect(sandbox.world).toBe('main');
    expect(world).toMatchObject({ world: 'blue', url: sandbox.url, baseUrl: sandbox.baseUrl });
    await world.ready;
    expect(world.apiKey).toMatch(/^sk_test_/);
    expect(world.apiKey).not.toBe(sandbox.apiKey);
    const { email } = await world.api.cardholders.create(person());
    expect((await world.api.cardholders.list()).total).toBe(1);
    expect((await sandbox.api.cardholders.list({ email })).total).toBe(0);
    await world.clock.advance('1h');
    await world.faults.add({ path: '/partner/balance', status: 503 });
    expect([await world.clock.now(), await sandbox.clock.now()]).toEqual(['2026-03-15T11:00:00.000Z', START]);
    await expect(world.api.balance.get()).rejects.toMatchObject({ status: 503 });
    expect(await sandbox.faults.list()).toEqual([]);
    await sandbox.reset();
    expect((await world.api.cardholders.list()).total).toBe(1);
    await world.reset();
    expect((await world.api.cardholders.list()).total).toBe(0);
  });

  test('gives the partners of a world handles of their own', async () => {
    const sandbox = await open();
    const world = await sandbox.worlds.create();
    const globex = world.as('partner_globex');
    expect(globex.world).toBe(world.world);
    expect(globex.apiKey).not.toBe(sandbox.as('partner_globex').apiKey);
    const available = async (sandboxOrPartner: Pick<Sandbox, 'api'>) =>
      (await sandboxOrPartner.api.balance.get()).available;
    const before = await available(globex);
    await globex.simulate.topUp({ amount: 5 });
    expect(await available(globex)).toBe(before + 5);
    expect(await available(sandbox.as('partner_globex'))).toBe(before);
    const added = await world.partners.create({ name: 'Mine' });
    const mine = world.as(added);
    await mine.ready;
    expect(mine.apiKey).toBe(added.apiKey);
    await expect(sandbox.as(added.id).ready).rejects.toMatchObject({ status: 404 });
  });

  test('sends requests of fetch to the world, control plane included', async () => {
    const sandbox = await open();
    const world = await sandbox.worlds.create({ id: 'blue' });
    const advance = {
      method: 'POST',
      body: '{"duration":"1h"}',
      headers: { 'content-type': 'application/json' },
    };
    await world.fetch('/_sandbox/clock/advance', advance);
    await world.fetch(new Request(`${world.url}/_sandbox/clock/advance`, advance));
    expect(await (await world.fetch(`${world.url}/_sandbox/clock`)).json()).toMatchObject({
      now: '2026-03-15T12:00:00.000Z',
    });
    expect(await sandbox.clock.now()).toBe(START);
    const main = await world.fetch('/_sandbox/worlds/main/clock');
    expect(await main.json()).toMatchObject({ now: START });
    const headers = { 'x-service-api-key': world.apiKey };
    expect((await world.fetch('/v1/partner/cards', { headers })).status).toBe(200);
    expect(await world.requests.list()).toHaveLength(1);
    expect(await sandbox.requests.list()).toEqual([]);
  });

  test('ends a world when its handle is closed, and only then', async () => {
    const sandbox = await open();
    const world = await sandbox.worlds.create({ id: 'blue' });
    expect((await sandbox.worlds.list()).map(({ id }) => id)).toEqual(['main', 'blue']);
    const { partners, controlUrl } = await sandbox.worlds.get('blue');
    expect(partners[0]?.apiKey).toBe(world.apiKey);
    expect(controlUrl).toBe(`${sandbox.url}/_sandbox/worlds/blue`);
    const waiting = world.webhooks.wait({ timeoutMs: 60_000 });
    const rejected = expect(waiting).rejects.toMatchObject({ status: 404 });
    await world.clock.now();
    await Promise.all([world.close(), world.close()]);
    await rejected;
    await expect(world.clock.now()).rejects.toThrow('no world "blue"');
    await expect(world.api.balance.get()).rejects.toMatchObject({ status: 401 });
    await expect(sandbox.worlds.get('blue')).rejects.toMatchObject({ status: 404 });
    expect(await sandbox.clock.now()).toBe(START);
    {
      await using scoped = await sandbox.worlds.create({ id: 'green' });
      expect(await scoped.clock.now()).toBe(START);
    }
    expect(await sandbox.worlds.list()).toHaveLength(1);
    const removed = await sandbox.worlds.create({ id: 'red' });
    await removed.worlds.remove('red');
    await removed.close();
    await expect(sandbox.worlds.remove('main')).rejects.toMatchObject({ status: 400 });
  });

  test('calls with the new key after a rotation, and the old key works until its grace period ends', async () => {
    const sandbox = await open();
    const before = sandbox.apiKey;
    const [first] = await sandbox.partners.list();
    const { apiKey } = await sandbox.partners.rotateKey(first?.id ?? '', { gracePeriod: '1h' });
    expect([sandbox.apiKey, sandbox.as(first?.id ?? '').apiKey]).toEqual([apiKey, apiKey]);
    expect(apiKey).not.toBe(before);
    const headers = { 'x-service-api-key': before };
    const statusOfOld = async () => (await sandbox.fetch('/v1/partner/balance', { headers })).status;
    expect(await statusOfOld()).toBe(200);
    await sandbox.clock.advance('1h');
    expect(await statusOfOld()).toBe(401);
    expect(await sandbox.api.balance.get()).toMatchObject({ held: expect.any(Number) });
  });

  test('copies a world by its handle, and loads a state', async () => {
    const sandbox = await open();
    const source = await sandbox.worlds.create({ fixtures: ['empty'] });
    const { id } = await source.api.cardholders.create(person());
    const copy = await source.worlds.create({ from: source });
    const loaded = await sandbox.worlds.create({ state: await source.state.export() });
    const copyOfMain = await source.worlds.create({ from: sandbox });
    for (const world of [copy, loaded]) expect(await world.api.cardholders.get(id)).toMatchObject({ id });
    expect((await copyOfMain.api.cardholders.list()).total).toBeGreaterThan(1);
    expect(new Set([source, copy, loaded, copyOfMain, sandbox].map(each => each.apiKey)).size).toBe(5);
  });

  test('reads and builds the fixtures of a world where it is created', async () => {
    const sandbox = await open();
    const file = await temporaryFile('people.yaml');
    await writeFile(
      file,
      'cardholders:\n  - { id: ch_from_file, email: f@example.com, externalUserId: from-file }\n',
    );
    const inCode = defineFixture(async ({ cardholders, seed }) => {
      await cardholders.create({
        id: `ch_code_${seed}`,
        email: 'c@example.com',
        externalUserId: 'from-code',
      });
    });
    const content = {
      cardholders: [{ id: 'ch_content', email: 'o@example.com', externalUserId: 'from-content' }],
    };
    const world = await sandbox.worlds.create({ fixtures: ['empty', file, inCode, content] });
    const { data } = await world.api.cardholders.list();
    expect(data.map(({ id }) => id).sort()).toEqual(['ch_code_42', 'ch_content', 'ch_from_file']);
    const seeded = await sandbox.worlds.create({ fixtures: ['empty', inCode], seed: 7 });
    expect((await seeded.api.cardholders.list()).data.map(({ id }) => id)).toEqual(['ch_code_7']);
    const saved = await temporaryFile('saved.json');
    await writeFile(saved, JSON.stringify(await world.state.export()));
    const again = await sandbox.worlds.create({ fixtures: [saved] });
    expect((await again.api.cardholders.list()).total).toBe(3);
    await expect(sandbox.worlds.create({ fixtures: ['empty', saved] })).rejects.toThrow(
      `${saved}: is a saved state`,
    );
  });
});

test('mistakes in the options of a world are reported before or by the server', async () => {
  const sandbox = closed(createSandbox(OPTIONS));
  const create = (options: unknown) => sandbox.worlds.create(options as object);
  await expect(create({ fixtures: ['startre'] })).rejects.toThrow('did you mean "starter"?');
  await expect(create({ fixtures: 'empty' })).rejects.toThrow('fixtures: must be an array of fixtures');
  await expect(create({ fixtures: [{ cardholder: [] }] })).rejects.toThrow(
    'fixture 1: cardholder: is unknown',
  );
  await expect(create({ freez: true })).rejects.toThrow('body.freez');
  await expect(create({ kycDelay: 'soon' })).rejects.toThrow('body.kycDelay');
  await expect(create({ webhookReceiver: () => new Response() })).rejects.toThrow(
    'webhookReceiver: cannot be set for a world',
  );
  await expect(create('blue')).rejects.toThrow('options: must be an object');
  await expect(create({ from: 'nope' })).rejects.toThrow('there is no world "nope"');
  expect(await sandbox.worlds.list()).toHaveLength(1);
});

test('connect gives the handle of an existing world, whose close does not end it', async () => {
  const server = closed(await startServer(OPTIONS));
  const created = await server.worlds.create({ id: 'blue' });
  const elsewhere = await connect({ url: server.url, world: 'blue' });
  expect(elsewhere).toMatchObject({ world: 'blue', apiKey: created.apiKey });
  await elsewhere.clock.advance('1h');
  expect(await created.clock.now()).toBe('2026-03-15T11:00:00.000Z');
  await elsewhere.close();
  expect(await created.clock.now()).toBe('2026-03-15T11:00:00.000Z');
  expect(await connect({ url: server.url, world: 'main' })).toMatchObject({
    world: 'main',
    apiKey: ACME_KEY,
  });
});

test('connect names the world that does not exist, and those that do', async () => {
  const server = closed(await startServer(OPTIONS));
  await server.worlds.create({ id: 'blue' });
  const missing = connect({ url: server.url, world: 'bleu' });
  await expect(missing).rejects.toMatchObject({ name: 'RefusedError', status: 404 });
  await expect(missing).rejects.toThrow('no world "bleu", did you mean "blue"?');
  await expect(connect({ url: server.url, world: '' })).rejects.toThrow('world: must be the id of a world');
});

test('the handle of a world closes quietly when its sandbox has stopped', async () => {
  const sandbox = createSandbox(OPTIONS);
  const world = await sandbox.worlds.create();
  await sandbox.close();
  await world.close();
  await expect(world.clock.now()).rejects.toThrow('the sandbox is closed');
});

test('worlds in process send their webhooks to the receiver of the sandbox', async () => {
  const received: unknown[] = [];
  const sandbox = closed(
    createSandbox({
      ...OPTIONS,
      async webhookReceiver(request) {
        received.push(await request.json());
        return new Response();
      },
    }),
  );
  const world = await sandbox.worlds.create({ forwardTo: 'https://app.test/webhooks' });
  await world.simulate.topUp({ amount: 5 });
  await world.webhooks.wait({ eventType: 'balance.top_up', status: 'delivered', timeoutMs: 60_000 });
  expect(received).toMatchObject([{ eventType: 'balance.top_up' }]);
  expect(await sandbox.webhooks.list({ eventType: 'balance.top_up' })).toEqual([]);
});
