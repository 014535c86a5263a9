import { sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

const CALLS = 60;
const RECORDS = 10_000;

/** The time of a reset and of a checkpoint restore, relative to a request that does nothing. */
export async function reset({ worker, rounds }) {
  const starter = await startServer(sandbox());
  const large = await startServer(sandbox('--fixtures', 'empty'));
  const send = (server, method, path, count = CALLS) =>
    worker.call({ job: 'drive', port: server.port, connections: 1, count, method, path: `/_sandbox${path}` });
  await send(large, 'POST', '/share-tokens', RECORDS);
  await send(large, 'POST', '/checkpoints/full', 1);
  const actions = [
    { figure: 'reset of the starter world', max: 5, server: starter, path: '/reset' },
    {
      figure: `restore of a checkpoint of ${RECORDS.toLocaleString('en')} records`,
      max: 20,
      server: large,
      path: '/checkpoints/full/restore',
    },
  ];
  const rows = [];
  for (const { figure, max, server, path } of actions) {
    const ratios = [];
    for (let round = 0; round <= rounds; round++) {
      const empty = await send(server, 'GET', '/health');
      const action = await send(server, 'POST', path);
      if (round > 0) ratios.push(action.p50 / empty.p50);
    }
    const ratio = spread(ratios);
    rows.push({
      figure: `${figure}, over an empty request`,
      target: `<= ${max}`,
      ...ratio,
      met: ratio.median <= max,
    });
  }
  await Promise.all([starter.stop(), large.stop()]);
  return rows;
}
