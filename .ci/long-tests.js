// The last part of `npm run check`: the long tests, and beside them those of the contract and those that wait for time,
// because all wait for processes and the network. The tests that measure time or memory run when nothing else does.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

const codes = await Promise.all([
  vitest('--project', 'long'),
  vitest('--project', 'waiting'),
  vitest('--config', 'test/contract/tools/vitest.config.ts'),
]);
codes.push(await vitest('--project', 'measuring'));
process.exitCode = codes.every(code => code === 0) ? 0 : 1;

/** Runs Vitest. Resolves with its exit code, which is null after a signal. */
function vitest(...args) {
  const child = spawn(process.execPath, [VITEST, 'run', ...args], { cwd: ROOT, stdio: 'inherit' });
  return new Promise(resolve => child.once('exit', resolve));
}
