import { spawnSync } from 'node:child_process';
import { here } from '../processes.js';
import { spread } from '../statistics.js';

const PROGRAM = here('../../bin/card-sandbox.js');
/** A sound app of a dozen calls. */
const APP = here('../cli/commands/exam/apps/onboarding.mjs');
const PACKAGE = new URL('../../../dist/index.js', import.meta.url).href;
const MAX_RUNS = 16;

/** What `exec` adds to a command, and what an exam of a sound app costs. */
export async function commands({ rounds }) {
  return [overhead(rounds), ...exam(Math.min(rounds, 3))];
}

/** The time of `exec` with a command that does nothing, over that of the command and a bare start of Node.js. */
function overhead(rounds) {
  const added = [];
  for (let round = 0; round <= rounds; round++) {
    const bare = time(['-e', '0']);
    const wrapped = time([PROGRAM, 'exec', '--', process.execPath, '-e', '0']);
    if (round > 0) added.push((wrapped.ms - bare.ms) / bare.ms);
  }
  return {
    figure: 'time that `exec` adds to a command that does nothing, over a bare start of Node.js',
    ...spread(added),
  };
}

/** Runs and time of an exam with two runs side by side. */
function exam(rounds) {
  const runs = [];
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const command = [process.execPath, APP];
    const alone = time([PROGRAM, 'exec', '--fixtures', 'empty', '--allow-http-webhooks', '--', ...command]);
    const flags = ['--json', '--fixtures', 'empty', '--parallel', '2'];
    const { stdout } = time([PROGRAM, 'exam', ...flags, '--', ...command]);
    const { summary } = JSON.parse(stdout);
    runs.push(summary.runs);
    times.push(summary.durationMs / alone.ms);
  }
  const counts = spread(runs);
  return [
    {
      figure: 'runs of an exam of a sound app of a dozen calls',
      target: `<= ${MAX_RUNS}`,
      ...counts,
      met: counts.most <= MAX_RUNS,
    },
    { figure: 'time of that exam, over one run of the app under `exec`', ...spread(times) },
  ];
}

/** Runs Node.js and returns the time that it took and its output. Throws when it fails. */
function time(args) {
  const started = performance.now();
  const env = { ...process.env, PACKAGE };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr.slice(-500)}`);
  return { ms: performance.now() - started, stdout };
}
