import { writeFileSync } from 'node:fs';
import { CREATE_CARDHOLDER, sandbox, startWithPeople } from '../contenders.js';
import { drawCurves } from '../curves.js';
import { startServer } from '../processes.js';
import { median, spread } from '../statistics.js';
import { resultPath } from '../table.js';

const CARDHOLDERS = [1_000, 10_000, 100_000, 1_000_000];
const WORLDS = [1, 100, 1_000];
const ROUNDS = 5;
const SLICE_MS = 300;
const WARM_UP_MS = 1_500;
const RESETS = 3;
/** Serial numbers of one slice. */
const SERIALS = 100_000;
const { path, headers } = CREATE_CARDHOLDER;
const CURVES = [
  { name: 'GET, requests/s', of: ({ get }) => median(get) },
  { name: 'POST, requests/s', of: ({ post }) => median(post) },
  { name: 'resident memory, MB', of: ({ megabytes }) => megabytes },
  { name: 'reset, ms', of: ({ resetMs }) => median(resetMs) },
];

/** How speed, memory and the time of a reset grow with cardholders and with worlds. Draws them as curves. */
export async function growth({ worker, isQuick }) {
  const people = isQuick ? CARDHOLDERS.slice(0, -1) : CARDHOLDERS;
  const panels = [
    { label: 'cardholders', points: await measure(worker, people, startWithPeople) },
    { label: 'worlds', points: await measure(worker, WORLDS, startWithWorlds) },
  ];
  if (!isQuick) writeFileSync(resultPath('svg'), drawCurves(panels, CURVES));
  return panels.flatMap(({ label, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    const sizes = `${last.size.toLocaleString('en')} ${label} over ${first.size.toLocaleString('en')}`;
    const over = kind => last[kind].map((value, round) => value / first[kind][round]);
    const once = (figure, value, unit) => ({ figure, median: value, least: value, most: value, unit });
    return [
      { figure: `GET, requests/s, ${sizes}`, ...spread(over('get')) },
      { figure: `POST, requests/s, ${sizes}`, ...spread(over('post')) },
      ...points.flatMap(({ size, megabytes, resetMs }) => {
        const having = `with ${size.toLocaleString('en')} ${label}`;
        return [
          once(`resident memory ${having}`, megabytes, 'MB'),
          { figure: `reset of a world ${having}`, ...spread(resetMs), unit: 'ms' },
        ];
      }),
    ];
  });
}

/** Measures servers of several sizes alternately. */
async function measure(worker, sizes, start) {
  const points = [];
  for (const size of sizes) {
    const server = await start(size);
    points.push({ size, server, megabytes: server.residentBytes() / 1e6, get: [], post: [], resetMs: [] });
  }
  let slices = 0;
  const speed = async ({ server }, request, ms = SLICE_MS) => {
    const from = SERIALS * slices++;
    return (await worker.call({ job: 'drive', port: server.port, ms, from, ...request })).perSecond;
  };
  const read = ({ server }) => ({ path: `${path}/${server.cardholder}`, headers });
  for (const point of points) {
    await speed(point, read(point), WARM_UP_MS);
    await speed(point, CREATE_CARDHOLDER, WARM_UP_MS);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const point of points) {
      point.get.push(await speed(point, read(point)));
      point.post.push(await speed(point, CREATE_CARDHOLDER));
    }
  }
  for (const point of points) {
    for (let reset = 0; reset <= RESETS; reset++) {
      const started = performance.now();
      const response = await fetch(`http://127.0.0.1:${point.server.port}/_sandbox/reset`, {
        method: 'POST',
      });
      if (!response.ok) throw new Error(`the reset returned ${response.status}`);
      // The first one drops what was created.
      if (reset > 0) point.resetMs.push(performance.now() - started);
    }
    await point.server.stop();
  }
  return points;
}

async function startWithWorlds(count) {
  const server = await startServer(sandbox('--world-ttl', '0'));
  for (let world = 1; world < count; world++) {
    const response = await fetch(`http://127.0.0.1:${server.port}/_sandbox/worlds`, { method: 'POST' });
    if (!response.ok) throw new Error(`a world was refused: ${await response.text()}`);
  }
  return { ...server, cardholder: 'ch_liam_pending' };
}
