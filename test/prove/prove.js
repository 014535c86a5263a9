// Runs the tests that `npm run check` runs with a sample of their cases with all of them, and those that take too long for it.
// `npm run prove` runs every such test, and `npm run prove -- test/prove/attacks` those of folders or files. Prints what
// each has tried; exits with 1 when one fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONTRACT = 'test/contract/tools/vitest.config.ts';

const paths = process.argv.slice(2);
const files = testFiles().filter(file => paths.length === 0 || paths.some(path => file.startsWith(path)));
if (files.length === 0) {
  console.error(`no test below ${paths.join(', ')} has more cases than the check runs`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-proof-'));
const results = [
  ...run(files.filter(file => file.endsWith('.test.ts'))),
  ...run(
    files.filter(file => file.endsWith('.tool.ts')),
    '--config',
    CONTRACT,
  ),
];
rmSync(folder, { recursive: true });
for (const { fullName, status, meta } of results)
  console.log(`${status}  ${fullName}${meta?.measured === undefined ? '' : `: ${meta.measured}`}`);
process.exitCode = results.every(({ status }) => status !== 'failed') ? 0 : 1;

/** Returns the test files whose size depends on the run, and those that run only here. */
function testFiles() {
  return readdirSync(join(ROOT, 'test'), { recursive: true })
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => /\.(test|tool)\.ts$/.test(file))
    .filter(
      file => file.includes('.proof.') || readFileSync(join(ROOT, file), 'utf8').includes('/proof-size.ts'),
    )
    .sort();
}

/** Runs test files at full size, one at a time, because some measure time. Returns the result of each test. */
function run(selected, ...options) {
  if (selected.length === 0) return [];
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  spawnSync(
    process.execPath,
    [VITEST, 'run', '--no-file-parallelism', ...reporters, ...options, ...selected],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, CARD_SANDBOX_PROOF: 'full' },
    },
  );
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.length > 0 ? assertionResults : [{ fullName: name, status: 'failed' }],
  );
}
