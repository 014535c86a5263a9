import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { wallTime } from '../../core/values/builtins.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import type { OwnProcess } from '../../sandbox/sandbox.ts';
import { Exit, errorCode, FAILED } from '../errors.ts';
import { isOutputIncomplete, printResult } from '../output/print.ts';
import { printField } from '../output/response.ts';
import { withEndRequest } from '../signals.ts';

/** Set in a process that `--background` starts. It reports to its parent over the channel between them. */
const VARIABLE = 'CARD_SANDBOX_BACKGROUND';

interface ProcessReport {
  readonly line: string;
  readonly instance: string;
  readonly pid: number;
}

export function isInBackground(): boolean {
  return process.env[VARIABLE] !== undefined;
}

/**
 * Runs the same command line in a process of its own, marked by a variable, and resolves once its sandbox listens.
 * Prints what it reports, or only one field. If it ends before, prints its messages and rejects with its exit code. A
 * sandbox whose address cannot be printed is ended again, because nobody would know of it.
 */
export async function startInBackground(file?: string, field?: string): Promise<void> {
  // Imported only here, so that other starts do not load what starts processes.
  const { spawn } = await import('node:child_process');
  const log = resolve(file ?? join(tmpdir(), `card-sandbox-${randomBytes(4).toString('hex')}.log`));
  const { descriptor, size } = openLog(log);
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', descriptor, descriptor, 'ipc'],
    env: { ...process.env, [VARIABLE]: '1' },
  });
  closeSync(descriptor);
  const removeLog = () => file === undefined && rmSync(log, { force: true });
  const result = await outcomeOf(child);
  if (typeof result === 'number') {
    process.stderr.write(readFileSync(log).subarray(size));
    removeLog();
    throw new Exit(result);
  }
  const { line, instance, pid } = result;
  const shown = { ...JSON.parse(line), instance, pid, log };
  try {
    await (field === undefined ? printResult(JSON.stringify(shown)) : printField(shown, field));
    if (isOutputIncomplete()) throw new Exit(FAILED);
  } catch (error) {
    child.kill();
    await once(child, 'exit');
    removeLog();
    throw error;
  }
  child.unref();
}

/** Opens a log to append to it. It can be read by its owner only, because it shows API keys. */
function openLog(path: string): { readonly descriptor: number; readonly size: number } {
  try {
    const descriptor = openSync(path, 'a', 0o600);
    return { descriptor, size: fstatSync(descriptor).size };
  } catch (error) {
    throw new Error(
      `the log ${path} cannot be written (${errorCode(error)}); pass another file with --log-file`,
    );
  }
}

/** Resolves with the report of a process, or with its exit code when it ends without one. */
function outcomeOf(child: ChildProcess): Promise<ProcessReport | number> {
  return withEndRequest(({ signal }) => {
    onAbort([signal], () => child.kill());
    return new Promise((settle, reject) => {
      // Only reportToParent sends a message.
      child.once('message', report => settle(report as ProcessReport));
      child.once('exit', code => settle(code || FAILED));
      child.once('error', reject);
    });
  });
}

/** Describes this process to the control plane. `stop` is called when a client stops the sandbox. */
export function ownProcess(stop: () => void): OwnProcess {
  const { pid } = process;
  // The process id shows whether a sandbox that does not respond still runs. The letter keeps apart two numbers that
  // together could look like a card number, which messages mask.
  const instance = `${pid}-i${randomBytes(4).toString('hex')}`;
  return { pid, machine: hostname(), instance, startedAt: isoTime(wallTime()), stop };
}

export function reportToParent(line: () => string, { instance, pid }: OwnProcess): void {
  if (!isInBackground() || process.send === undefined) return;
  const report: ProcessReport = { line: line(), instance, pid };
  process.send(report, () => process.disconnect?.());
}
