import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { anySequence } from '../../prove/model/actions.ts';
import { digestOf, openForHistory, type RecordedHistory } from '../../prove/model/histories/traces.ts';
import { Model } from '../../prove/model/model.ts';
import { runSequence } from '../../prove/model/run/run-sequence.ts';
import { CARD_NETWORK } from '../../support/fixtures/card-network.ts';
import { PROOF_TIMEOUT_MS, recordResult, size } from '../../support/proof/proof-size.ts';
import { NODES, nodeProgram, TOOLS } from './install.ts';

const HISTORIES = size(12, 10_000);
/** Each process plays a part of the histories, because a long one is slower. */
const PART = 1_000;

/** Runs random sequences and writes their histories to files of a folder. */
async function record(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (let first = 0; first < HISTORIES; first += PART) {
    const file = join(folder, `${first}.ndjson`);
    const output = createWriteStream(file);
    // Each part has a seed, so that a failure can be repeated.
    for (const sequence of fc.sample(anySequence, { seed: first, numRuns: Math.min(PART, HISTORIES) })) {
      const { failurePercent, actions } = sequence;
      const sandbox = openForHistory(failurePercent);
      await runSequence(sandbox.send, new Model(failurePercent), actions);
      const history: RecordedHistory = {
        failurePercent,
        scenario: await sandbox.controlText('/history/export'),
        digest: await digestOf(sandbox),
      };
      sandbox.stop();
      output.write(`${JSON.stringify(history)}\n`);
    }
    output.end();
    await once(output, 'close');
    files.push(file);
  }
  return files;
}

/** Bundles the player, so that a Node.js without support for TypeScript can run it. */
async function bundlePlayer(): Promise<string> {
  const outfile = join(TOOLS, 'history-player.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../../prove/model/histories/player.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    // Packages that are CommonJS require built-in modules.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
    plugins: [
      {
        // The player stops its sandboxes itself.
        name: 'without Vitest',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^vitest$/ }, ({ path }) => ({ path, namespace: 'none' }));
          onLoad({ filter: /.*/, namespace: 'none' }, () => ({
            contents: 'export const onTestFinished = () => undefined;',
          }));
        },
      },
    ],
  });
  return outfile;
}

test(
  'histories that are exported give the same answers and state to the byte in processes of Node.js 20, 22, 24 and 26',
  async context => {
    const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-histories-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [files, player] = await Promise.all([record(folder), bundlePlayer()]);
    for (const file of files) {
      const results = await Promise.all(NODES.map(version => play(nodeProgram(version), player, file)));
      const count = Math.min(PART, HISTORIES);
      expect(results).toEqual(
        NODES.map(version => expect.stringMatching(new RegExp(`^${count} on v${version}\\.`))),
      );
    }
    recordResult(context, `${HISTORIES} histories on each, 0 differences`);
  },
  PROOF_TIMEOUT_MS,
);

/** Plays the histories of a file in a process of its own. Returns what it printed. */
async function play(node: string, player: string, file: string): Promise<string> {
  await using input = await open(file);
  const child = spawn(node, [player, ...CARD_NETWORK], { cwd: TOOLS, stdio: [input.fd, 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.on('data', chunk => (output += chunk));
  await once(child, 'close');
  return output;
}
