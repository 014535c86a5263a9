import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startServer } from '../../../src/index.ts';
import { vacant } from '../../cli/support/deserted.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { CLI_PROGRAM } from '../../support/cli-process.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** How a script ended, and everything that it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** A folder of a project with the package installed, and a fresh sandbox that its commands reach. */
export interface Workplace {
  readonly folder: string;
  /** The address of the sandbox. */
  readonly url: string;
  /** Runs a script with bash, which ends at the first command that fails. */
  run(script: string): Promise<Outcome>;
}

/** The options of a workplace. */
export interface WorkplaceOptions {
  /** Whether a sandbox runs already. Otherwise `start` serves one at the default address. Default: true. */
  readonly isRunning?: boolean;
  /** The port at which the receivers of the documents listen, which stands for a free one. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Creates a project, and starts a sandbox as `start` does. Both end with the test. */
export async function createWorkplace(options: WorkplaceOptions = {}): Promise<Workplace> {
  const folder = createProject();
  const url = options.isRunning === false ? await vacant() : await startDefaultSandbox();
  onTestFinished(async () => void (await runInProcess(['stop', '--url', url])));
  const receiverPort = new URL(await vacant()).port;
  writeShims(folder, new URL(url).port);
  const env = {
    ...process.env,
    PATH: `${join(folder, 'shims')}:${process.env.PATH}`,
    CARD_SANDBOX_URL: url,
    ...options.variables,
  };
  const run = (script: string) =>
    runScript(script.replaceAll('4242', new URL(url).port).replaceAll('3000', receiverPort), folder, env);
  return { folder, url, run };
}

async function startDefaultSandbox(): Promise<string> {
  const sandbox = await startServer({ port: 0 });
  onTestFinished(() => sandbox.close());
  return sandbox.url;
}

/** A project that has this package installed, and whose tests call the API. */
function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/card-sandbox'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"scripts":{"test":"node tests.mjs"}}');
  writeFileSync(join(folder, 'tests.mjs'), TESTS);
  return folder;
}

const TESTS = `const { SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
const headers = { 'x-service-api-key': SERVICE_API_KEY };
for (let attempt = 1; attempt < 5; attempt++) {
  const response = await fetch(SERVICE_BASE_URL + '/partner/cards', { headers }).catch(() => undefined);
  if (response?.ok) process.exit(0);
  await new Promise(resolve => setTimeout(resolve, 1000));
}
process.exit(1);
`;

/** Writes `npx` and `card-sandbox`, which run this build without the time that npx takes. The default port is free. */
function writeShims(folder: string, port: string): void {
  mkdirSync(join(folder, 'shims'));
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, 'shims', name), `#!/bin/sh\n${text}`);
    chmodSync(join(folder, 'shims', name), 0o755);
  };
  const command = `"${process.execPath}" "${CLI_PROGRAM}"`;
  program(
    'card-sandbox',
    `case "$1 $*" in
       *--port*) ;;
       start\\ *) shift; set -- start --port ${port} "$@" ;;
     esac
     exec ${command} "$@"\n`,
  );
  program(
    'npx',
    `[ "$1" = card-sandbox ] && { shift; exec card-sandbox "$@"; }\nexec "${join(process.execPath, '../npx')}" "$@"\n`,
  );
}

async function runScript(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn('bash', ['-e', '-c', script], {
    ...{ cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  onTestFinished(() => endGroup(child.pid ?? 0));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk));
  // Not `close`: a process that the script leaves in the background keeps the pipes open.
  const code = await new Promise<number | null>(resolve => child.once('exit', resolve));
  await new Promise(resolve => setImmediate(resolve));
  return { code, output };
}

/** Kills the processes that a script has left running. */
function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // All processes have exited.
  }
}
