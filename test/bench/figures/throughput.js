import { BARE_EXPRESS, BARE_HTTP, peers, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { median, spread } from '../statistics.js';

/** Requests of different slices never share a serial. */
const SERIALS_A_SLICE = 100_000;
/** Turns that bare and the other take in a round, each a ratio: what slows the machine down slows both. */
const TURNS = 3;
/** Slices of the first round are longer: code that has just been loaded is slow. */
const WARM_UP_MS = 600;

/** Requests a second of everyone over those of bare node:http, which is asked in turns with each. */
export async function throughput({ worker, rounds, sliceMs }) {
  const [bare, ...others] = await startAll([BARE_HTTP, BARE_EXPRESS, sandbox(), ...peers()]);
  const ratios = new Map(others.map(({ server }) => [server.name, { get: [], post: [] }]));
  let slices = 0;
  const ask = async ({ server, ...requests }, kind, ms) => {
    const from = SERIALS_A_SLICE * slices++;
    const given = { job: 'drive', port: server.port, ms, from, ...requests[kind] };
    const { done, elapsedMs } = await worker.ask(given);
    return elapsedMs / done;
  };
  // The round before the first lets everyone warm up.
  for (let round = 0; round <= rounds; round++) {
    for (const each of others) {
      for (const kind of ['get', 'post']) {
        const ms = round === 0 ? WARM_UP_MS : sliceMs;
        for (let turn = 0; turn < TURNS; turn++) {
          const limit = await ask(bare, kind, ms);
          const ratio = limit / (await ask(each, kind, ms));
          if (round > 0) ratios.get(each.server.name)[kind].push(ratio);
        }
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
  const answer = await fetch(`http://127.0.0.1:${port}${first.path}`, { headers: first.headers });
  return { ...get, path: get.path.replace('{id}', first.idIn(await answer.json())) };
}

function rows(ratios) {
  const others = [...ratios.keys()].filter(name => name !== 'card-sandbox');
  const figureOf = (kind, what, least) => {
    const ours = spread(ratios.get('card-sandbox')[kind]);
    const peerRatios = others
      .filter(name => name !== BARE_EXPRESS.name)
      .map(name => ({ name, ratio: median(ratios.get(name)[kind]) }));
    const ahead = peerRatios.every(({ ratio }) => ratio < ours.median);
    return {
      figure: `${what}, requests/s over bare \`node:http\``,
      target: `>= ${least}, ahead of every peer`,
      ...ours,
      note: peerRatios.length === 0 ? 'no peer ran' : ahead ? 'ahead of every peer' : 'behind a peer',
      met: ours.median >= least && ahead,
    };
  };
  return [
    figureOf('get', 'GET a cardholder', 0.5),
    figureOf('post', 'POST a cardholder', 0.35),
    ...others.flatMap(name => [
      { figure: `${name}: GET`, ...spread(ratios.get(name).get), isComparison: true },
      { figure: `${name}: POST`, ...spread(ratios.get(name).post), isComparison: true },
    ]),
  ];
}
