import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Exit, FAILED } from '../../exit.ts';
import { printResult } from '../../output/print.ts';
import { BACKGROUND_VARIABLE, type ProcessReport } from './own-process.ts';

/**
 * Runs the same command line in a process of its own, marked by a variable, and resolves once its sandbox listens.
 * If it ends before, prints its messages and rejects with its exit code.
 */
export async function startInBackground(file: string | undefined): Promise<void> {
  const log = resolve(file ?? join(tmpdir(), `card-sandbox-${randomBytes(4).toString('hex')}.log`));
  const { descriptor, size } = openLog(log);
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', descriptor, descriptor, 'ipc'],
    env: { ...process.env, [BACKGROUND_VARIABLE]: '1' },
  });
  closeSync(descriptor);
  const result = await outcomeOf(child);
  if (typeof result === 'number') {
    process.stderr.write(readFileSync(log).subarray(size));
    if (file === undefined) rmSync(log, { force: true });
    throw new Exit(result);
  }
  child.unref();
  const { line, instance, pid } = result;
  await printResult(JSON.stringify({ ...JSON.parse(line), instance, pid, log }));
}

/** Opens a log to append to it. It can be read by its owner only, because it shows API keys. */
function openLog(path: string): { readonly descriptor: number; readonly size: number } {
  try {
    const descriptor = openSync(path, 'a', 0o600);
    return { descriptor, size: fstatSync(descriptor).size };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`the log ${path} cannot be written (${code}); pass another file with --log-file`);
  }
}

/** Resolves with the report of a process, or with its exit code when it ends without one. */
function outcomeOf(child: ChildProcess): Promise<ProcessReport | number> {
  const interrupt = () => child.kill();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return new Promise<ProcessReport | number>((settle, reject) => {
    // Only reportToParent sends a message.
    child.once('message', report => settle(report as ProcessReport));
    child.once('exit', code => settle(code === null || code === 0 ? FAILED : code));
    child.once('error', reject);
  }).finally(() => {
    for (const signal of signals) process.off(signal, interrupt);
  });
}
