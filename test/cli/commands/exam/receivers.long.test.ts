import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonReport } from '../../../../src/tools/exam/exam.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { sample } from '../../../support/proof/proof-size.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

const RECEIVERS = join(import.meta.dirname, '../../../../examples/receivers');

/** Returns the command that starts a receiver; null when its language is not installed. */
async function commandOf(file: string): Promise<string[] | null> {
  const path = join(RECEIVERS, file);
  if (file === 'node.js') return [process.execPath, path];
  if (file === 'python.py') return isInstalled('python3', '--version') ? ['python3', path] : null;
  if (!isInstalled('go', 'version')) return null;
  const program = await temporaryFile('receiver');
  spawnSync('go', ['build', '-o', program, path]);
  return [program];
}

function isInstalled(command: string, version: string): boolean {
  return spawnSync(command, [version]).error === undefined;
}

test.each(sample(['node.js', 'python.py', 'receiver.go'], 1))(
  'the example receiver %s survives everything',

  async file => {
    const command = await commandOf(file);
    // Only Node.js is certain to be installed.
    if (command === null) return;
    const script = join(import.meta.dirname, 'examine-receiver.mjs');
    const words = ['exam', '--json', '--parallel', '4', '--', process.execPath, script, ...command];
    const { code, stdout, stderr } = await runInProcess(words, { GITHUB_STEP_SUMMARY: '' });
    expect(stderr).toContain('baseline passed');
    const { results, summary } = JSON.parse(stdout) as JsonReport;
    expect(results.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not-exercised')).toEqual(
      [],
    );
    expect(results.filter(({ kind, verdict }) => kind === 'forged' && verdict !== 'survived')).toEqual([]);
    expect(summary.survived).toBeGreaterThan(25);
    expect(code).toBe(0);
  },
);
