import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';

// The exit codes that shells use.
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const SIGNAL_BASE = 128;

/** Returns the exit code that a shell reports for a process that a signal ended. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return SIGNAL_BASE + constants.signals[signal];
}

/** Returns the exit code of a process that exited with a code or by a signal. */
export function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? 0) : signalExitCode(signal);
}

/** Returns the exit code and the message for a command that could not be started. */
export function startFailure(name: string, error: NodeJS.ErrnoException): { code: number; message: string } {
  return error.code === 'ENOENT'
    ? { code: NOT_FOUND, message: `${name}: command not found` }
    : { code: NOT_EXECUTABLE, message: `${name}: cannot be run (${error.code})` };
}

/**
 * Sends a signal to a process, or to its whole group if it leads one. On Windows, ends the process and everything that
 * it started. Does nothing if the process has ended.
 */
export function signalProcess(child: ChildProcess, signal: NodeJS.Signals, leadsGroup: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  // Windows ends only the process itself, which may be the cmd.exe that runs the command.
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(leadsGroup ? -pid : pid, signal);
  } catch {
    // It has ended already.
  }
}
