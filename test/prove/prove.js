// Runs the tests that `npm run check` runs with a sample of their cases with all of them, and those that take too long for it.
// `npm run prove` runs every such test, and the quick tests 20 times in random order beside them; `npm run prove --
// test/prove/attacks` runs those of folders or files. Prints what each has tried; exits with 1 when one fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONTRACT = 'test/contract/tools/vitest.config.ts';
/** How often `npm test` runs in the complete proof. */
const QUICK_RUNS = 20;

const paths = process.argv.slice(2);
const files = testFiles().filter(file => paths.length === 0 || paths.some(path => file.startsWith(path)));
if (files.length === 0) {
  console.error(`no test below ${paths.join(', ')} has more cases than the check runs`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-proof-'));
const tools = files.filter(file => file.endsWith('.tool.ts'));
const tests = files.filter(file => !tools.includes(file));
const soak = tests.filter(file => file.includes('/soak.'));
/** Those of `npm run prove` alone that compare nothing with what something takes. */
const COMPUTING = /\/model\/|malformed|random-input|spellings|many-deliveries/;
// Those that measure, and exams: on a busy machine a webhook of a running clock can come after what the tests look at.
const alone = tests.filter(
  file => /\.proof\.|\/exam\//.test(file) && !soak.includes(file) && !COMPUTING.test(file),
);
const others = tests.filter(file => !alone.includes(file) && !soak.includes(file));
const results = (
  await Promise.all([
    // They are the load of each other.
    fullSize('soak', soak),
    fullSize('others', others, '--project=!measuring'),
    paths.length === 0 ? quickTests() : [],
  ])
).flat();
results.push(
  ...(await fullSize('tools', tools, '--config', CONTRACT)),
  ...(await fullSize('alone', alone)),
  ...(await fullSize('measuring', others, '--project=measuring')),
);
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

/** Runs test files at full size, one at a time. Returns the result of each test. */
async function fullSize(name, selected, ...options) {
  if (selected.length === 0) return [];
  const args = ['--no-file-parallelism', '--passWithNoTests', '--reporter=default', ...options, ...selected];
  return vitest(name, args, { stdio: 'inherit', env: { ...process.env, CARD_SANDBOX_PROOF: 'full' } });
}

/**
 * Runs what `npm test` runs 20 times, each time in another order, and every second time in one process, in which what a file
 * leaves behind meets all others. Returns the failed tests, or one result for all.
 */
async function quickTests() {
  const failed = [];
  for (let seed = 1; seed <= QUICK_RUNS; seed++) {
    const inOrder = ['--sequence.shuffle', `--sequence.seed=${seed}`];
    if (seed % 2 === 0) inOrder.push('--maxWorkers=1');
    const results = await vitest(`quick-${seed}`, inOrder, { stdio: 'ignore' });
    failed.push(...results.filter(({ status }) => status === 'failed'));
    console.log(`npm test in order ${seed}: ${results.length} tests, ${failed.length} failures so far`);
  }
  return failed.length > 0 ? failed : [{ fullName: `npm test, ${QUICK_RUNS} times`, status: 'passed' }];
}

/** Runs Vitest. Returns the result of each test. */
async function vitest(name, args, options) {
  const report = join(folder, `${name}.json`);
  const reporters = ['--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(process.execPath, [VITEST, 'run', ...reporters, ...args], { cwd: ROOT, ...options });
  await once(child, 'exit');
  // Vitest writes no report when it is stopped: the results of other runs are worth showing.
  if (!existsSync(report)) return [{ fullName: `${name}: stopped, without results`, status: 'failed' }];
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.length > 0 ? assertionResults : [{ fullName: name, status: 'failed' }],
  );
}
