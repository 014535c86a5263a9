import { BARE_HTTP, POST_OVER_API, sandbox } from '../contenders.js';
import { startScript, startServer } from '../processes.js';
import { spread } from '../statistics.js';

const CREATIONS = 2_000;
const FAILING = 1_000;
const ATTEMPTS_EACH = 6;
const LAG_CALLS = 60;
/** Longer than the published delays between all attempts together. */
const WHOLE_LADDER = '27h';

/** How soon and how fast webhooks go out. */
export async function webhooks({ worker, rounds }) {
  return [
    await lag(worker, rounds),
    await burst(worker, Math.min(rounds, 5)),
    await ladder(worker, Math.min(rounds, 5)),
  ];
}

async function lag(worker, rounds) {
  const port = await worker.ask({ job: 'receive' });
  const server = await startServer(
    sandbox('--fixtures', 'empty', '--forward-to', `http://127.0.0.1:${port}/`),
  );
  const lags = [];
  for (let round = 0; round <= rounds; round++) {
    const from = round * LAG_CALLS;
    const given = { job: 'lag', port: server.port, rounds: LAG_CALLS, from, ...POST_OVER_API };
    lags.push(await worker.ask(given));
  }
  await server.stop();
  const times = spread(lags.slice(1));
  return {
    figure: 'from the answer to a POST to its webhook received, median',
    target: '<= 3 ms',
    ...times,
    unit: 'ms',
    met: times.median <= 3,
  };
}

async function burst(worker, rounds) {
  const { receiver, server } = await withReceiver(200, '--fixtures', 'empty');
  const ratios = [];
  let missing = 0;
  for (let round = 0; round <= rounds; round++) {
    await receiver.ask({ status: 200 });
    const arrived = receiver.ask({ expected: CREATIONS });
    const created = await worker.ask({
      job: 'drive',
      port: server.port,
      count: CREATIONS,
      from: round * CREATIONS,
      ...POST_OVER_API,
    });
    const { count, elapsedMs } = await arrived;
    missing += CREATIONS - count;
    if (round > 0) ratios.push(created.elapsedMs / elapsedMs);
  }
  await Promise.all([receiver.stop(), server.stop()]);
  const ratio = spread(ratios);
  return {
    figure: `${CREATIONS.toLocaleString('en')} creations: deliveries/s over creations/s`,
    target: 'all delivered, >= 1',
    ...ratio,
    note: missing === 0 ? 'all delivered' : `${missing} not delivered`,
    met: missing === 0 && ratio.median >= 1,
  };
}

async function ladder(worker, rounds) {
  const bare = await startServer(BARE_HTTP);
  const { receiver, server } = await withReceiver(
    500,
    '--fixtures',
    'empty',
    '--freeze',
    '--retry-speed',
    '1',
  );
  const control = path => ({
    port: server.port,
    method: 'POST',
    path: `/_sandbox${path}`,
    connections: 1,
    count: 1,
  });
  const ratios = [];
  let missing = 0;
  for (let round = 0; round <= rounds; round++) {
    const from = round * FAILING;
    await receiver.ask({ status: 500 });
    await worker.ask({ job: 'drive', port: server.port, count: FAILING, from, ...POST_OVER_API });
    await receiver.ask({ expected: FAILING });
    await worker.ask({ job: 'drive', ...control('/deliveries/settle') });
    const { done, elapsedMs } = await worker.ask({
      job: 'drive',
      ...control('/clock/advance'),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ duration: WHOLE_LADDER }),
    });
    const { count } = await receiver.ask({});
    missing += done * FAILING * ATTEMPTS_EACH - count;
    const perSecond = (count - FAILING) / (elapsedMs / 1000);
    const limit = await worker.ask({ job: 'drive', port: bare.port, ms: 500, from, ...BARE_HTTP.post });
    if (round > 0) ratios.push(perSecond / limit.perSecond);
  }
  await Promise.all([receiver.stop(), server.stop(), bare.stop()]);
  const ratio = spread(ratios);
  return {
    figure: `${FAILING.toLocaleString('en')} failing events, whole ladder in one advance: attempts/s over bare POSTs/s`,
    target: '>= 0.3',
    ...ratio,
    note: missing === 0 ? `${FAILING * ATTEMPTS_EACH} attempts` : `${missing} attempts missing`,
    met: missing === 0 && ratio.median >= 0.3,
  };
}

async function withReceiver(status, ...flags) {
  const receiver = startScript('servers/receiver.js');
  const { port } = await receiver.ask({ status });
  const server = await startServer(sandbox(...flags, '--forward-to', `http://127.0.0.1:${port}/`));
  return { receiver, server };
}
