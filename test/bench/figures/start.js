import { BARE_EXPRESS, nodePrograms, peers, sandbox, temporaryFolder } from '../contenders.js';
import { startServer } from '../processes.js';
import { spread } from '../statistics.js';

/** How long a server idles before its memory is read. */
const IDLE_MS = 300;
/** Pairs of starts in a full run. */
const PEER_ROUNDS = 13;
/** What is measured against the fastest peer. */
const STARTS = [
  { label: 'the first start after an install', max: 1, isFirst: true },
  { label: 'a later start', max: 0.85, isFirst: false },
];

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

/**
 * The time from start to the first response, relative to the fastest peer on the same Node.js: of the first start after
 * an install, when Node.js has nothing compiled, and of a later one.
 */
async function overPeers(rounds) {
  const rows = [];
  const all = peers();
  for (const [version, program] of all.length === 0 ? [] : nodePrograms()) {
    const on = (contender, tmpdir) => ({ ...contender, program, env: { TMPDIR: tmpdir } });
    const peer = await fastestOf(all.map(each => on(each, temporaryFolder())));
    for (const { label, max, isFirst } of STARTS) {
      const used = temporaryFolder();
      const startIn = () => (isFirst ? temporaryFolder() : used);
      const ratios = [];
      for (let round = 0; round <= (rounds < 11 ? rounds : PEER_ROUNDS); round++) {
        const theirs = await startOnce(on(peer, startIn()));
        const ours = await startOnce(on(sandbox(), startIn()));
        if (round > 0) ratios.push(ours.startedInMs / theirs.startedInMs);
      }
      const ratio = spread(ratios);
      rows.push({
        figure: `time from ${label} to first response on Node.js ${version}, over the fastest peer, ${peer.name}`,
        target: `<= ${max}`,
        ...ratio,
        met: ratio.median <= max,
      });
    }
  }
  return rows;
}

/** Returns the contender that starts fastest, by its second start. Prints which do not start. */
async function fastestOf(contenders) {
  const times = new Map();
  for (const contender of contenders) {
    try {
      await startOnce(contender);
      times.set(contender, (await startOnce(contender)).startedInMs);
    } catch (error) {
      console.log(`skipped ${error.message}`);
    }
  }
  const [[fastest]] = [...times].toSorted(([, one], [, other]) => one - other);
  return fastest;
}

async function startOnce(contender) {
  const server = await startServer(contender);
  await new Promise(resolve => setTimeout(resolve, IDLE_MS));
  const bytes = server.residentBytes();
  await server.stop();
  return { startedInMs: server.startedInMs, bytes };
}
