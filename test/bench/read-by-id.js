// Does reading a cardholder by id cost the same among 100,000 as among 100? Run with `npm run bench`.
// Both sandboxes run in this process and take turns, so that a slow machine slows both.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '../../dist/sandbox.js';
import { serve } from '../../dist/surfaces/server.js';

const ROUNDS = 15;
const READS = 2_000;
const HEADERS = { 'x-service-api-key': 'sk_test_acme_0123456789abcdef' };

const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const few = await sandboxWith(100);
const many = await sandboxWith(100_000);
try {
  console.log('GET /partner/cardholders/{id}, 100,000 cardholders over 100 (median read of each round):');
  await compare('over HTTP', each => path => readOverHttp(each, path));
  await compare('in process', each => path => readInProcess(each, path));
} finally {
  agent.destroy();
  for (const { sandbox, server } of [few, many]) {
    sandbox.stop();
    await server.close(0);
  }
  rmSync(folder, { recursive: true });
}

/** A served sandbox with so many cardholders, and the ids of some spread over all of them. */
async function sandboxWith(count) {
  const file = join(folder, `${count}.yaml`);
  writeFileSync(file, `cardholders: [{ generate: ${count} }]\n`);
  const sandbox = createSandbox({ fixtures: ['empty', file], rateLimit: 0, freeze: true });
  const server = await serve(sandbox, { port: 0, host: '127.0.0.1', trustProxy: false, controlToken: '' });
  const ids = [];
  for (let page = 1; page <= count / 100; page += Math.max(1, count / 10_000)) {
    const { body } = sandbox.handle(request('/v1/partner/cardholders', `limit=100&page=${page}`));
    ids.push(...JSON.parse(body).data.map(each => each.id));
  }
  return { sandbox, server, ids };
}

async function compare(label, readerOf) {
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const base = await medianRead(few, readerOf(few));
    ratios.push((await medianRead(many, readerOf(many))) / base);
  }
  ratios.sort((a, b) => a - b);
  const [least, middle, most] = [0, ROUNDS >> 1, ROUNDS - 1].map(place => ratios[place].toFixed(2));
  console.log(
    `  ${label.padEnd(10)}  median ${middle}, from ${least} to ${most} (${ROUNDS} rounds of ${READS} reads)`,
  );
}

/** The median time of one read, in milliseconds. */
async function medianRead({ ids }, read) {
  const times = [];
  for (let count = 0; count < READS; count++) {
    const path = `/v1/partner/cardholders/${ids[(count * 7919) % ids.length]}`;
    const start = performance.now();
    const status = await read(path);
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`unexpected status ${status}`);
  }
  return times.sort((a, b) => a - b)[READS >> 1];
}

function readOverHttp({ server }, path) {
  return new Promise((resolve, reject) => {
    get(server.origin + path, { agent, headers: HEADERS }, response => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    }).on('error', reject);
  });
}

function readInProcess({ sandbox }, path) {
  return sandbox.handle(request(path, '')).status;
}

function request(path, query) {
  return { method: 'GET', path, query, headers: HEADERS, body: new Uint8Array(), remoteAddress: '127.0.0.1' };
}
