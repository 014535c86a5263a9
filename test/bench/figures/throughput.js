import { BARE_EXPRESS, BARE_HTTP, peers, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { median, spread } from '../statistics.js';
import { hasWrk, wrk } from '../wrk.js';

/** Requests of different slices never share a serial number. */
const SERIALS_PER_SLICE = 1_000_000;
const ROUNDS = 10;
const SECONDS = 1;

/** Requests per second of each server relative to bare node:http, which runs alternately with each, by wrk. */
export async function throughput({ isQuick }) {
  if (!hasWrk()) {
    console.log('skipped throughput: wrk is not installed (Debian has it in the package wrk)');
    return [];
  }
  const [bare, ...others] = await startAll([BARE_HTTP, BARE_EXPRESS, sandbox(), ...peers()]);
  const ratios = new Map(others.map(({ server }) => [server.name, { get: [], post: [] }]));
  let slices = 0;
  const measure = ({ server, ...requests }, kind) => {
    const from = SERIALS_PER_SLICE * slices++;
    return wrk({ port: server.port, seconds: SECONDS, from, ...requests[kind] });
  };
  // Round 0 warms all servers up.
  for (let round = 0; round <= (isQuick ? 3 : ROUNDS); round++) {
    for (const each of others) {
      for (const kind of ['get', 'post']) {
        const limit = measure(bare, kind);
        const ratio = measure(each, kind) / limit;
        if (round > 0) ratios.get(each.server.name)[kind].push(ratio);
      }
    }
  }
  await Promise.all([bare, ...others].map(({ server }) => server.stop()));
  return rows(ratios);
}

async function startAll(all) {
  const contenders = [];
  for (const each of all) {
    try {
      const server = await startServer(each);
      contenders.push({ server, get: await getOf(each, server), post: each.post });
    } catch (error) {
      if (each === BARE_HTTP || each.name === 'card-sandbox') throw error;
      console.log(`skipped ${error.message}`);
    }
  }
  return contenders;
}

async function getOf({ get, first }, { port }) {
  if (first === undefined) return get;
  const response = await fetch(`http://127.0.0.1:${port}${first.path}`, { headers: first.headers });
  return { ...get, path: get.path.replace('{id}', first.idIn(await response.json())) };
}

function rows(ratios) {
  const others = [...ratios.keys()].filter(name => name !== 'card-sandbox');
  const figureOf = (kind, label, min) => {
    const ours = spread(ratios.get('card-sandbox')[kind]);
    const peerRatios = others
      .filter(name => name !== BARE_EXPRESS.name)
      .map(name => ({ name, ratio: median(ratios.get(name)[kind]) }));
    const ahead = peerRatios.every(({ ratio }) => ratio < ours.median);
    return {
      figure: `${label}, requests/s over bare \`node:http\``,
      target: `>= ${min}, ahead of every peer`,
      ...ours,
      note: peerRatios.length === 0 ? 'no peer ran' : ahead ? 'ahead of every peer' : 'behind a peer',
      met: ours.median >= min && ahead,
    };
  };
  return [
    figureOf('get', 'GET a cardholder', 0.62),
    figureOf('post', 'POST a cardholder', 0.5),
    ...others.flatMap(name => [
      { figure: `${name}: GET, requests/s over bare \`node:http\``, ...spread(ratios.get(name).get) },
      { figure: `${name}: POST, requests/s over bare \`node:http\``, ...spread(ratios.get(name).post) },
    ]),
  ];
}
