// Runs the quick tests many times, each time in another order and with other random cases, every second time beside a
// busy loop on each core, on days and at times of day where software tends to fail. Run it with `npm run prove -- flaky`.
// `--runs N` runs fewer, and paths select tests: `npm run prove -- flaky --runs 4 test/core`. Prints a table and keeps the
// output of runs that fail. Requires Debian's faketime, which it installs when it may.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const RUN_LIMIT_MS = 20 * 60_000;
/** Wall clocks at the start of a run, null for the real one, their time zones, and what else is unusual in a run. */
const SETTINGS = [
  [null, 'UTC', {}],
  ['2026-12-31T23:59:30Z', 'UTC', { CI: 'true' }],
  ['2028-02-28T23:59:30Z', 'UTC', { COLUMNS: '40' }],
  // 02:00 on the day when daylight saving begins.
  ['2027-03-28T00:59:30Z', 'Europe/Berlin', { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }],
  // 1842421000 in Unix time, which contains the default port and the test card.
  ['2028-05-20T05:36:40Z', 'UTC', { FORCE_COLOR: '1' }],
  [
    '2027-11-07T05:59:30Z',
    'America/New_York',
    { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' },
  ],
  ['2028-02-29T12:00:00Z', 'Asia/Kolkata', {}],
  ['2027-01-31T22:59:30Z', 'Europe/Berlin', { COLUMNS: '200', LINES: '60' }],
  ['2027-03-14T06:59:30Z', 'America/New_York', { CI: 'true' }],
  ['2027-10-31T00:59:30Z', 'Europe/Berlin', { FORCE_COLOR: '0' }],
  ['2026-11-30T09:59:30Z', 'Pacific/Kiritimati', { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }],
  ['2027-01-01T04:59:30Z', 'America/New_York', { DEBUG: '*' }],
  // The last minute of 31-bit Unix time.
  ['2038-01-19T03:13:30Z', 'UTC', {}],
  ['2027-02-28T23:59:30Z', 'UTC', { NO_PROXY: '*' }],
  ['2028-12-31T18:29:30Z', 'Asia/Kolkata', { TERM: 'dumb' }],
  ['2027-04-30T10:59:30Z', 'Pacific/Pago_Pago', { LC_ALL: 'C', LANG: 'C' }],
  ['2033-05-18T03:33:00Z', 'America/St_Johns', { GITHUB_ACTIONS: 'true', CI: 'true' }],
  ['2026-06-30T23:59:30Z', 'Asia/Kathmandu', { NODE_ENV: 'production' }],
  ['2027-10-02T15:59:30Z', 'Australia/Lord_Howe', { PORT: '4242' }],
  [null, 'Europe/Berlin', { npm_config_loglevel: 'silent' }],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string' }, first: { type: 'string' } },
});
const runs = Number(values.runs ?? SETTINGS.length);
const first = Number(values.first ?? 0);
if (!Number.isInteger(runs) || runs < 1)
  throw new Error(`--runs must be a positive whole number, not ${values.runs}`);

