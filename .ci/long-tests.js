// The last part of `npm run check`: the long tests, and beside them those of the contract and those that wait for time,
// because all wait for processes and the network. The tests that measure time or memory run when nothing else does.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { NODES, nodeProgram } from '../test/contract/tools/nodes.js';

const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

const codes = await Promise.all([
  vitest(['--project', 'long']),
  vitest(['--project', 'waiting']),
  contractThenNewestNode(),
]);
codes.push(await vitest(['--project', 'measuring']));
process.exitCode = codes.every(code => code === 0) ? 0 : 1;

/**
 * Runs the tests of the contract, which install each supported Node.js, then on the newest the quick tests of sockets: there
 * versions differ most.
 */
async function contractThenNewestNode() {
  const code = await vitest(['--config', 'test/contract/tools/vitest.config.ts']);
  const newest = nodeProgram(NODES.at(-1));
  const sockets = ['test/server/http', 'test/sandbox/transport', 'test/control/faults'];
  return code === 0 ? vitest(['--project', 'quick', ...sockets], newest) : code;
}

/** Runs Vitest. Resolves with its exit code, which is null after a signal. */
function vitest(args, node = process.execPath) {
  const child = spawn(node, [VITEST, 'run', ...args], { cwd: ROOT, stdio: 'inherit' });
  return new Promise(resolve => child.once('exit', resolve));
}
