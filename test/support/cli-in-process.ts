import { Command } from 'commander';
import { beforeAll, beforeEach, onTestFinished, vi } from 'vitest';
import { flushOutput } from '../../src/cli/output/print.ts';
import { run } from '../../src/cli/program.ts';
import { launch } from '../../src/cli/sandbox/launch.ts';
import { sandboxFlags } from '../../src/cli/sandbox/sandbox-flags.ts';
import {
  type AtEnd,
  type Finished,
  type ListeningLine,
  matcher,
  type Requester,
  requester,
  type Variables,
} from './cli-process.ts';

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line to its end in this process, which takes a tenth of the time of `runCli`. Not for commands that
 * start another program or read from their terminal. `test/cli/processes.long.test.ts` shows that a process behaves the same.
 */
export function runInProcess(args: readonly string[], variables: Variables = {}): Promise<Finished> {
  // In sequence, because they share the environment and the output of this process.
  const running = last.then(() => runNow(args, variables));
  last = running.catch(() => undefined);
  return running;
}

async function runNow(args: readonly string[], variables: Variables): Promise<Finished> {
  const output = capture();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    const code = await run(args);
    await flushOutput();
    return { code, signal: null, stdout: output.stdout.text(), stderr: output.stderr.text() };
  } finally {
    vi.unstubAllEnvs();
    output.release();
  }
}

/** A command that runs in this process until it is stopped. */
export interface RunningHere {
  stdout(): string;
  stderr(): string;
  /** Resolves with the first match in all of standard output, and rejects when the command ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same for standard error. */
  complained(pattern: RegExp): Promise<RegExpExecArray>;
  /** Calls the command's handlers of SIGTERM and resolves with its exit code. */
  stop(): Promise<number>;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type Signal = (typeof SIGNALS)[number];

/** Starts a command in this process and stops it when the test ends. Commands stop in reverse order of their start. */
export function launchHere(args: readonly string[], atEnd: AtEnd = onTestFinished): RunningHere {
  const before = new Set(SIGNALS.flatMap(signal => process.listeners(signal)));
  const own = (signal: Signal) => process.listeners(signal).filter(each => !before.has(each));
  const output = capture();
  const ended = run(args).then(async code => {
    await flushOutput();
    for (const signal of SIGNALS) {
      for (const listener of own(signal)) process.off(signal, listener);
    }
    output.release();
    return code;
  });
  let isStopping = false;
  const stop = () => {
    if (!isStopping) for (const listener of own('SIGTERM')) listener('SIGTERM');
    isStopping = true;
    return ended;
  };
  atEnd(async () => void (await stop()));
  return {
    stdout: output.stdout.text,
    stderr: output.stderr.text,
    printed: matcher(output.stdout, ended),
    complained: matcher(output.stderr, ended),
    stop,
  };
}

/** A sandbox of `start` in this process. */
export interface SandboxHere extends RunningHere, Requester {
  readonly listening: ListeningLine;
}

/** Starts a sandbox on a free port in this process, with a JSON log, and resolves once it listens. */
export async function startHere(args: readonly string[] = [], atEnd?: AtEnd): Promise<SandboxHere> {
  const running = launchHere(['start', '--port', '0', '--log-format', 'json', ...args], atEnd);
  const [line] = await running.printed(/^.*\n/);
  const listening: ListeningLine = JSON.parse(line);
  return { ...running, listening, ...requester(listening.url) };
}

/** Starts a sandbox on a free port in this process, with a log for people. Resolves once its banner is complete. */
export async function startPrettyHere(args: readonly string[] = []) {
  const running = launchHere(['start', '--port', '0', ...args]);
  const [banner, origin = ''] = await running.printed(/^.*?(http:[^\s"]*:\d+).*?Request log:.*?\n\n/s);
  return { ...running, banner, origin };
}

/** Collects what this process writes to its standard streams until it is released. */
function capture() {
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  return {
    stdout,
    stderr,
    release() {
      stdout.release();
      stderr.release();
    },
  };
}

function collect(stream: NodeJS.WriteStream) {
  let text = '';
  const listeners = new Set<() => void>();
  const sinks = sinksOf(stream);
  const sink = (chunk: string) => {
    text += chunk;
    for (const listener of listeners) listener();
  };
  sinks.add(sink);
  return { text: () => text, listeners, release: () => void sinks.delete(sink) };
}

type Sinks = Set<(text: string) => void>;

/** Where a stream keeps its sinks: on itself, because a process runs many test files. */
const SINKS = Symbol.for('card-sandbox.sinks');

/** Returns what collects a stream. While it is empty, the stream writes as usual. */
function sinksOf(stream: NodeJS.WriteStream & { [SINKS]?: Sinks }): Sinks {
  return stream[SINKS] ?? intercept(stream);
}

function intercept(stream: NodeJS.WriteStream & { [SINKS]?: Sinks }): Sinks {
  const sinks: Sinks = new Set();
  const write = stream.write.bind(stream);
  stream[SINKS] = sinks;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    // The overloads of write differ in what follows the chunk, which is passed on as it is.
    if (sinks.size === 0) return write(chunk, ...(rest as []));
    for (const sink of sinks) sink(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    for (const each of rest) if (typeof each === 'function') each();
    return true;
  };
  return sinks;
}

/** A sandbox in this process that prints nothing. */
export interface ServedHere extends Requester {
  readonly url: string;
}

/** Serves a sandbox with the flags of `start`, but without a log, which would mix with the output of commands. */
export async function serveHere(
  args: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
): Promise<ServedHere> {
  const flags = sandboxFlags(new Command(), 0).parse(args, { from: 'user' });
  const { sandbox, server } = await launch(flags.opts(), null);
  atEnd(async () => {
    sandbox.stop();
    await server.close(0);
  });
  return { url: server.origin, ...requester(server.origin) };
}

/**
 * Runs commands against one sandbox in this process, which serves all tests of a file. Each test finds it as it was at
 * its start: without worlds and checkpoints, its clock frozen.
 */
export function sharedSandbox(args: readonly string[] = []) {
  let sandbox: ServedHere | null = null;
  beforeAll(async () => {
    let stop = async () => {};
    const frozen = ['--clock', '2026-03-15T10:00:00Z', '--freeze'];
    sandbox = await serveHere([...frozen, ...args], end => {
      stop = end;
    });
    return () => stop();
  });
  beforeEach(async () => {
    const { ask } = running();
    for (const { id } of (await ask('GET', '/_sandbox/worlds')).body) {
      if (id !== 'main') await ask('DELETE', `/_sandbox/worlds/${id}`);
    }
    for (const { name } of (await ask('GET', '/_sandbox/checkpoints')).body) {
      await ask('DELETE', `/_sandbox/checkpoints/${name}`);
    }
    await ask('POST', '/_sandbox/reset');
  });
  const running = () => {
    if (sandbox === null) throw new Error('the sandbox of this file has not started');
    return sandbox;
  };
  const runAgainst = (words: readonly string[]) => runInProcess(words, { CARD_SANDBOX_URL: running().url });
  return {
    /** The sandbox process. */
    running,
    /** Runs a command that finds the sandbox by its variable. */
    run: (...words: string[]) => runAgainst(words),
    /** Runs a command with `--json`, which must succeed, and parses what it prints. */
    async json(...words: string[]) {
      const finished = await runAgainst([...words, '--json']);
      if (finished.code !== 0) throw new Error(`${words.join(' ')}: ${finished.stderr}`);
      return JSON.parse(finished.stdout);
    },
  };
}
