import { CREATE_CARDHOLDER, startWithPeople } from '../contenders.js';
import { spread } from '../statistics.js';

/** Few, because each creates a record. */
const CREATES = 120;
/** Enough that the collection of what a reset has left does not decide the median. */
const READS = 2_000;
const MAX_RATIO = 1.3;
const [FEW, MANY] = [100, 100_000];

/** Median times with 100,000 cardholders relative to 100. Both worlds are reset each round, so that neither grows. */
export async function scale({ worker, rounds }) {
  const [few, many] = [await startWithPeople(FEW), await startWithPeople(MANY)];
  const send = (server, request, round) =>
    worker.call({
      job: 'drive',
      port: server.port,
      connections: 1,
      count: READS,
      from: round * CREATES,
      ...request,
    });
  const { path, headers } = CREATE_CARDHOLDER;
  const requests = {
    'GET by ID': server => ({ path: `${path}/${server.cardholder}`, headers }),
    POST: () => ({ ...CREATE_CARDHOLDER, count: CREATES }),
    'page 1 of the list': () => ({ path, headers }),
  };
  const ratios = Object.fromEntries(Object.keys(requests).map(name => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, requestOf] of Object.entries(requests)) {
      const pair = round % 2 === 0 ? [few, many] : [many, few];
      const times = new Map();
      for (const server of pair) times.set(server, (await send(server, requestOf(server), round)).p50);
      if (round > 0) ratios[name].push(times.get(many) / times.get(few));
    }
    for (const { port } of [few, many]) {
      await worker.call({
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
      target: `<= ${MAX_RATIO}`,
      ...ratio,
      met: ratio.median <= MAX_RATIO,
    };
  });
}
