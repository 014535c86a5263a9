import { spawn } from 'node:child_process';
import { clearTimeout, performance, setTimeout } from '../../../core/values/builtins.ts';
import { BuiltFixture } from '../../../sandbox/fixtures/define/built-fixture.ts';
import { DEFAULT_FIXTURE } from '../../../sandbox/fixtures/file/source.ts';
import { Attendance, EXAM_VARIABLE, noteOwnOptions, placeOrder } from '../../../tools/exam/attendance.ts';
import type { FinishedRun } from '../../../tools/exam/judge.ts';
import type { Disturbance } from '../../../tools/exam/misbehaviour.ts';
import { RunRecord } from '../../../tools/exam/run-record.ts';
import { startOwnSandbox } from '../../sandbox/lent-sandbox.ts';
import type { ServeFlags } from '../../sandbox/sandbox-flags.ts';
import {
  childEnvironment,
  exitCode,
  signalProcess,
  spawnArguments,
  startFailure,
  trackRun,
} from '../exec/run-child.ts';

/** The name of the fixture of a disturbance, in messages. */
const FIXTURE = 'the records of the exam';

/** Cap on the output that is kept. */
const MAX_OUTPUT = 1024 * 1024;
/** How long the output of processes is awaited that outlive the command. */
const LEFTOVER_MS = 200;

/** What ends a run. */
interface RunLimits {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Runs a command in a sandbox of its own, under a disturbance. Rejects when the sandbox cannot be started. */
export async function runInSandbox(
  words: readonly string[],
  flags: ServeFlags,
  disturbance: Disturbance,
  { limitMs, signal }: RunLimits,
): Promise<FinishedRun> {
  const record = new RunRecord();
  noteOwnOptions(flags, record);
  const order = await placeOrder(disturbance);
  const attendance = new Attendance(disturbance, record, order.strikes);
  const { fixtures = [DEFAULT_FIXTURE] } = flags;
  const { fixture } = disturbance;
  const added = fixture === undefined ? [] : [new BuiltFixture(FIXTURE, fixture)];
  const sandbox = await startOwnSandbox(
    { ...flags, ...attendance.options, allowHttpWebhooks: true, fixtures: [...fixtures, ...added] },
    null,
    attendance,
  ).catch(async error => {
    await order.remove();
    throw error;
  });
  try {
    const startedAt = performance.now();
    const variables = { ...sandbox.variables, [EXAM_VARIABLE]: order.file };
    const environment = { ...disturbance.environment, ...process.env };
    const run = await runWithOutput(words, childEnvironment(environment, variables), limitMs, signal);
    const durationMs = performance.now() - startedAt;
    await order.readInto(record);
    return { ...run, durationMs, record };
  } finally {
    await Promise.all([sandbox.release(), order.remove()]);
  }
}

/** How a command ended whose output was captured. */
interface CapturedRun {
  readonly code: number;
  readonly isTimedOut: boolean;
  /** The beginning of what it printed on standard output and standard error. */
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
  const { file, args, windowsVerbatimArguments } = spawnArguments(words, process.platform, env);
  return new Promise(resolve => {
    const leadsGroup = process.platform !== 'win32';
    const run = trackRun(env);
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: run.env,
      detached: leadsGroup,
      windowsVerbatimArguments,
    });
    let output = '';
    let isTimedOut = false;
    const keep = (chunk: Buffer) => {
      if (output.length < MAX_OUTPUT) output += chunk;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
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
      resolve({ code, isTimedOut, output });
    };
    child.once('error', error => {
      const { code, message } = startFailure(file, error);
      output += message;
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
}
