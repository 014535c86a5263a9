// Proves what the sandbox promises, at the size that a night has time for: `npm run prove`, or `npm run prove -- PART…`
// for some parts. Each part is a few test files, which `npm test` runs in short, or a script of its own. Ends with a
// table, whose lines take the place of those of the same parts in docs/proof.md; exit 1 when a line does not hold.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** The files of each part, and whether they are many cases of one claim; or the script that writes its lines. */
const PARTS = {
  model: { files: ['test/prove/model/run/model.test.ts', 'test/prove/model/run/http.test.ts'] },
  bugs: { files: ['test/prove/model/run/bugs.test.ts'] },
  malformed: { files: ['test/prove/malformed.test.ts'] },
  random: {
    files: ['test/surfaces/http/random-input.test.ts'],
    claim: 'whatever is sent to any operation of either plane, the answer is one of ours and no 5xx',
  },
  sockets: {
    files: ['malformed-http', 'hostile-targets', 'hostile-bodies', 'connections', 'close'].map(
      name => `test/surfaces/http/${name}.test.ts`,
    ),
    claim:
      'broken, hostile, pipelined and half-closed requests on raw sockets end in an answer of ours and harm nothing',
  },
  slow: { files: ['test/prove/slow.test.ts'] },
  webhooks: { files: ['test/prove/webhooks.test.ts', 'test/resources/webhooks/storm.test.ts'] },
  deaths: { files: ['test/state/kill.test.ts', 'test/cli/commands/sandbox/signals.test.ts'] },
  canaries: { files: ['test/prove/canaries.test.ts'] },
  soak: { files: ['test/prove/soak.test.ts'] },
  isolation: { files: ['test/prove/isolation.test.ts'] },
  mutation: { script: 'test/prove/mutation/run.js' },
};

const asked = process.argv.slice(2);
const unknown = asked.filter(name => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const names = asked.length > 0 ? asked : Object.keys(PARTS);
const HEAD = ['| part | what is shown | measured | holds |', '|---|---|---|---|'];
const rows = names.flatMap(prove);
const lines = rows.map(lineOf);
console.log(`\n${[...HEAD, ...lines].join('\n')}`);
const page = join(ROOT, 'docs/proof.md');
const before = existsSync(page) ? readFileSync(page, 'utf8').split('\n') : [];
const partOf = line => /^\| (\w+) \|/.exec(line)?.[1];
const kept = Object.keys(PARTS).flatMap(part =>
  (names.includes(part) ? lines : before).filter(line => partOf(line) === part),
);
writeFileSync(page, textAround([...HEAD, ...kept].join('\n')));
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

/** Runs a part and returns its lines of the table. */
function prove(part) {
  const { files, script, claim } = PARTS[part];
  console.log(`\n# ${part}`);
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-proof-'));
  const report = join(folder, 'report.json');
  try {
    const lines = script === undefined ? proveByTests(files, report) : proveByScript(script, report);
    return together(lines, claim).map(line => ({ part, ...line }));
  } catch (error) {
    return [{ part, claim: `it runs at all: ${error.message}`, measured: '', holds: false }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs test files; each test is a line. */
function proveByTests(files, report) {
  // One file after the other: some measure time.
  const options = [
    '--no-file-parallelism',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  spawnSync(process.execPath, [VITEST, 'run', ...options, ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CARD_SANDBOX_PROOF: 'nightly' },
  });
  const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(file =>
    file.assertionResults.length > 0 ? file.assertionResults : [{ title: file.name, status: 'failed' }],
  );
  return tests.map(({ title, status, meta }) => ({
    claim: title.replaceAll('|', '\\|'),
    measured: meta?.measured ?? '',
    holds: status === 'passed',
  }));
}

/** Runs a script, which leaves its lines where it has been told to. */
function proveByScript(script, report) {
  spawnSync(process.execPath, [script], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, CARD_SANDBOX_PROOF_ROWS: report },
  });
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** One line for many cases of one claim, and one for each that does not hold; the lines as they are without a claim. */
function together(lines, claim) {
  if (claim === undefined) return lines;
  const bad = lines.filter(({ holds }) => !holds);
  const measured = `${lines.length - bad.length} of ${lines.length} cases`;
  return [{ claim, measured, holds: bad.length === 0 }, ...bad];
}

function lineOf({ part, claim, measured, holds }) {
  return `| ${part} | ${claim} | ${measured} | ${holds ? 'yes' : '**no**'} |`;
}

function textAround(table) {
  return `# Proof

What \`npm run prove\` has shown. All of it takes a good hour; \`npm run prove -- isolation webhooks\` runs two of its
parts, and \`npm test\` all of them but \`mutation\` in short. Nothing that is measured here depends on the machine, but for
which mutants time out: they are found out in another way where there is more time.

${table}
`;
}
