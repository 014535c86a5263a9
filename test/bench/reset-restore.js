// How long do a reset and a restore take beside an empty request? Run with `npm run bench`. All over HTTP, in turns
// and in one process, so that a slow machine slows all of them.
import { Agent, request } from 'node:http';
import { createSandbox } from '../../dist/sandbox.js';
import { serve } from '../../dist/surfaces/server.js';

const ROUNDS = 15;
const CALLS = 60;
const RECORDS = 10_000;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const options = { rateLimit: 0, freeze: true };
const starter = await served({ ...options, fixtures: ['starter'] });
const fixed = await served({ ...options, fixtures: ['starter'], clock: '2026-01-31T12:00:00Z' });
const large = await served({ ...options, fixtures: ['empty'] });
try {
  await fill(large, RECORDS);
  await call(large, 'POST', '/checkpoints/full');
  console.log(`median time over that of an empty request (GET health), ${ROUNDS} rounds of ${CALLS}:`);
  await compare('reset, starter', starter, () => call(starter, 'POST', '/reset'));
  await compare('reset, starter, --clock', fixed, () => call(fixed, 'POST', '/reset'));
  const restore = () => call(large, 'POST', '/checkpoints/full/restore');
  await compare(`restore of ${RECORDS} records`, large, restore);
  await compare('… and the first write after it', large, async () => {
    await restore();
    await call(large, 'POST', '/share-tokens');
  });
} finally {
  agent.destroy();
  for (const { sandbox, server } of [starter, fixed, large]) {
    sandbox.stop();
    await server.close(0);
  }
}

async function served(options) {
  const sandbox = createSandbox(options);
  const server = await serve(sandbox, { port: 0, host: '127.0.0.1', trustProxy: false, controlToken: '' });
  return { sandbox, server };
}

/** Mints share tokens until the world has so many records. */
async function fill(each, records) {
  const { counts } = JSON.parse(await call(each, 'GET', '/state'));
  const had = Object.values(counts).reduce((sum, count) => sum + count, 0);
  for (let count = had; count < records; count++) await call(each, 'POST', '/share-tokens');
}

async function compare(label, each, work) {
  const ratios = [];
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const empty = await median(() => call(each, 'GET', '/health'));
    const time = await median(work);
    ratios.push(time / empty);
    times.push(time);
  }
  const [least, middle, most] = [0, ROUNDS >> 1, ROUNDS - 1].map(place => sorted(ratios)[place].toFixed(1));
  const typical = sorted(times)[ROUNDS >> 1].toFixed(2);
  console.log(`  ${label.padEnd(32)} ${middle} times, from ${least} to ${most} (${typical} ms)`);
}

/** The median time of one call, in milliseconds. */
async function median(work) {
  const times = [];
  for (let count = 0; count < CALLS; count++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return sorted(times)[CALLS >> 1];
}

function sorted(numbers) {
  return numbers.toSorted((a, b) => a - b);
}

function call({ server }, method, path) {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.origin}/_sandbox${path}`, { method, agent }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode < 300) resolve(text);
        else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
