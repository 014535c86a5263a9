// Does reading a cardholder by id cost the same among 100,000 as among 100? Run with `npm run bench`.
// Both sandboxes run in this process and take turns, so that a slow machine slows both.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '../../dist/index.js';

const ROUNDS = 15;
const READS = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-bench-'));
try {
  const few = sandboxWith(100);
  const many = sandboxWith(100_000);
  const fewTimes = [];
  const manyTimes = [];
  for (let round = 0; round < ROUNDS; round++) {
    fewTimes.push(timeReads(few));
    manyTimes.push(timeReads(many));
  }
  const ratios = manyTimes.map((time, round) => time / fewTimes[round]).sort((a, b) => a - b);
  console.log('GET /partner/cardholders/{id}, 100,000 cardholders over 100:');
  console.log(
    `  median ${at(ratios, 0.5)}, from ${at(ratios, 0)} to ${at(ratios, 1)} (${ROUNDS} rounds of ${READS} reads)`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** A sandbox with so many cardholders, and the ids of some spread over all of them. */
function sandboxWith(count) {
  const file = join(folder, `${count}.yaml`);
  writeFileSync(file, `cardholders: [{ generate: ${count} }]\n`);
  const sandbox = createSandbox({ fixtures: ['empty', file], rateLimit: 0, freeze: true });
  const ids = [];
  for (let page = 1; page <= count / 100; page += Math.max(1, count / 10_000)) {
    const { body } = sandbox.handle(get(`limit=100&page=${page}`));
    ids.push(...JSON.parse(body).data.map(each => each.id));
  }
  return { sandbox, ids };
}

function timeReads({ sandbox, ids }) {
  const start = performance.now();
  for (let read = 0; read < READS; read++) {
    const { status } = sandbox.handle(get('', `/${ids[(read * 7919) % ids.length]}`));
    if (status !== 200) throw new Error(`unexpected status ${status}`);
  }
  return performance.now() - start;
}

function get(query, id = '') {
  return {
    method: 'GET',
    path: `/v1/partner/cardholders${id}`,
    query,
    headers: { 'x-service-api-key': 'sk_test_acme_0123456789abcdef' },
    body: new Uint8Array(),
    remoteAddress: '127.0.0.1',
  };
}

function at(sorted, share) {
  return sorted[Math.round(share * (sorted.length - 1))].toFixed(2);
}
