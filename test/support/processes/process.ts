import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { ACME_KEY, type Reply } from '../sandbox.ts';

/** The program as users run it. Requires `dist`, which `npm test` builds first. */
export const PROGRAM = fileURLToPath(new URL('../../../bin/card-sandbox.js', import.meta.url));

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

/** Environment variables of a process, added to the inherited ones without colour settings. */
export type Variables = Readonly<Record<string, string>>;

function environment(variables: Variables): NodeJS.ProcessEnv {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...inherited } = process.env;
  return { ...inherited, ...variables };
}

/** Registers a cleanup function. */
type AtEnd = (end: () => Promise<void>) => void;

/** Starts any command. Kills it when the test ends. */
export function launch(
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
  const matched = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const listener = () => {
        const match = pattern.exec(text);
        if (match === null) return;
        listeners.delete(listener);
        resolve(match);
      };
      listeners.add(listener);
      listener();
      void ended.then(() => reject(new Error(`ended without ${pattern}; it printed:\n${text}`)));
    });
  return { text: () => text, matched };
}

/** Runs the command line as a process, to its end. `runHere` is much faster where a process is not needed. */
export async function runCli(args: readonly string[], variables: Variables = {}): Promise<Finished> {
  const running = launch(process.execPath, [PROGRAM, ...args], variables);
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
}

/** A response with its unparsed body. */
export interface RawReply extends Reply {
  readonly text: string;
}

/** A sandbox in a process of its own. */
export interface SandboxProcess extends Running {
  readonly listening: ListeningLine;
  /** Sends a request as the partner Acme; the path starts with `/v1` or `/_sandbox`. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawReply>;
}

/** Starts a sandbox on a free port with a JSON log. Resolves once it listens. */
export async function startCli(
  args: readonly string[] = [],
  variables: Variables = {},
  atEnd: AtEnd = onTestFinished,
): Promise<SandboxProcess> {
  const running = launch(
    process.execPath,
    [PROGRAM, 'start', '--port', '0', '--log-format', 'json', ...args],
    variables,
    atEnd,
  );
  const [line] = await running.printed(/^.*\n/);
  const listening: ListeningLine = JSON.parse(line);
  return {
    ...running,
    listening,
    async ask(method, path, body, headers = {}) {
      const init: RequestInit = {
        method,
        headers: { 'x-service-api-key': ACME_KEY, 'content-type': 'application/json', ...headers },
      };
      if (body !== undefined) init.body = JSON.stringify(body);
      const response = await fetch(listening.url + path, init);
      const text = await response.text();
      const { status, headers: responseHeaders } = response;
      return { status, headers: responseHeaders, text, body: text === '' ? null : JSON.parse(text) };
    },
  };
}

/** Starts a sandbox on a free port with the readable log. Resolves with its address once the banner is complete. */
export async function startPretty(args: readonly string[] = [], variables: Variables = {}) {
  const running = launch(process.execPath, [PROGRAM, 'start', '--port', '0', ...args], variables);
  const [banner, origin = ''] = await running.printed(/^.*?(http:[^\s"]*:\d+).*?Requests follow:.*?\n\n/s);
  return { ...running, banner, origin };
}