const clockLibrary = findClockLibrary();
const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-flaky-'));
const results = [];
for (let run = first; run < first + runs; run++) {
  const result = await runTests(run);
  results.push(result);
  console.log(lineOf(result));
}
const failed = results.filter(({ failures }) => failures.length > 0);
const HEAD = [
  '| run | seed | load | time and zone | environment | result | seconds | failures |',
  '|---|---|---|---|---|---|---|---|',
];
console.log(`\n${[...HEAD, ...results.map(lineOf)].join('\n')}`);
if (failed.length > 0) console.log(`\nThe output of the runs that failed is in ${folder}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
const { CARD_SANDBOX_PROOF_ROWS: report } = process.env;
if (report !== undefined) writeFileSync(report, JSON.stringify([rowOf()]));

/** Runs the tests once and returns what the table says of it. */
async function runTests(run) {
  const [time, zone, variables] = SETTINGS[run % SETTINGS.length];
  const isLoaded = run % 2 === 1;
  const seed = 1_000 + run;
  const output = join(folder, `run-${run}.json`);
  const shuffle = ['--sequence.shuffle.files', '--sequence.shuffle.tests', `--sequence.seed=${seed}`];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const load = isLoaded ? Array.from({ length: availableParallelism() }, startBusyLoop) : [];
  const startedAt = performance.now();
  const text = await collect([VITEST, 'run', ...shuffle, ...reporters, ...positionals], {
    ...process.env,
    ...variables,
    ...clockVariables(time),
    TZ: zone,
    CARD_SANDBOX_SEED: String(seed),
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  for (const child of load) child.kill('SIGKILL');
  const failures = failuresIn(output);
  if (failures.length > 0) writeFileSync(join(folder, `run-${run}.txt`), text);
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return { run, seed, isLoaded, time, zone, environment, seconds, failures };
}

/** Runs a program of Node.js to its end, or kills it when it hangs. Resolves with its output. */
function collect(args, env) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk));
    // The whole process group, because a worker that hangs outlives its parent.
    const kill = () => process.kill(-child.pid, 'SIGKILL');
    const interrupt = () => {
      kill();
      process.exit(130);
    };
    process.once('SIGINT', interrupt);
    const limit = setTimeout(kill, RUN_LIMIT_MS);
    child.once('close', () => {
      clearTimeout(limit);
      process.off('SIGINT', interrupt);
      resolve(text);
    });
  });
}

/** The names of the tests that failed. A file that failed as a whole counts as one. */
function failuresIn(output) {
  if (!existsSync(output)) return ['the run has no report'];
  const { success, testResults } = JSON.parse(readFileSync(output, 'utf8'));
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.slice(ROOT.length + 1);
    const tests = assertionResults
      .filter(test => test.status === 'failed')
      .map(({ title }) => `${file}: ${title}`);
    return status === 'failed' && tests.length === 0 ? [file] : tests;
  });
  return names.length > 0 || success ? names : ['an error outside of tests'];
}

function startBusyLoop() {
  // It ends by itself when this process is killed before it can end it.
  const program = 'for (let turn = 0; turn % 1e8 || process.ppid === parent; turn++);';
  return spawn(process.execPath, ['-e', `const parent = ${process.pid}; ${program}`], { stdio: 'ignore' });
}

/** Variables that shift the wall clock of a process and of its children, and nothing else of their time. */
function clockVariables(time) {
  if (time === null) return {};
  // Whole seconds, as an offset: each process would restart at a fixed time.
  const offset = Math.round((Date.parse(time) - Date.now()) / 1_000);
  return {
    LD_PRELOAD: clockLibrary,
    FAKETIME: `${offset < 0 ? '' : '+'}${offset}`,
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}

/** Returns the path of libfaketime. Installs it when it is missing and this process may; otherwise throws. */
function findClockLibrary() {
  const find = () => {
    const folders = ['x86_64', 'aarch64'].map(machine => `/usr/lib/${machine}-linux-gnu/faketime`);
    return folders.map(each => join(each, 'libfaketimeMT.so.1')).find(file => existsSync(file));
  };
  const found = find();
  if (found !== undefined) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    const script = 'apt-get -qq update && apt-get -qq install -y --no-install-recommends faketime';
    execFileSync('sh', ['-c', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const installed = find();
  if (installed === undefined)
    throw new Error('libfaketime is missing; install the package faketime of Debian');
  return installed;
}

function lineOf({ run, seed, isLoaded, time, zone, environment, seconds, failures }) {
  const cells = [
    run,
    seed,
    isLoaded ? 'busy' : 'none',
    `${time ?? 'now'} ${zone}`,
    environment.join(' '),
    failures.length > 0 ? '**failed**' : 'passed',
    seconds,
    failures.join('; ').replaceAll('|', '\\|'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function rowOf() {
  const tests = [...new Set(failed.flatMap(({ failures }) => failures))];
  const busy = results.filter(({ isLoaded }) => isLoaded).length;
  return {
    claim:
      'the quick tests pass in any order, beside other work, on any day, at any time of day and in any time zone',
    measured: [`${runs} runs, ${busy} of them on busy cores, ${failed.length} failed`, ...tests].join('; '),
    holds: failed.length === 0,
  };
}
