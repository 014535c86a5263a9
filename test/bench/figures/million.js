import { rmSync } from 'node:fs';
import { CREATE_CARDHOLDER, fileFor, startWithPeople } from '../contenders.js';
import { startScript } from '../processes.js';
import { spread } from '../statistics.js';

/** The last is what a state file can hold. */
const [FEW, MANY, SAVED] = [100, 1_000_000, 500_000];
const CALLS = 200;
const MAX_P50 = 1.3;
const MAX_P99 = 2;
const MAX_EMPTY_REQUESTS = 20;
const MAX_LATER_P99 = 10;
const MAX_LATER = 50;
const PROBE_MS = 4_000;
const { path, headers } = CREATE_CARDHOLDER;
const people = MANY.toLocaleString('en');
const savedPeople = SAVED.toLocaleString('en');

/** Times with a million cardholders, and pauses with as many as a state file holds. */
export async function million({ worker, rounds }) {
  const few = await start(FEW);
  const many = await start(MANY);
  const rows = [...(await ratios({ worker, rounds, few, many })), ...(await moves({ worker, many }))];
  await few.stop();
  await many.stop();
  // Another server, because each change starts a save to the state file, which would go on beside the requests above.
  const state = fileFor('million-state.json', '');
  rmSync(state);
  const saving = await start(SAVED, '--state', state);
  rows.push(...(await pauses(saving)));
  saving.kill();
  rmSync(state, { force: true });
  return rows;
}

/** Times of requests relative to a world of 100 cardholders. */
async function ratios({ worker, rounds, few, many }) {
  const list = query => () => ({ path: `${path}?${query}`, headers });
  const requests = {
    'GET by ID': server => ({ path: `${path}/${server.cardholder}`, headers }),
    POST: () => CREATE_CARDHOLDER,
    'a list filtered by status': list('status=active'),
    'a list filtered by kycStatus': list('kycStatus=pending'),
    'a list filtered by both, page 3': list('status=active&kycStatus=pending&page=3'),
  };
  const found = Object.fromEntries(Object.keys(requests).map(name => [name, { p50: [], p99: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, requestOf] of Object.entries(requests)) {
      const times = new Map();
      for (const server of round % 2 === 0 ? [few, many] : [many, few]) {
        const options = { job: 'drive', port: server.port, connections: 1, count: CALLS };
        times.set(server, await worker.call({ ...options, from: round * CALLS, ...requestOf(server) }));
      }
      if (round === 0) continue;
      for (const kind of ['p50', 'p99']) {
        found[name][kind].push(times.get(many)[kind] / times.get(few)[kind]);
      }
    }
  }
  return Object.entries(found).flatMap(([name, { p50, p99 }]) => [
    row(`median time of ${name}: ${people} cardholders over ${FEW}`, spread(p50), MAX_P50),
    row(`99th percentile of ${name}: ${people} cardholders over ${FEW}`, spread(p99), MAX_P99),
  ]);
}

/** Times of checkpoints and copies relative to a request that does nothing. */
async function moves({ worker, many }) {
  const send = (method, target, count = 40, body = '') =>
    worker.call({
      job: 'drive',
      port: many.port,
      connections: 1,
      count,
      method,
      path: `/_sandbox${target}`,
      headers: { 'Content-Type': 'application/json' },
      body,
    });
  const actions = {
    'save of a checkpoint': () => send('POST', '/checkpoints/full'),
    'restore of a checkpoint': () => send('POST', '/checkpoints/full/restore'),
    'copy of the world': () => send('POST', '/worlds', 40, '{"from":"main"}'),
  };
  const rows = [];
  for (const [name, action] of Object.entries(actions)) {
    const found = [];
    for (let round = 0; round < 5; round++) {
      const empty = await send('GET', '/health');
      found.push((await action()).p50 / empty.p50);
    }
    rows.push(
      row(`${name} of ${people} cardholders, over an empty request`, spread(found), MAX_EMPTY_REQUESTS),
    );
  }
  return rows;
}

/** How much later a probe of 50 requests a second is answered beside other work. */
async function pauses({ port }) {
  const prober = startScript('worker.js');
  const probe = ms => prober.call({ job: 'probe', port, ms, path: '/v1/partner/balance', headers });
  const call = async (method, target, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) throw new Error(`${method} ${target}: ${await response.text()}`);
    for await (const _piece of response.body ?? []);
  };
  let created = 0;
  const create = () =>
    call('POST', path, CREATE_CARDHOLDER.body.replaceAll('{n}', String(990_000_000 + created++)));
  const work = {
    'filtered lists': () => call('GET', `${path}?status=active&kycStatus=pending`),
    'a search through all': () => call('GET', '/_sandbox/cardholders?q=nobody-has-this'),
    'checkpoints, each before a write': async () => {
      await call('POST', '/_sandbox/checkpoints/again');
      await create();
    },
    'an export': () => call('GET', '/_sandbox/state'),
    'a save, each after a write': async () => {
      await create();
      await call('POST', '/_sandbox/state/save');
    },
  };
  await probe(1_000);
  const idle = await probe(PROBE_MS);
  const rows = [];
  for (const [name, action] of Object.entries(work)) {
    let isOver = false;
    const working = (async () => {
      do await action();
      while (!isOver);
    })();
    const beside = await probe(PROBE_MS);
    isOver = true;
    await working;
    rows.push(
      later(`99th percentile of a probe beside ${name}`, beside.p99 - idle.p99, MAX_LATER_P99),
      later(`the longest answer to a probe beside ${name}`, beside.max - idle.max, MAX_LATER),
    );
  }
  await prober.stop();
  return rows;
}

async function start(count, ...flags) {
  const server = await startWithPeople(count, '--rate-limit', '0', ...flags);
  return { ...server, kill: () => process.kill(server.pid, 'SIGKILL') };
}

function row(figure, ratio, max) {
  return { figure, target: `<= ${max}`, ...ratio, met: ratio.median <= max };
}

function later(figure, ms, max) {
  return {
    figure: `${figure}, ${savedPeople} cardholders, over one without`,
    target: `<= +${max} ms`,
    median: ms,
    least: ms,
    most: ms,
    unit: 'ms',
    met: ms <= max,
  };
}
