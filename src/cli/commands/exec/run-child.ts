import { Buffer } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { URL } from 'node:url';
import { setTimeout } from '../../../core/values/builtins.ts';
import { quoteForShell } from '../../../core/values/text.ts';
import { UsageError } from '../../errors.ts';
import { failure } from '../../output/print.ts';
import { signalExitCode } from '../../signals.ts';

/** How long a command may take to end after a signal before it is killed. */
const KILL_AFTER_MS = 10_000;
const TERMINAL_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGHUP', 'SIGQUIT'];
/** The signals that are forwarded. All but SIGUSR2, whose meaning is up to the command, ask it to end. */
const SIGNALS: readonly NodeJS.Signals[] = [...TERMINAL_SIGNALS, 'SIGTERM', 'SIGUSR2'];

// The exit codes that shells use.
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** Returns whether a command that ended with this exit code has run at all. */
export function hasRun(code: number): boolean {
  return code !== NOT_FOUND && code !== NOT_EXECUTABLE;
}

/**
 * Runs a command with this process's standard streams and resolves with its exit code. Forwards signals, and leaves
 * nothing running that the command started.
 */
export async function runChild(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { file, args, shell } = spawnArguments(words, process.platform);
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
  const run = trackRun(env);
  // Installed before the command starts: a signal may arrive as soon as it runs.
  for (const signal of SIGNALS) process.on(signal, forward);
  try {
    child = spawn(file, args, { stdio: 'inherit', env: run.env, detached: leadsGroup, shell });
    return await exitCodeOf(child, file);
  } catch (error) {
    // Node.js throws where a part of the path is no folder, or a link leads to itself.
    return reportStartFailure(file, error as NodeJS.ErrnoException);
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
    if (leadsGroup) send('SIGKILL');
    run.killRest();
  }
}

/** The variable with the ids of the runs that a process belongs to, the innermost last. */
const RUN_VARIABLE = 'CARD_SANDBOX_RUN';

interface TrackedRun {
  readonly env: NodeJS.ProcessEnv;
  /**
   * Kills the processes that have inherited the environment, those in sessions of their own included. Works where the
   * system shows the environments of processes in /proc, as Linux does.
   */
  killRest(): void;
}

/** What ends the runs that have not ended when this process does: a module of the user may end it. */
const running = new Set<() => void>();
process.on('exit', () => {
  for (const killRest of running) killRest();
});

/** Marks the environment of a command, so that the processes that it leaves behind can be found. */
export function trackRun(env: NodeJS.ProcessEnv): TrackedRun {
  const id = randomUUID();
  const outer = env[RUN_VARIABLE];
  const killRest = () => {
    running.delete(killRest);
    const killed = new Set<string>();
    // A process may start another before it is killed.
    for (let found = true; found; ) {
      found = false;
      for (const pid of processes()) {
        if (killed.has(pid) || !environmentOf(pid).includes(id)) continue;
        killed.add(pid);
        found = killProcess(Number(pid)) || found;
      }
    }
  };
  running.add(killRest);
  return { env: { ...env, [RUN_VARIABLE]: outer ? `${outer} ${id}` : id }, killRest };
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Returns the environment that a process was started with; empty when it has ended or belongs to another user. */
function environmentOf(pid: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0);
  }
}

function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
    return false;
  }
}

/** Throws a UsageError for a command line that was passed as one word, with the form that runs it. */
export function checkCommand(words: readonly string[], command: 'exec' | 'exam'): void {
  const [text = '', ...others] = words;
  if (text === '') throw new UsageError(`the command is empty; use card-sandbox ${command} -- COMMAND`);
  if (others.length > 0 || !/\s/.test(text.trim()) || isProgram(text)) return;
  const isPlain = /^[\w\s@%+=:,./-]+$/.test(text);
  const form = isPlain ? text.trim() : `sh -c ${quoteForShell(text)}`;
  throw new UsageError(
    `${JSON.stringify(text)} is one word, and there is no such program; use card-sandbox ${command} -- ${form}`,
  );
}

function isProgram(text: string): boolean {
  const folders = text.includes('/') ? [] : (process.env.PATH ?? '').split(delimiter);
  return ['', ...folders].some(folder => existsSync(join(folder, text)));
}

function exitCodeOf(child: ChildProcess, name: string): Promise<number> {
  return new Promise(resolve => {
    child.once('error', error => resolve(reportStartFailure(name, error)));
    child.once('exit', (code, signal) => resolve(exitCode(code, signal)));
  });
}

/** Reports why a command cannot be started, and returns the exit code that says so. */
function reportStartFailure(name: string, error: NodeJS.ErrnoException): number {
  const { code, message } = startFailure(name, error);
  failure(message, 'pass a program that this machine can run after --');
  return code;
}

const NO_PROGRAM: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

export function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? 0) : signalExitCode(signal);
}

export function startFailure(name: string, error: NodeJS.ErrnoException): { code: number; message: string } {
  return NO_PROGRAM.includes(error.code)
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

interface SpawnArguments {
  readonly file: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Returns how a command is started on a platform. On Windows, `spawn` finds only executables and refuses scripts such as
 * `npm.cmd`, so cmd.exe runs the command, with every argument quoted so that it arrives unchanged.
 */
export function spawnArguments(
  [name = '', ...args]: readonly string[],
  platform: NodeJS.Platform,
): SpawnArguments {
  if (platform !== 'win32') return { file: name, args, shell: false };
  const line = [escapeSpecial(name.replaceAll('/', '\\')), ...args.map(quote)].join(' ');
  return { file: line, args: [], shell: true };
}

/** Quotes an argument for the program, which splits its command line, and then for cmd.exe. */
function quote(argument: string): string {
  const quoted = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&');
  return escapeSpecial(`"${quoted}"`);
}

function escapeSpecial(text: string): string {
  return text.replace(SPECIAL, '^$&');
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of a command that calls a sandbox: the inherited one, the variables of the sandbox, and its
 * host in `NO_PROXY` and `no_proxy`, because some programs read only one of them.
 */
export function childEnvironment(
  inherited: Environment,
  variables: Environment,
): Record<string, string | undefined> {
  const hosts = hostsOf(variables.CARD_SANDBOX_URL);
  const { NO_PROXY, no_proxy } = inherited;
  return {
    ...inherited,
    // An inherited token belongs to a server, and the command controls its world alone.
    CARD_SANDBOX_CONTROL_TOKEN: undefined,
    ...variables,
    // An empty value counts as unset.
    NO_PROXY: withHosts(NO_PROXY || no_proxy, hosts),
    no_proxy: withHosts(no_proxy || NO_PROXY, hosts),
  };
}

/** An IPv6 address is listed with and without brackets, because programs differ. */
function hostsOf(url = ''): string[] {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? [hostname.slice(1, -1), hostname] : [hostname];
}

function withHosts(list: string | undefined, hosts: readonly string[]): string {
  const listed = (list ?? '').split(/[\s,]+/).filter(each => each !== '');
  // Programs accept * only alone.
  if (listed.includes('*')) return list ?? '';
  return [...listed, ...hosts.filter(host => !listed.includes(host))].join(',');
}
