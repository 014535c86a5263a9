import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connect as connectTo, startServer } from '../../../src/index.ts';
import { sandboxTest } from '../../../src/vitest.ts';
import { START } from '../../support/sandbox.ts';

const restored = sandboxTest({ clock: START, restore: true });
const shared = sandboxTest({ clock: START, scope: 'worker' });

describe('with restore', () => {
  const seen: string[] = [];

  restored.beforeEach(async ({ sandbox }) => {
    await sandbox.simulate.topUp({ amount: 1 });
  });

  for (const count of [1, 2, 3]) {
    restored(`test ${count} finds the world as the first one did`, async ({ sandbox, partner }) => {
      const { available } = await sandbox.simulate.topUp({ amount: 5 });
      expect(available).toBe(5_006);
      expect(await sandbox.clock.now()).toBe(START);
      await sandbox.clock.advance('1h');
      seen.push(partner.apiKey);
    });
  }

  afterAll(() => {
    expect(new Set(seen).size).toBe(1);
  });
});

describe('without restore', () => {
  const keys = new Set<string>();
  const times: string[] = [];

  for (const count of [1, 2]) {
    shared(`test ${count} has the partner and the world of its file`, async ({ sandbox, partner }) => {
      expect(partner.apiKey).not.toBe(sandbox.apiKey);
      const init = { headers: { 'x-service-api-key': partner.apiKey } };
      const response = await sandbox.fetch(`/v1/partner/card-programs/${partner.programId}`, init);
      expect(response.status).toBe(200);
      keys.add(partner.apiKey);
      times.push(await sandbox.clock.now());
      await sandbox.clock.advance('1h');
    });
  }

  afterAll(() => {
    expect(keys.size).toBe(1);
    expect(times).toEqual([START, '2026-03-15T11:00:00.000Z']);
  });
});

const records = join(mkdtempSync(join(tmpdir(), 'records-')), 'records');
const recorded = sandboxTest({ records });

describe('with a folder for records', () => {
  recorded.fails('a test that is to fail leaves no record', async ({ sandbox }) => {
    await sandbox.api.cards.get('card_none');
  });

  afterAll(() => {
    expect(existsSync(records)).toBe(false);
  });
});

const server = await startServer({ fixtures: ['empty'] });
await server.worlds.create({ id: 'shared' });
afterAll(() => server.close());
const connect = { url: server.url };
const connected = sandboxTest({ connect, clock: START, freeze: true, restore: true });
const again = sandboxTest({ connect });
const inOneWorld = sandboxTest({ connect: { ...connect, world: 'shared' } });
const ownWorlds = new Set<string>();
const otherWorlds = new Set<string>();

describe('connected to a running sandbox', () => {
  for (const count of [1, 2]) {
    connected(
      `test ${count} finds the world of its file as the first one did`,
      async ({ sandbox, partner }) => {
        expect(sandbox).toMatchObject({ url: server.url, world: expect.stringMatching(/^world_/) });
        const { available } = await sandbox.simulate.topUp({ amount: 5 });
        expect(available).toBe(10_005);
        expect(await sandbox.clock.now()).toBe(START);
        await sandbox.clock.advance('1h');
        expect((await sandbox.partners.list()).map(({ id }) => id)).toContain(partner.id);
        expect((await server.partners.list()).map(({ id }) => id)).not.toContain(partner.id);
        ownWorlds.add(sandbox.world);
      },
    );
  }

  again('another fixture has another world', ({ sandbox }) => {
    otherWorlds.add(sandbox.world);
  });

  afterAll(() => {
    expect([ownWorlds.size, otherWorlds.size]).toEqual([1, 1]);
    expect(ownWorlds).not.toEqual(otherWorlds);
  });

  inOneWorld(
    'a world that is named is shared, and a file has its own partner in it',
    async ({ sandbox, partner }) => {
      expect(sandbox.world).toBe('shared');
      const elsewhere = await connectTo({ ...connect, world: 'shared' });
      expect((await elsewhere.partners.list()).map(({ id }) => id)).toContain(partner.id);
    },
  );

  test('options that a world cannot have are refused', async () => {
    const { worlds } = await connectTo(connect);
    const before = (await worlds.list()).length;
    await expect(worlds.create({ egress: 'any' } as object)).rejects.toThrow('body.egress');
    expect(await worlds.list()).toHaveLength(before);
  });
});

test('restore is refused for a world that other files use', () => {
  const named = { ...connect, world: 'shared' };
  expect(() => sandboxTest({ connect: named, restore: true })).toThrow('restore: needs a world');
  expect(() => sandboxTest({ scope: 'worker', restore: true })).toThrow('restore: needs a world');
});

test('the name of a test is not taken for options', () => {
  const wrong = sandboxTest as unknown as (name: string) => unknown;
  expect(() => wrong('lists cards')).toThrow(
    'options: must be an object; call the test that sandboxTest({}) returns',
  );
});

test('options of a new world are refused beside the name of one that runs', () => {
  const named = { ...connect, world: 'shared' };
  expect(() => sandboxTest({ connect: named, clock: START })).toThrow(
    'clock: is for a new world, and connect.world names one that runs; omit one of them',
  );
});
