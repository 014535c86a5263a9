import { BARE_EXPRESS, peers, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

/** How long a server rests before its memory is read. */
const REST_MS = 300;
/** Peers are far slower; a few starts tell. */
const PEER_ROUNDS = 3;

/** Time from the start of the process to its first answer, and the memory it then holds, over bare Express. */
export async function start({ rounds }) {
  const times = [];
  const memories = [];
  for (let round = 0; round <= rounds; round++) {
    const bare = await once(BARE_EXPRESS);
    const ours = await once(sandbox());
    // The first round reads the files from the disk.
    if (round === 0) continue;
    times.push(ours.startedInMs / bare.startedInMs);
    memories.push(ours.bytes / bare.bytes);
  }
  const startRatio = spread(times);
  const memoryRatio = spread(memories);
  const others = await startsOfPeers();
  const isFastest = others.every(({ median: each }) => each >= startRatio.median);
  return [
    {
      figure: 'start to first answer, over bare Express',
      target: '<= 1.5, not slower than any peer',
      ...startRatio,
      note: others.length === 0 ? 'no peer ran' : isFastest ? 'faster than every peer' : 'slower than a peer',
      met: startRatio.median <= 1.5 && isFastest,
    },
    {
      figure: 'resident memory at start, over bare Express',
      target: '<= 1.6',
      ...memoryRatio,
      met: memoryRatio.median <= 1.6,
    },
    ...others,
  ];
}

async function startsOfPeers() {
  const ratios = new Map();
  for (let round = 0; round < PEER_ROUNDS; round++) {
    for (const peer of peers()) {
      try {
        const bare = await once(BARE_EXPRESS);
        const ratio = (await once(peer)).startedInMs / bare.startedInMs;
        ratios.set(peer.name, [...(ratios.get(peer.name) ?? []), ratio]);
      } catch (error) {
        if (round === 0) console.log(`skipped ${error.message}`);
      }
    }
  }
  return [...ratios].map(([name, all]) => ({
    figure: `${name}: start to first answer, over bare Express`,
    ...spread(all),
    isComparison: true,
  }));
}

async function once(contender) {
  const server = await startServer(contender);
  await new Promise(resolve => setTimeout(resolve, REST_MS));
  const bytes = server.residentBytes();
  await server.stop();
  return { startedInMs: server.startedInMs, bytes };
}
