import { BARE_EXPRESS, peers, sandbox } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

/** How long a server idles before its memory is read. */
const IDLE_MS = 300;
/** Pairs of starts in a full run. */
const PEER_ROUNDS = 13;

/** The time from process start to the first response, and the memory after it, relative to bare Express. */
export async function start({ rounds }) {
  const times = [];
  const memories = [];
  for (let round = 0; round <= rounds; round++) {
    const bare = await startOnce(BARE_EXPRESS);
    const ours = await startOnce(sandbox());
    // The first round reads the files from disk.
    if (round === 0) continue;
    times.push(ours.startedInMs / bare.startedInMs);
    memories.push(ours.bytes / bare.bytes);
  }
  const startRatio = spread(times);
  const memoryRatio = spread(memories);
  return [
    {
      figure: 'time from start to first response, over bare Express',
      target: '<= 1.5',
      ...startRatio,
      met: startRatio.median <= 1.5,
    },
    {
      figure: 'resident memory after start, over bare Express',
      target: '<= 1.6',
      ...memoryRatio,
      met: memoryRatio.median <= 1.6,
    },
    ...(await overPeers(rounds)),
  ];
}

/** The time from start to the first response, relative to each peer, on the Node.js version of the peer. */
async function overPeers(rounds) {
  const rows = [];
  for (const peer of peers()) {
    try {
      const ratios = [];
      for (let round = 0; round <= (rounds < 11 ? rounds : PEER_ROUNDS); round++) {
        const theirs = await startOnce(peer);
        const ours = await startOnce({ ...sandbox(), program: peer.program });
        if (round > 0) ratios.push(ours.startedInMs / theirs.startedInMs);
      }
      const ratio = spread(ratios);
      rows.push({
        figure: `time from start to first response, over ${peer.name} on the same Node.js`,
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

async function startOnce(contender) {
  const server = await startServer(contender);
  await new Promise(resolve => setTimeout(resolve, IDLE_MS));
  const bytes = server.residentBytes();
  await server.stop();
  return { startedInMs: server.startedInMs, bytes };
}
