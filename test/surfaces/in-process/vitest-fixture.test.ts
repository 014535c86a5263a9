import { afterAll, describe, expect } from 'vitest';
import { startServer } from '../../../src/index.ts';
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
  shared('a file has its own partner, with an API key and a card program', async ({ sandbox, partner }) => {
    expect(partner.apiKey).not.toBe(sandbox.apiKey);
    const init = { headers: { 'x-service-api-key': partner.apiKey } };
    const response = await sandbox.fetch(`/v1/partner/card-programs/${partner.programId}`, init);
    expect(response.status).toBe(200);
    await sandbox.clock.advance('1h');
  });

  shared('the tests of a file share one world', async ({ sandbox }) => {
    expect(await sandbox.clock.now()).toBe('2026-03-15T11:00:00.000Z');
  });
});

const server = await startServer({ fixtures: ['empty'] });
afterAll(() => server.close());
const connected = sandboxTest({ connect: { url: server.url } });

connected('a file has its own partner in a shared sandbox', async ({ sandbox, partner }) => {
  expect(sandbox.url).toBe(server.url);
  expect((await server.partners.list()).map(({ id }) => id)).toContain(partner.id);
});

connected('restore is refused for a shared sandbox', () => {
  expect(() => sandboxTest({ connect: { url: server.url }, restore: true })).toThrow(
    'restore: needs a sandbox',
  );
  expect(() => sandboxTest({ scope: 'worker', restore: true })).toThrow('restore: needs a sandbox');
});
