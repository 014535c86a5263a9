// Runs the long proofs: `npm run prove`, or `npm run prove -- PART…` for selected parts. Each part is a set of test
// files, which `npm run check` runs at a small size, or a script. Prints a table and replaces the rows of the same parts in
// docs/proof.md. Exits with 1 when a row does not hold. The part `flaky` takes `--runs N` and paths of tests; such a smaller
// run leaves docs/proof.md as it is: `npm run prove -- flaky --runs 4 test/core`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** The test files of each part, or the script that writes its rows. With `claim`, all cases are summed up in one row. */
const PARTS = {
  model: { files: ['test/prove/model/run/model.long.test.ts', 'test/prove/model/run/http.long.test.ts'] },
  whole: { files: ['test/prove/model/run/whole.long.test.ts'] },
  money: { files: ['test/prove/model/run/money.long.test.ts'] },
  settings: { files: ['test/prove/model/run/settings.long.test.ts'] },
  worlds: { files: ['test/prove/model/run/worlds.long.test.ts', 'test/prove/worlds.long.test.ts'] },
  bugs: { files: ['test/prove/model/run/bugs.long.test.ts'] },
  history: { files: ['test/prove/model/histories/history.long.test.ts'] },
  nodes: {
    files: ['test/contract/tools/histories.tool.ts'],
    config: 'test/contract/tools/vitest.config.ts',
  },
  scenarios: { files: ['test/tools/scenarios/planted-differences.long.test.ts'] },
  evidence: {
    files: ['test/contract/tools/evidence.tool.ts'],
    config: 'test/contract/tools/vitest.config.ts',
  },
  exam: { files: ['test/tools/exam/apps.long.test.ts'] },
  verdicts: {
    files: [
      'test/tools/exam/styles.long.test.ts',
      'test/cli/commands/exam/exam.long.test.ts',
      'test/cli/commands/exam/receivers.long.test.ts',
    ],
    claim:
      'sound suites of every style and the example receivers survive the exam, and what is wrong is found',
  },
  planted: { files: ['test/tools/exam/planted.long.test.ts'] },
  pages: {
    files: ['dashboard/everyone', 'dashboard/keyboard', 'dashboard/cost', 'presenter/stories'].map(
      name => `test/browser/${name}.long.test.ts`,
    ),
    claim:
      'at every size, in light and dark, no page has a finding of axe, a side scroll or a shift while it loads; an open page costs little; everything is reached, and every story is played, by keyboard alone',
  },
  malformed: { files: ['test/prove/malformed.long.test.ts'] },
  random: {
    files: ['test/server/http/hostile/random-input.long.test.ts'],
    claim: 'random input to any operation of either plane gets a well-formed response and never a 5xx',
  },
  sockets: {
    files: ['hostile/malformed-http', 'hostile/targets', 'hostile/bodies', 'connections', 'close'].map(
      name => `test/server/http/${name}.test.ts`,
    ),
    claim:
      'malformed, hostile, pipelined and half-closed requests on raw sockets get a well-formed response and do no harm',
  },
  attacks: {
    files: [
      ...['browser', 'secrets', 'egress', 'alias-bomb', 'wrong-bodies', 'memory', 'full-disk'],
      ...['bundles', 'exports', 'spellings', 'services', 'projects', 'stack-traces', 'floods', 'outsider'],
    ].map(name => `test/prove/attacks/${name}.long.test.ts`),
  },
  slow: { files: ['test/prove/slow.long.test.ts'] },
  webhooks: {
    files: ['test/prove/webhooks.long.test.ts', 'test/service/webhooks/many-deliveries.long.test.ts'],
  },
  termination: {
    files: ['test/sandbox/state/kill.long.test.ts', 'test/cli/commands/sandbox/signals.long.test.ts'],
  },
  canaries: { files: ['test/prove/canaries.long.test.ts'] },
  storage: { files: ['test/prove/storage.long.test.ts'] },
  soak: { files: ['test/prove/soak.long.test.ts'] },
  isolation: { files: ['test/prove/isolation.long.test.ts'] },
  calibration: {
    files: ['round-trip', 'combinations'].map(name => `test/tools/calibrate/${name}.long.test.ts`),
  },
  contract: {
    files: ['test/contract/tools/package.tool.ts', 'test/contract/tools/jest.tool.ts'],
    config: 'test/contract/tools/vitest.config.ts',
    claim: 'the package compiles and runs with every supported compiler, Node.js and Jest',
  },
  examples: {
    files: [
      'test/cli/examples.long.test.ts',
      'test/docs/pages/pages.long.test.ts',
      'test/cli/commands/init/projects.long.test.ts',
      'test/cli/commands/exec/bundle.long.test.ts',
    ],
    claim:
      'the examples of every command, the pages of the documentation and the projects of `init` run as printed',
  },
  guide: {
    files: ['test/guide/tasks.long.test.ts'],
    claim: 'the shortest path to each goal, and each page of the guide, runs as printed',
  },
  captures: { files: ['test/prove/captures/captures.long.test.ts'] },
  flaky: { script: 'test/prove/flaky.js' },
  mutation: { script: 'test/prove/mutation/run.js' },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { runs: { type: 'string' } } });
