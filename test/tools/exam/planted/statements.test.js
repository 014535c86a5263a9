import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createSandbox } from 'card-sandbox';
import { createReader, createStatements } from './statements.js';

let sandbox;
let statements;
beforeEach(() => {
  sandbox = createSandbox({ fixtures: ['empty'] });
  const { fetch, baseUrl } = sandbox;
  statements = createStatements(createReader({ fetch, baseUrl, apiKey: () => sandbox.apiKey }));
});
afterEach(() => sandbox.close());

const today = () => sandbox.clock.now();

test('the invoice of this month has the fees of its cards', async () => {
  for (let count = 0; count < 4; count++) await sandbox.simulate.card();
  const { cards, checks, total } = await statements.invoice((await today()).slice(0, 7));
  assert.deepEqual({ cards, checks }, { cards: 4, checks: 4 });
  assert.ok(total >= 0);
});

test('nothing happened last month', async () => {
  await sandbox.simulate.card();
  assert.deepEqual(await statements.lastMonth(await today()), { cards: 0, checks: 0, total: 0 });
});

test('the next statement comes next month', async () => {
  const now = await today();
  const [year, month] = now.split('-').map(Number);
  const expected = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
  assert.equal(statements.nextStatement(now).slice(0, 7), expected);
});

test('the fees of the year are at least those of the month', async () => {
  await sandbox.simulate.card();
  const now = await today();
  const { total } = await statements.invoice(now.slice(0, 7));
  assert.equal(await statements.lastYear(now), total);
});

test('the invoice has the fees of transactions', async () => {
  const { id: cardId } = await sandbox.simulate.card();
  const period = (await today()).slice(0, 7);
  const before = await statements.invoice(period);
  await sandbox.simulate.authorize({ cardId, amount: 10 });
  const { total, ...counts } = await statements.invoice(period);
  assert.deepEqual(counts, { cards: before.cards, checks: before.checks });
  assert.ok(total >= before.total);
});
