// Runs the tests that mirror the files changed since the last commit, or since its parent when nothing has changed:
// `src/core/store/table.ts` is mirrored by `test/core/store`. Long tests are left out.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path/posix';

const VITEST = 'node_modules/vitest/vitest.mjs';

const changed = changedSince('HEAD');
const targets = new Set((changed.length > 0 ? changed : changedSince('HEAD~1')).flatMap(nearestTests));
if (targets.size === 0) console.log('No test mirrors what has changed.');
else {
  const { status } = spawnSync(process.execPath, [VITEST, 'run', '--passWithNoTests', ...targets], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

/**
 * Files that differ from a commit, untracked ones included.
 *
 * @param {string} commit
 */
function changedSince(commit) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')];
}

/**
 * The test file itself, or the nearest folder of tests that mirrors a source file. The architecture test goes with
 * every source.
 *
 * @param {string} file
 */
function nearestTests(file) {
  if (/^test\/.*\.test\.ts$/.test(file))
    return existsSync(file) && !/\.(?:long|proof)\./.test(file) ? [file] : [];
  if (!/^src\/.*\.tsx?$/.test(file)) return [];
  let folder = dirname(file.replace(/^src/, 'test'));
  while (!existsSync(folder)) folder = dirname(folder);
  const tests = folder === 'test' ? [] : [`${folder}/`];
  return ['test/architecture.test.ts', ...tests];
}