const paths = positionals.filter(each => each.includes('/'));
const selected = positionals.filter(each => !paths.includes(each));
/** What limits the part `flaky` to fewer runs or tests. */
const limits = [...(values.runs === undefined ? [] : ['--runs', values.runs]), ...paths];
if (limits.length > 0 && selected.join() !== 'flaky') {
  console.error('--runs and paths are for the part flaky alone: npm run prove -- flaky --runs 4 test/core');
  process.exit(2);
}
const unknown = selected.filter(name => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; choose from ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const names = selected.length > 0 ? selected : Object.keys(PARTS);
const HEAD = ['| part | claim | measured | holds |', '|---|---|---|---|'];
const rows = names.flatMap(prove);
const lines = rows.map(lineOf);
console.log(`\n${[...HEAD, ...lines].join('\n')}`);
const page = join(ROOT, 'docs/proof.md');
if (limits.length === 0) updatePage();
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

/** Replaces the rows of the parts that ran. */
function updatePage() {
  const before = existsSync(page) ? readFileSync(page, 'utf8').split('\n') : [];
  const partOf = line => /^\| (\w+) \|/.exec(line)?.[1];
  const kept = Object.keys(PARTS).flatMap(part =>
    (names.includes(part) ? lines : before).filter(line => partOf(line) === part),
  );
  writeFileSync(page, documentWith([...HEAD, ...kept].join('\n')));
}

/** Runs a part and returns its rows of the table. */
function prove(part) {
  const { files, config, script, claim } = PARTS[part];
  console.log(`\n# ${part}`);
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-proof-'));
  const report = join(folder, 'report.json');
  try {
    const results =
      script === undefined ? proveByTests(files, config, report) : proveByScript(script, report);
    return summarize(results, claim).map(result => ({ part, ...result }));
  } catch (error) {
    return [{ part, claim: `the part runs: ${error.message}`, measured: '', holds: false }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs test files and returns one row per test. */
function proveByTests(files, config, report) {
  // One file at a time, because some measure time.
  const options = [
    '--no-file-parallelism',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(config === undefined ? [] : ['--config', config]),
  ];
  spawnSync(process.execPath, [VITEST, 'run', ...options, ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CARD_SANDBOX_PROOF: 'nightly' },
  });
  const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(file =>
    file.assertionResults.length > 0 ? file.assertionResults : [{ title: file.name, status: 'failed' }],
  );
  return tests.map(({ ancestorTitles = [], title, status, meta }) => ({
    claim: [...ancestorTitles, title].join(' ').replaceAll('|', '\\|'),
    measured: meta?.measured ?? (status === 'skipped' ? 'skipped' : ''),
    holds: status === 'passed',
  }));
}

/** Runs a script, which writes its rows to the file that the environment names. */
function proveByScript(script, report) {
  spawnSync(process.execPath, [script, ...limits], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CARD_SANDBOX_PROOF_ROWS: report },
  });
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** One row for all cases of a claim, and one for each case that fails. Returns the rows unchanged without a claim. */
function summarize(rows, claim) {
  if (claim === undefined) return rows;
  const failed = rows.filter(({ holds }) => !holds);
  const measured = `${rows.length - failed.length} of ${rows.length} cases`;
  return [{ claim, measured, holds: failed.length === 0 }, ...failed];
}

function lineOf({ part, claim, measured, holds }) {
  return `| ${part} | ${claim} | ${measured} | ${holds ? 'yes' : '**no**'} |`;
}

function documentWith(table) {
  return `# Proof

The results of the last \`npm run prove\`. All parts together take hours; \`npm run prove -- isolation webhooks\` runs two
of them. \`npm run check\` runs every part except \`flaky\` and \`mutation\` at a smaller size. The results do not depend on
the machine, with one exception: a mutant that times out on a slow machine can be detected by a failed assertion on a
fast one.

\`flaky\` runs the quick tests 20 times in a random order: half of the times beside a busy loop on each core, and with
wall clocks and time zones around month ends, a leap day, the ends of years and changes of daylight saving. It needs
Debian's faketime. \`npm run prove -- flaky --runs 4 test/core\` does it 4 times for the tests of a folder.

\`mutation\` judges a sample of the mutants of each area, spread evenly over its files.
\`node test/prove/mutation/run.js src/core/time\` judges all mutants of a folder.

\`\`\`sh
npm run prove -- isolation webhooks
\`\`\`

${table}
`;
}
