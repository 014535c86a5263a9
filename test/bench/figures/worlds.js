import { CREATE_CARDHOLDER, sandbox } from '../contenders.js';
import { freePort, startScript, startServer } from '../processes.js';
import { median, spread } from '../statistics.js';

const LIVE = 1_000;
const ENDED = 20_000;
const MAX_MS = 2.5;
const MAX_KB = 100;
const MAX_GROWTH = 1.05;
const MIN_RATIO = 0.97;
/** Later answers and waits of another world, in milliseconds. */
const MAX_LATER = 5;
const MAX_LATER_WAIT = 50;
const TURNS = 5;
const WARM_UP_MS = 1_500;
const QUIET_ROUNDS = 20;
/** Top-ups whose deliveries fail at once and are retried five times: 10,000 attempts in one advance. */
const TOP_UPS = 2_000;
const TOKENS = 10_000;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The cost of worlds, and how much one disturbs another. */
export async function worlds(options) {
  return [...(await cost()), ...(await throughputAmongMany(options)), ...(await disturbance(options))];
}

/** Processor time and memory of a world, and memory after many have ended. */
async function cost() {
  const script = startScript('servers/worlds.js', { flags: ['--expose-gc'] });
  const { milliseconds, bytes, heaps } = await script.call({ live: LIVE, ended: ENDED });
  await script.stop();
  const half = heaps.length / 2;
  const growth = spread(heaps.slice(half).map(heap => heap / median(heaps.slice(0, half))));
  const row = (figure, value, max, unit) => ({
    figure,
    target: `<= ${max} ${unit}`,
    median: value,
    least: value,
    most: value,
    unit,
    met: value <= max,
  });
  return [
    row('processor time to create a world of `starter`', milliseconds, MAX_MS, 'ms'),
    row(`memory per world, ${LIVE.toLocaleString('en')} live ones`, bytes / 1024, MAX_KB, 'kB'),
    {
      figure: `heap while ${ENDED.toLocaleString('en')} worlds are created, used and ended, second half over first`,
      target: `<= ${MAX_GROWTH}`,
      ...growth,
      met: growth.median <= MAX_GROWTH,
    },
  ];
}

/** Requests per second among 1,000 other worlds, relative to a server with none. */
async function throughputAmongMany({ worker, rounds, sliceMs }) {
  const [alone, crowded] = [await startServer(sandbox()), await startServer(sandbox('--world-ttl', '0'))];
  // Both have done the same before, so that both are equally warm.
  for (const server of [alone, crowded]) {
    for (let number = 0; number < LIVE; number++) {
      const { id } = await call(server, 'POST', '/_sandbox/worlds', {});
      if (server === alone) await call(server, 'DELETE', `/_sandbox/worlds/${id}`);
    }
  }
  const { get } = sandbox();
  const rows = [];
  let slices = 0;
  for (const [label, request] of Object.entries({ GET: get, POST: CREATE_CARDHOLDER })) {
    const speed = async ({ port }, ms = sliceMs) =>
      (await worker.call({ job: 'drive', port, ms, from: 100_000 * slices++, ...request })).perSecond;
    for (const server of [alone, crowded, alone, crowded]) await speed(server, WARM_UP_MS);
    const ratios = [];
    for (let turn = 0; turn < TURNS * rounds; turn++) {
      const order = turn % 2 === 0 ? [alone, crowded] : [crowded, alone];
      const speeds = new Map();
      for (const server of order) speeds.set(server, await speed(server));
      ratios.push(speeds.get(crowded) / speeds.get(alone));
    }
    const ratio = spread(ratios);
    rows.push({
      figure: `${label} a cardholder among ${LIVE.toLocaleString('en')} other worlds, requests/s over one world`,
      target: `>= ${MIN_RATIO}`,
      ...ratio,
      met: ratio.median >= MIN_RATIO,
    });
  }
  await Promise.all([alone.stop(), crowded.stop()]);
  return rows;
}

