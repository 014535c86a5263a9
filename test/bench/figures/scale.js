import { fileFor, POST_OVER_API, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

const CALLS = 120;
const MOST = 1.3;
const [FEW, MANY] = [100, 100_000];

/** Median times among 100,000 cardholders over those among 100. Both begin anew each round, so that neither grows. */
export async function scale({ worker, rounds }) {
  const [few, many] = [await startWith(FEW), await startWith(MANY)];
  const ask = (server, request, round) =>
    worker.ask({
      job: 'drive',
      port: server.port,
      connections: 1,
      count: CALLS,
      from: round * CALLS,
      ...request,
    });
  const { path, headers } = POST_OVER_API;
  const requests = {
    'GET one': server => ({ path: `${path}/${server.id}`, headers }),
    POST: () => POST_OVER_API,
    'page 1 of a list': () => ({ path, headers }),
  };
  const ratios = Object.fromEntries(Object.keys(requests).map(name => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, requestOf] of Object.entries(requests)) {
      const pair = round % 2 === 0 ? [few, many] : [many, few];
      const times = new Map();
      for (const server of pair) times.set(server, (await ask(server, requestOf(server), round)).p50);
      if (round > 0) ratios[name].push(times.get(many) / times.get(few));
    }
    for (const { port } of [few, many]) {
      await worker.ask({
        job: 'drive',
        port,
        method: 'POST',
        path: '/_sandbox/reset',
        connections: 1,
        count: 1,
      });
    }
  }
  await Promise.all([few.stop(), many.stop()]);
  return Object.entries(ratios).map(([name, all]) => {
    const ratio = spread(all);
    return {
      figure: `median time of ${name}: ${MANY.toLocaleString('en')} cardholders over ${FEW}`,
      target: `<= ${MOST}`,
      ...ratio,
      met: ratio.median <= MOST,
    };
  });
}

async function startWith(count) {
  const file = fileFor(`${count}.yaml`, `cardholders: [{ generate: ${count} }]\n`);
  const server = await startServer(sandbox('--fixtures', 'empty', file));
  const url = `http://127.0.0.1:${server.port}${POST_OVER_API.path}?limit=1&page=${count / 2}`;
  const { data } = await (await fetch(url, { headers: POST_OVER_API.headers })).json();
  return { ...server, id: data[0].id };
}
