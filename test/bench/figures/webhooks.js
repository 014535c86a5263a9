import { BARE_HTTP, CREATE_CARDHOLDER, sandbox } from '../contenders.js';
import { startScript, startServer } from '../processes.js';
import { spread } from '../statistics.js';

const CREATIONS = 2_000;
const FAILING_EVENTS = 1_000;
const ATTEMPTS_PER_EVENT = 6;
const DELAY_CALLS = 60;
/** Longer than the whole published retry schedule. */
const WHOLE_SCHEDULE = '27h';

/** Delay and throughput of webhooks. */
export async function webhooks({ worker, rounds }) {
  return [
    await delay(worker, rounds),
    await burst(worker, Math.min(rounds, 5)),
    await retries(worker, Math.min(rounds, 5)),
  ];
}

async function delay(worker, rounds) {
  const port = await worker.call({ job: 'receive' });
  const server = await startServer(
    sandbox('--fixtures', 'empty', '--forward-to', `http://127.0.0.1:${port}/`),
  );
  const delays = [];
  for (let round = 0; round <= rounds; round++) {
    const from = round * DELAY_CALLS;
    const options = { job: 'delay', port: server.port, rounds: DELAY_CALLS, from, ...CREATE_CARDHOLDER };
    delays.push(await worker.call(options));
  }
  await server.stop();
  const times = spread(delays.slice(1));
  return {
    figure: 'median delay from the response to a POST to the arrival of its webhook',
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
    await receiver.call({ status: 200 });
    const arrived = receiver.call({ expected: CREATIONS });
    const created = await worker.call({
      job: 'drive',
      port: server.port,
      count: CREATIONS,
      from: round * CREATIONS,
      ...CREATE_CARDHOLDER,
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

async function retries(worker, rounds) {
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
    const from = round * FAILING_EVENTS;
    await receiver.call({ status: 500 });
    await worker.call({ job: 'drive', port: server.port, count: FAILING_EVENTS, from, ...CREATE_CARDHOLDER });
    await receiver.call({ expected: FAILING_EVENTS });
    await worker.call({ job: 'drive', ...control('/deliveries/settle') });
    const { done, elapsedMs } = await worker.call({
      job: 'drive',
      ...control('/clock/advance'),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ duration: WHOLE_SCHEDULE }),
    });
    const { count } = await receiver.call({});
    missing += done * FAILING_EVENTS * ATTEMPTS_PER_EVENT - count;
    const perSecond = (count - FAILING_EVENTS) / (elapsedMs / 1000);
    const bareRun = await worker.call({ job: 'drive', port: bare.port, ms: 500, from, ...BARE_HTTP.post });
    if (round > 0) ratios.push(perSecond / bareRun.perSecond);
  }
  await Promise.all([receiver.stop(), server.stop(), bare.stop()]);
  const ratio = spread(ratios);
  return {
    figure: `${FAILING_EVENTS.toLocaleString('en')} failing events, all retries in one clock advance: attempts/s over bare POSTs/s`,
    target: '>= 0.35',
    ...ratio,
    note: missing === 0 ? `${FAILING_EVENTS * ATTEMPTS_PER_EVENT} attempts` : `${missing} attempts missing`,
    met: missing === 0 && ratio.median >= 0.35,
  };
}

async function withReceiver(status, ...flags) {
  const receiver = startScript('servers/receiver.js');
  const { port } = await receiver.call({ status });
  const server = await startServer(sandbox(...flags, '--forward-to', `http://127.0.0.1:${port}/`));
  return { receiver, server };
}
