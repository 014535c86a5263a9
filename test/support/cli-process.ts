import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { ACME_KEY, type Reply } from './sandbox.ts';
import { send } from './send.ts';

/** The program as users run it. Requires `dist`, which `npm test` builds first. */
export const CLI_PROGRAM = fileURLToPath(new URL('../../bin/card-sandbox.js', import.meta.url));

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A finished run of the command line. */
export interface Finished extends Ending {
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process with its output. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first match in standard output. Rejects when the process ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same for standard error. */
  complained(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Environment variables of a process, added to those of this process except for the ones that decide on colours. */
export type Variables = Readonly<Record<string, string>>;

function environment(variables: Variables): NodeJS.ProcessEnv {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = process.env;
  return { ...inherited, ...variables };
}

/** Registers a function to call when the test, or whatever uses the process, ends. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Starts any command. Kills it when the test ends. */
export function startProcess(
  command: string,
  args: readonly string[],
  variables: Variables = {},
  atEnd: AtEnd = onTestFinished,
): Running {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(variables) });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const stdout = collect(child.stdout, ended);
  const stderr = collect(child.stderr, ended);
  return {
    child,
    ended,
    stdout: stdout.text,
    stderr: stderr.text,
    printed: stdout.matched,
    complained: stderr.matched,
  };
}

function collect(stream: NodeJS.ReadableStream, ended: Promise<Ending>) {
  let text = '';
  const listeners = new Set<() => void>();
  stream.setEncoding('utf8');
  stream.on('data', chunk => {
    text += chunk;
    for (const listener of listeners) listener();
  });
  const output = { text: () => text, listeners };
  return { ...output, matched: matcher(output, ended) };
}

/** Text that grows; its listeners are called whenever it has grown. */
export interface Output {
  text(): string;
  readonly listeners: Set<() => void>;
}

/** Returns a function that resolves with the first match in all of an output, and rejects when it ends without one. */
export function matcher(
  output: Output,
  ended: Promise<unknown>,
): (pattern: RegExp) => Promise<RegExpExecArray> {
  return pattern =>
    new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(output.text());
        if (match === null) return;
        output.listeners.delete(look);
        resolve(match);
      };
      output.listeners.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without ${pattern}; it printed:\n${output.text()}`)));
    });
}

/** Runs the command line as a process, to its end. `runInProcess` is much faster where a process is not needed. */
export async function runCli(args: readonly string[], variables: Variables = {}): Promise<Finished> {
  const running = startProcess(process.execPath, [CLI_PROGRAM, ...args], variables);
  const ending = await running.ended;
  return { ...ending, stdout: running.stdout(), stderr: running.stderr() };
}

/** The first line of a JSON log. */
export interface ListeningLine {
  readonly type: string;
  readonly url: string;
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  readonly partners: readonly { readonly id: string; readonly name: string; readonly apiKey: string }[];
  readonly controlToken?: string;
  readonly warnings?: readonly string[];
}

/** A response, with the text of its body. */
export interface RawReply extends Reply {
  readonly text: string;
}

/** Sends requests to a sandbox. */
export interface Requester {
  /** Sends a request as the partner Acme; the path begins with `/v1` or `/_sandbox`. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawReply>;
}

/** Returns what sends requests to the sandbox at this address. */
export function requester(url: string): Requester {
  return {
    async ask(method, path, body, headers = {}) {
      const response = await send(url + path, {
        method,
        headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { ...response, body: response.text === '' ? null : JSON.parse(response.text) };
    },
  };
}

/** A sandbox in its own process. */
export interface SandboxProcess extends Running, Requester {
  readonly listening: ListeningLine;
}

/** Starts a sandbox on a free port, logging in JSON, and resolves once it says that it listens. */
export async function startCli(
  args: readonly string[] = [],
  variables: Variables = {},
  atEnd: AtEnd = onTestFinished,
): Promise<SandboxProcess> {
  const running = startProcess(
    process.execPath,
    [CLI_PROGRAM, 'start', '--port', '0', '--log-format', 'json', ...args],
    variables,
    atEnd,
  );
  const [line] = await running.printed(/^.*\n/);
  const listening: ListeningLine = JSON.parse(line);
  return { ...running, listening, ...requester(listening.url) };
}

/** Starts a sandbox on a free port with the readable log. Resolves with its address once the banner is complete. */
export async function startWithReadableLog(args: readonly string[] = [], variables: Variables = {}) {
  const running = startProcess(process.execPath, [CLI_PROGRAM, 'start', '--port', '0', ...args], variables);
  const [banner, origin = ''] = await running.printed(/^.*?(http:[^\s"]*:\d+).*?Request log:.*?\n\n/s);
  return { ...running, banner, origin };
}
