import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { spawnArguments } from '../exec/spawn-arguments.ts';

/** How a command ended whose output was captured. */
export interface CapturedRun {
  readonly code: number;
  readonly isTimedOut: boolean;
  /** The beginning of what it printed on standard output and standard error. */
  readonly output: string;
}

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const SIGNAL_BASE = 128;
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
    const timer = setTimeout(() => {
      isTimedOut = true;
      kill(child);
    }, limitMs);
    const stop = () => kill(child);
    signal.addEventListener('abort', stop, { once: true });
    const finish = (code: number) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      kill(child);
      resolve({ code, isTimedOut, output });
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      output += `${file}: ${isMissing ? 'command not found' : `cannot be run (${error.code})`}`;
      finish(isMissing ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.once('exit', (code, killedBy) => {
      const result = killedBy === null ? (code ?? 0) : SIGNAL_BASE + constants.signals[killedBy];
      const leftover = setTimeout(() => finish(result), LEFTOVER_MS);
      child.once('close', () => {
        clearTimeout(leftover);
        finish(result);
      });
    });
    if (signal.aborted) stop();
  });
}

/** Kills a command, and what it started where it leads a group of its own. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
