import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { failure } from '../../output/print.ts';

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
/** Shells report the death by a signal as this and the signal's number. */
const DEATH_BY_SIGNAL = 128;
/** How long a command may take to end after it was told to. */
const PATIENCE_MS = 10_000;

/**
 * Runs a command with this process's standard streams and resolves with its exit code. SIGINT and SIGTERM
 * are handed on to it; nothing that it started is left running.
 */
export async function runChild(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [name = '', ...args] = words;
  // A terminal sends its signals to all who are in the foreground, so there the command stays with us. Elsewhere
  // it leads a group of its own, which can be ended as a whole.
  const leads = process.stdin.isTTY !== true && process.platform !== 'win32';
  let child: ChildProcess | null = null;
  const hear = (signal: NodeJS.Signals) => {
    if (signal === 'SIGTERM' || leads) send(child, signal, leads);
    setTimeout(() => send(child, 'SIGKILL', leads), PATIENCE_MS).unref();
  };
  const signals = ['SIGINT', 'SIGTERM', ...(leads ? (['SIGHUP'] as const) : [])] as const;
  // Heard before there is a command: whoever sees it run may send a signal at once.
  for (const signal of signals) process.on(signal, hear);
  try {
    child = spawn(name, args, { stdio: 'inherit', env, detached: leads });
    return await ending(child, name);
  } finally {
    for (const signal of signals) process.off(signal, hear);
    if (leads) send(child, 'SIGKILL', leads);
  }
}

function ending(child: ChildProcess, name: string): Promise<number> {
  return new Promise(resolve => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      const why = isMissing ? 'there is no such command' : `it cannot be run (${error.code})`;
      failure(`${name}: ${why}`);
      resolve(isMissing ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? 0) : DEATH_BY_SIGNAL + constants.signals[signal]);
    });
  });
}

/** Sends a signal to a command, and to all that it started where it leads a group. */
function send(child: ChildProcess | null, signal: NodeJS.Signals, leads: boolean): void {
  const pid = child?.pid;
  if (pid === undefined) return;
  try {
    process.kill(leads ? -pid : pid, signal);
  } catch {
    // It has ended already.
  }
}
