import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../../sandbox/fixtures/fixture-files.ts';
import { largeState } from '../../sandbox/state/large-state.ts';
import { recordResult, size } from '../../support/proof/proof-size.ts';
import { ACME_KEY, newCardholder, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const idsOf = async ({ control }: TestSandbox): Promise<string[]> =>
  (await control('GET', '/history')).body.map(({ id }: { id: string }) => id);

test('the 1,001st entry drops the oldest, which is a 404 then', async () => {
  const sandbox = await startSandbox({ rateLimit: 0 });
  const first = (await sandbox.api('GET', '/partner/cards')).headers.get('x-sandbox-request');
  for (let count = 0; count < 20; count++) {
    await Promise.all(Array.from({ length: 50 }, () => sandbox.api('GET', '/partner/cards')));
  }
  const ids = await idsOf(sandbox);
  expect(ids).toHaveLength(1_000);
  expect(ids).not.toContain(first);
  expect((await sandbox.control('POST', '/rewind', { to: first })).status).toBe(404);
  expect((await sandbox.control('POST', '/rewind', { steps: 1_000 })).body.undone).toBe(1_000);
});

test('older entries are dropped when their bodies exceed 32 MiB', async () => {
  const sandbox = await startSandbox({ rateLimit: 0 });
  const note = 'x'.repeat(1_000_000);
  for (let count = 0; count < 36; count++) {
    await sandbox.api('POST', '/partner/cardholders', { ...newCardholder(), note });
  }
  expect(await idsOf(sandbox)).toHaveLength(33);
});

const requestTo = (method: string, path: string, body?: unknown) => ({
  method,
  path,
  query: '',
  headers: { 'x-service-api-key': ACME_KEY, host: '127.0.0.1', 'content-type': 'application/json' },
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  remoteAddress: '127.0.0.1',
});

/** The time of a piece of work in milliseconds: the median, so that other processes hardly change it. */
async function medianOf(work: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < 15; sample++) times.push(await work());
  return times.sort((a, b) => a - b)[7] ?? 0;
}

const MANY = size(50_000, 250_000);

test(`a rewind in a world of ${(MANY * 1.2).toLocaleString('en')} records takes at most 50 ms`, async context => {
  const person = newCardholder({ externalUserId: 'new', email: 'new@example.com' });
  const measured: Record<string, number> = {};
  for (const cardholders of [100, MANY]) {
    const file = join(temporaryFolder(), 'large.json');
    await pipeline(Readable.from(largeState(cardholders)), createWriteStream(file));
    const sandbox = createSandboxCore({ fixtures: [file], freeze: true });
    measured[cardholders] = await medianOf(async () => {
      const created = sandbox.handle(requestTo('POST', '/v1/partner/cardholders', person));
      expect(created.status).toBe(201);
      const start = performance.now();
      const { status } = await sandbox.control(requestTo('POST', '/_sandbox/rewind', { steps: 1 }));
      const time = performance.now() - start;
      expect(status).toBe(200);
      return time;
    });
    sandbox.stop();
  }
  recordResult(context, JSON.stringify(measured));
  expect(measured[MANY]).toBeLessThan(50);
});
