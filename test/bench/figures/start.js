import { BARE_EXPRESS, peers, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

/** How long a server rests before its memory is read. */
const REST_MS = 300;
/** Some peers take long to start. */
const MOST_ROUNDS = 7;
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
  return [
    {
      figure: 'start to first answer, over bare Express',
      target: '<= 1.5',
      ...startRatio,
      met: startRatio.median <= 1.5,
    },
    {
      figure: 'resident memory at start, over bare Express',
      target: '<= 1.6',
      ...memoryRatio,
      met: memoryRatio.median <= 1.6,
    },
    ...(await overPeers(rounds)),
  ];
}

/** Time from start to first answer over that of each peer, on the Node that the peer runs on. */
async function overPeers(rounds) {
  const rows = [];
  for (const peer of peers()) {
    try {
      const ratios = [];
      for (let round = 0; round <= Math.min(rounds, MOST_ROUNDS); round++) {
        const its = await once(peer);
        const ours = await once({ ...sandbox(), program: peer.program });
        if (round > 0) ratios.push(ours.startedInMs / its.startedInMs);
      }
      const ratio = spread(ratios);
      rows.push({
        figure: `start to first answer, over ${peer.name} on the same Node`,
        target: '<= 1',
        ...ratio,
        met: ratio.median <= 1,
      });
    } catch (error) {
      console.log(`skipped ${error.message}`);
    }
  }
  return rows;
}

async function once(contender) {
  const server = await startServer(contender);
  await new Promise(resolve => setTimeout(resolve, REST_MS));
  const bytes = server.residentBytes();
  await server.stop();
  return { startedInMs: server.startedInMs, bytes };
}
