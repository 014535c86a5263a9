import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord } from '../../../control/history/record/read.ts';
import { clearTimeout, performance, setTimeout, wallTime } from '../../../core/values/builtins.ts';
import { DISTURBANCE_VARIABLE } from '../../../server/in-process/own-disturbance.ts';
import type { FinishedRun } from '../../../tools/exam/judge.ts';
import type { DisturbancePlan } from '../../../tools/exam/misbehaviour.ts';
import { RunRecord } from '../../../tools/exam/run-record.ts';
import type { ServeFlags } from '../../sandbox/sandbox-flags.ts';
import { startOwnSandbox } from '../../sandbox/temporary-sandbox.ts';
import {
  childEnvironment,
  exitCode,
  signalProcess,
  spawnArguments,
  startFailure,
  trackRun,
} from '../exec/run-child.ts';
import { RunRecords } from '../exec/run-records.ts';

/** The file of the plan for sandboxes in process, beside the records. */
const PLAN = 'plan.json';

/** Cap on the characters that are kept of an output, half of them from its beginning. */
const MAX_OUTPUT = 1024 * 1024;
/** How long the output of processes is awaited that outlive the command. */
const LEFTOVER_MS = 200;

interface ExaminedRun extends FinishedRun {
  readonly release: () => void;
}

interface RunLimits {
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Called once the sandbox has started, before the command does. */
  readonly beforeCommand?: () => Promise<void>;
}

/**
 * Runs a command in a sandbox of its own, whose worlds are armed with misbehaviours, and marks what they strike with their
 * ids. Rejects when the sandbox cannot be started.
 */
export async function runInSandbox(
  words: readonly string[],
  flags: ServeFlags,
  plan: DisturbancePlan,
  { limitMs, signal, beforeCommand }: RunLimits,
): Promise<ExaminedRun> {
  const written = new RunRecords();
  try {
    const hooks = { records: written.folder, disturbance: plan };
    const sandbox = await startOwnSandbox({ ...flags, allowHttpWebhooks: true }, null, hooks);
    try {
      await beforeCommand?.();
      // What this process does before the command runs is no part of the records.
      written.begin();
      const file = join(written.path, PLAN);
      await writeFile(file, JSON.stringify(plan));
      const begunAt = wallTime();
      const startedAt = performance.now();
      const variables = { ...sandbox.variables, ...written.variables, [DISTURBANCE_VARIABLE]: file };
      const env = childEnvironment(process.env, variables);
      const run = await runWithOutput(words, env, limitMs, signal);
      const durationMs = performance.now() - startedAt;
      const records = (await written.read()).map(each => each.file);
      if (written.problems.length > 0)
        throw new Error('a record of a run cannot be written or read, so that the run says nothing');
      const read = await Promise.all(records.map(each => readRecord(each)));
      const strikers = plan.filter(({ faults }) => faults?.some(({ ridesAlong }) => !ridesAlong));
      const record = new RunRecord(read, begunAt, new Set(strikers.map(({ id }) => id)));
      return { ...run, durationMs, record, records, release: () => written.release() };
    } finally {
      await sandbox.release();
    }
  } catch (error) {
    written.release();
    throw error;
  }
}

interface CapturedRun {
  readonly code: number;
  readonly isTimedOut: boolean;
  /** What it printed on standard output and standard error: of much, the beginning and the end, where a failure is reported. */
  readonly output: string;
}

/**
 * Runs a command without standard input and captures its output. Kills it after `limitMs`, or when the signal is
 * aborted, together with everything that it started. Never rejects.
 */
function runWithOutput(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  limitMs: number,
  signal: AbortSignal,
): Promise<CapturedRun> {
  const { file, args, shell } = spawnArguments(words, process.platform);
  const running = new Promise<CapturedRun>(resolve => {
    const leadsGroup = process.platform !== 'win32';
    const run = trackRun(env);
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: run.env,
      detached: leadsGroup,
      shell,
    });
    let output = '';
    let isTimedOut = false;
    const keep = (text: string) => {
      output += text;
      // Not each time: a cut copies all that is kept, in the process that answers the command.
      if (output.length > 2 * MAX_OUTPUT) output = withoutMiddle(output);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep);
    const stop = () => signalProcess(child, 'SIGKILL', leadsGroup);
    const timer = setTimeout(() => {
      isTimedOut = true;
      stop();
    }, limitMs);
    signal.addEventListener('abort', stop, { once: true });
    const finish = (code: number) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      stop();
      run.killRest();
      resolve({ code, isTimedOut, output: withoutMiddle(output) });
    };
    child.once('error', error => {
      const { code, message } = startFailure(file, error);
      keep(message);
      finish(code);
    });
    child.once('exit', (code, killedBy) => {
      const result = exitCode(code, killedBy);
      const leftover = setTimeout(() => finish(result), LEFTOVER_MS);
      child.once('close', () => {
        clearTimeout(leftover);
        finish(result);
      });
    });
    if (signal.aborted) stop();
  });
  // Node.js throws where a part of the path is no folder.
  return running.catch((error: NodeJS.ErrnoException) => {
    const { code, message } = startFailure(file, error);
    return { code, isTimedOut: false, output: message };
  });
}

function withoutMiddle(output: string): string {
  if (output.length <= MAX_OUTPUT) return output;
  return output.slice(0, MAX_OUTPUT / 2) + output.slice(-MAX_OUTPUT / 2);
}
