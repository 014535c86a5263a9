import { type ChildProcess, spawn } from 'node:child_process';
import { failure } from '../../output/print.ts';
import { exitCode, signalProcess, startFailure } from './child-process.ts';
import { spawnArguments } from './spawn-arguments.ts';

/** How long a command may take to end after a signal before it is killed. */
const KILL_AFTER_MS = 10_000;
/** The signals that a terminal sends. */
const TERMINAL_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT'];
/** The signals that are forwarded. All but SIGUSR2, whose meaning is up to the command, ask it to end. */
const SIGNALS: readonly NodeJS.Signals[] = [...TERMINAL_SIGNALS, 'SIGTERM', 'SIGUSR2'];

/**
 * Runs a command with this process's standard streams and resolves with its exit code. Forwards signals, and leaves
 * nothing running that the command started.
 */
export async function runChild(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { file, args, windowsVerbatimArguments } = spawnArguments(words, process.platform, env);
  // A terminal signals every process in the foreground group, so there the command stays in ours. Elsewhere it leads
  // its own group, which can be killed as a whole.
  const leadsGroup = process.stdin.isTTY !== true && process.platform !== 'win32';
  let child: ChildProcess | null = null;
  const send = (signal: NodeJS.Signals) => {
    if (child !== null) signalProcess(child, signal, leadsGroup);
  };
  const forward = (signal: NodeJS.Signals) => {
    if (!TERMINAL_SIGNALS.includes(signal) || leadsGroup) send(signal);
    if (signal === 'SIGUSR2') return;
    setTimeout(() => send('SIGKILL'), KILL_AFTER_MS).unref();
  };
  // Installed before the command starts: a signal may arrive as soon as it runs.
  for (const signal of SIGNALS) process.on(signal, forward);
  try {
    child = spawn(file, args, { stdio: 'inherit', env, detached: leadsGroup, windowsVerbatimArguments });
    return await exitCodeOf(child, file);
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
    if (leadsGroup) send('SIGKILL');
  }
}

/** What to do when the command cannot be run. */
const COMMAND_HINT = 'pass a program that this machine can run after --';

function exitCodeOf(child: ChildProcess, name: string): Promise<number> {
  return new Promise(resolve => {
    child.once('error', error => {
      const { code, message } = startFailure(name, error);
      failure(message, COMMAND_HINT);
      resolve(code);
    });
    child.once('exit', (code, signal) => resolve(exitCode(code, signal)));
  });
}
