import { BARE_EXPRESS, BARE_HTTP, peers, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { median, spread } from '../statistics.js';

/** Requests of different rounds never share a serial. */
const SERIALS_A_ROUND = 1_000_000;

/** Requests a second of everyone, in turns, over those of bare node:http in the same round. */
export async function throughput({ worker, rounds, sliceMs }) {
  const contenders = await startAll([BARE_HTTP, BARE_EXPRESS, sandbox(), ...peers()]);
  const rates = [];
  // The round before the first lets everyone warm up.
  for (let round = 0; round <= rounds; round++) {
    const rate = {};
    for (const [place] of contenders.entries()) {
      // Everyone comes after everyone else in turn.
      const { server, get, post } = contenders[(place + round) % contenders.length];
      const slice = { job: 'drive', port: server.port, ms: sliceMs, from: round * SERIALS_A_ROUND };
      rate[server.name] = {
        get: (await worker.ask({ ...slice, ...get })).perSecond,
        post: (await worker.ask({ ...slice, ...post })).perSecond,
      };
    }
    if (round > 0) rates.push(rate);
  }
  await Promise.all(contenders.map(({ server }) => server.stop()));
  return rows(
    rates,
    contenders.map(({ server }) => server.name),
  );
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

function rows(rates, names) {
  const ratiosOf = (name, kind) => rates.map(rate => rate[name][kind] / rate[BARE_HTTP.name][kind]);
  const others = names.filter(name => name !== 'card-sandbox' && name !== BARE_HTTP.name);
  const figureOf = (kind, what, least) => {
    const ratios = spread(ratiosOf('card-sandbox', kind));
    const peerRatios = others
      .filter(name => name !== BARE_EXPRESS.name)
      .map(name => ({ name, ratio: median(ratiosOf(name, kind)) }));
    const ahead = peerRatios.every(({ ratio }) => ratio < ratios.median);
    return {
      figure: `${what}, requests/s over bare \`node:http\``,
      target: `>= ${least}, ahead of every peer`,
      ...ratios,
      note: peerRatios.length === 0 ? 'no peer ran' : ahead ? 'ahead of every peer' : 'behind a peer',
      met: ratios.median >= least && ahead,
    };
  };
  return [
    figureOf('get', 'GET a cardholder', 0.5),
    figureOf('post', 'POST a cardholder', 0.35),
    ...others.flatMap(name => [
      { figure: `${name}: GET`, ...spread(ratiosOf(name, 'get')), isComparison: true },
      { figure: `${name}: POST`, ...spread(ratiosOf(name, 'post')), isComparison: true },
    ]),
  ];
}