/** How much later a world answers, and its waits end, while something runs in another one. */
async function disturbance({ worker }) {
  const receiverPort = await worker.call({ job: 'receive' });
  const hanging = await startHangingReceiver();
  const server = await startServer(sandbox('--allow-http-webhooks', '--freeze', '--retry-speed', '1'));
  const [busy, other] = [await newWorld(server, 'busy'), await newWorld(server, 'other')];
  await configure(server, other, `http://127.0.0.1:${receiverPort}/`);
  const answer = async () => {
    const path = '/v1/partner/balance';
    const options = { port: server.port, path, headers: { 'X-Service-Api-Key': other.key } };
    return (await worker.call({ job: 'drive', connections: 1, count: 20, ...options })).p50;
  };
  const wait = async () => {
    const control = `/_sandbox/worlds/${other.id}`;
    const waiting = call(server, 'POST', `${control}/wait`, { after: 'now', timeoutMs: 60_000 });
    await call(server, 'GET', `${control}/clock`);
    const started = performance.now();
    await call(server, 'POST', `${control}/balance/top-up`, { amount: 1 });
    await waiting;
    return performance.now() - started;
  };
  const sample = async isOver => {
    const [answers, waits] = [[], []];
    do {
      answers.push(await answer());
      waits.push(await wait());
    } while (!isOver());
    return { answer: median(answers), wait: Math.max(...waits) };
  };
  let rounds = 0;
  await sample(() => ++rounds === QUIET_ROUNDS);
  const path = `/_sandbox/worlds/${busy.id}`;
  const disturbances = {
    'a receiver hangs': async () => {
      await configure(server, busy, hanging.url);
      await call(server, 'POST', `${path}/balance/top-up`, { amount: 1 });
      await call(server, 'POST', `${path}/deliveries/settle`, {});
    },
    'an advance makes 10,000 attempts': async () => {
      await call(server, 'POST', `${path}/clock/advance`, { duration: '2d' });
    },
    'it is reset 100 times': async () => {
      for (let count = 0; count < 100; count++) await call(server, 'POST', `${path}/reset`, {});
    },
    'a state of 10,000 tokens is loaded 10 times': async ({ state }) => {
      for (let count = 0; count < 10; count++) await call(server, 'PUT', `${path}/state`, state);
    },
  };
  const rows = [];
  for (const [name, disturb] of Object.entries(disturbances)) {
    const prepared = await prepare(server, worker, busy, name);
    rounds = 0;
    const quiet = await sample(() => ++rounds === QUIET_ROUNDS);
    let isOver = false;
    const disturbing = disturb(prepared).finally(() => {
      isOver = true;
    });
    const disturbed = await sample(() => isOver);
    await disturbing;
    rows.push(
      later(`answers of a world while ${name} in another`, disturbed.answer - quiet.answer, MAX_LATER),
    );
    rows.push(
      later(
        `waits of a world while ${name} in another, the longest`,
        disturbed.wait - quiet.wait,
        MAX_LATER_WAIT,
      ),
    );
  }
  await server.stop();
  hanging.stop();
  return rows;
}

/** Brings the busy world into the state that a disturbance starts from. */
async function prepare(server, worker, busy, name) {
  const path = `/_sandbox/worlds/${busy.id}`;
  await call(server, 'POST', `${path}/reset`, {});
  const repeat = (target, body, count) =>
    worker.call({
      job: 'drive',
      port: server.port,
      connections: 4,
      count,
      method: 'POST',
      path: path + target,
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    });
  if (name.startsWith('an advance')) {
    await configure(server, busy, `http://127.0.0.1:${await freePort()}/`);
    await repeat('/balance/top-up', { amount: 1 }, TOP_UPS);
    await call(server, 'POST', `${path}/deliveries/settle`, {});
  }
  if (!name.startsWith('a state')) return {};
  await repeat('/share-tokens', {}, TOKENS);
  return { state: await call(server, 'GET', `${path}/state`) };
}

async function newWorld(server, id) {
  const { partners } = await call(server, 'POST', '/_sandbox/worlds', { id });
  return { id, key: partners[0].apiKey };
}

function configure(server, { key }, webhookUrl) {
  const body = {
    webhookUrl,
    webhookSecret: 'a-secret-of-16-characters',
    subscribedEvents: ['balance.top_up'],
  };
  return call(server, 'PATCH', '/v1/partner/webhooks/config', body, { 'X-Service-Api-Key': key });
}

async function call({ port }, method, path, body, headers = {}) {
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...JSON_TYPE, ...headers },
    ...options,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text.slice(0, 200)}`);
  return text === '' ? null : JSON.parse(text);
}

/** A receiver that accepts connections and never responds. */
async function startHangingReceiver() {
  const { createServer } = await import('node:http');
  const server = createServer(() => undefined);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function later(figure, value, max) {
  return {
    figure,
    target: `<= ${max} ms later`,
    median: value,
    least: value,
    most: value,
    unit: 'ms',
    met: value <= max,
  };
}
