import { spawn } from 'node:child_process';
import { exitCode, signalProcess, spawnArguments, startFailure } from '../exec/run-child.ts';

/** How a command ended whose output was captured. */
export interface CapturedRun {
  readonly code: number;
  readonly isTimedOut: boolean;
  /** The beginning of what it printed on standard output and standard error. */
  readonly output: string;
}

/** Cap on the output that is kept. */
const MAX_OUTPUT = 1024 * 1024;
/** How long the output of processes is awaited that outlive the command. */
const LEFTOVER_MS = 200;

/**
 * Runs a command without standard input and captures its output. Kills it after `limitMs`, or when the signal is
 * aborted, together with everything that it started. Never rejects.
 */
export function runCaptured(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  limitMs: number,
  signal: AbortSignal,
): Promise<CapturedRun> {
  const { file, args, windowsVerbatimArguments } = spawnArguments(words, process.platform, env);
  return new Promise(resolve => {
    const leadsGroup = process.platform !== 'win32';
    const child = spawn(file, args, {
      ...{ stdio: ['ignore', 'pipe', 'pipe'], env, detached: leadsGroup, windowsVerbatimArguments },
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
