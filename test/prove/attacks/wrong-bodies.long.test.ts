import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { type Reply, startSandbox } from '../../support/sandbox.ts';

const SETTINGS = '/partners/partner_acme/settings';
const ROUNDS = size(3, 10);
/** How much longer than a body of the same size that is wrong once. Other tests run at the same time. */
const MOST = 3;
const SLACK_MS = 100;

/** The shortest time of several requests in milliseconds, and the last response. */
async function fastest(ask: () => Promise<Reply>): Promise<{ ms: number; reply: Reply }> {
  let ms = Number.POSITIVE_INFINITY;
  let reply = await ask();
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    reply = await ask();
    ms = Math.min(ms, performance.now() - startedAt);
  }
  return { ms, reply };
}

/** Fails when a body that is wrong many times costs much more than one that is wrong once. */
async function expectSameCost(once: () => Promise<Reply>, often: () => Promise<Reply>): Promise<void> {
  const [one, many] = [await fastest(once), await fastest(often)];
  expect([one.reply.status, many.reply.status]).toEqual([400, 400]);
  expect(many.reply.body.error.length).toBeLessThan(16_384);
  const isCheap = many.ms < one.ms * MOST + SLACK_MS;
  expect({ isCheap, once: one.ms, often: many.ms }).toMatchObject({ isCheap: true });
}

const LISTS: readonly [string, 'api' | 'control', string][] = [
  ['subscribedEvents', 'api', '/partner/webhooks/config'],
  ['ipAllowList', 'control', SETTINGS],
  ['allowedOrigins', 'control', SETTINGS],
];

test('list bomb: a list with 400,000 invalid entries costs no more than about a body of its size that is wrong once', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const sandbox = await startSandbox({ rateLimit: 0 });
  for (const [field, plane, path] of LISTS) {
    const once = JSON.stringify({ [field]: 1, padding: Array(400_000).fill(1) });
    const often = JSON.stringify({ [field]: Array(400_000).fill(1) });
    await expectSameCost(
      () => sandbox[plane]('PATCH', path, once),
      () => sandbox[plane]('PATCH', path, often),
    );
  }
  recordResult(context, `${LISTS.length} lists, 400000 invalid entries each`);
});

test('list bomb: a state document with problems in every row and timer costs no more than about one that is wrong once', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const count = size(30_000, 200_000);
  const { control } = await startSandbox();
  const { body } = await control('GET', '/state');
  const rows = { ...body.tables, cards: Array(count).fill({}) };
  const counts = { ...body.counts, cards: count };
  const timers = Array(count).fill({ kind: 1 });
  const wrong = (members: object) => JSON.stringify({ ...body, ...members });
  const documents: readonly [string, string][] = [
    [wrong({ version: 0, tables: rows, counts }), wrong({ tables: rows, counts })],
    [wrong({ version: 0, clock: { ...body.clock, timers } }), wrong({ clock: { ...body.clock, timers } })],
  ];
  for (const [once, often] of documents) {
    await expectSameCost(
      () => control('PUT', '/state', once),
      () => control('PUT', '/state', often),
    );
  }
  expect((await control('GET', '/state')).body).toEqual(body);
  recordResult(context, `${count} invalid rows, ${count} invalid timers`);
});
