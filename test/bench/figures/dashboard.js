import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { CREATE_CARDHOLDER, fileFor, sandbox } from '../contenders.js';
import { here, startServer } from '../processes.js';
import { spread } from '../statistics.js';

const CARDHOLDERS = 100_000;
const CREATES = 3_000;
const WARM_UP = 2;
const MAX_RATIO = 1.5;

/** Processor time of the server per create with a dashboard open, relative to the same with none. */
export async function dashboard({ worker, rounds }) {
  const file = fileFor('dashboard.yaml', `cardholders: [{ generate: ${CARDHOLDERS} }]\n`);
  const server = await startServer(sandbox('--fixtures', 'empty', file));
  let from = 0;
  const create = async () => {
    const before = processorTicks(server.pid);
    const request = {
      job: 'drive',
      port: server.port,
      connections: 1,
      count: CREATES,
      from,
      ...CREATE_CARDHOLDER,
    };
    await worker.call(request);
    from += CREATES;
    return processorTicks(server.pid) - before;
  };
  const ratios = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    const closed = await create();
    const reader = spawn(process.execPath, [here('dashboard-reader.js'), String(server.port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(reader.stdout, 'data');
    const open = await create();
    reader.kill();
    await once(reader, 'exit');
    if (round >= 0) ratios.push(open / closed);
  }
  await server.stop();
  const ratio = spread(ratios);
  return [
    {
      figure: `processor time of the server per create, ${CARDHOLDERS.toLocaleString('en')} cardholders: dashboard open over closed`,
      target: `<= ${MAX_RATIO}`,
      ...ratio,
      met: ratio.median <= MAX_RATIO,
    },
  ];
}

/** The processor time of a process in clock ticks, user and system, where the system reports it. */
function processorTicks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
