import { sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

const CALLS = 60;
const RECORDS = 10_000;

/** Time of a reset and of a restore over that of an empty request. */
export async function reset({ worker, rounds }) {
  const starter = await startServer(sandbox());
  const large = await startServer(sandbox('--fixtures', 'empty'));
  const ask = (server, method, path, count = CALLS) =>
    worker.ask({ job: 'drive', port: server.port, connections: 1, count, method, path: `/_sandbox${path}` });
  await ask(large, 'POST', '/share-tokens', RECORDS);
  await ask(large, 'POST', '/checkpoints/full', 1);
  const works = [
    { figure: 'reset of the starter world', most: 5, server: starter, path: '/reset' },
    {
      figure: `restore of a checkpoint of ${RECORDS.toLocaleString('en')} records`,
      most: 20,
      server: large,
      path: '/checkpoints/full/restore',
    },
  ];
  const rows = [];
  for (const { figure, most, server, path } of works) {
    const ratios = [];
    for (let round = 0; round <= rounds; round++) {
      const empty = await ask(server, 'GET', '/health');
      const work = await ask(server, 'POST', path);
      if (round > 0) ratios.push(work.p50 / empty.p50);
    }
    const ratio = spread(ratios);
    rows.push({
      figure: `${figure}, over an empty request`,
      target: `<= ${most}`,
      ...ratio,
      met: ratio.median <= most,
    });
  }
  await Promise.all([starter.stop(), large.stop()]);
  return rows;
}
