import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startServer } from '../../../src/index.ts';
import { vacant } from '../../cli/support/deserted.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { CLI_PROGRAM } from '../../support/cli-process.ts';
import { installPackages } from '../../support/proof/install-packages.js';
import { serveShortCommands } from '../../support/shell-commands.ts';

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
}

/** Creates a project, and starts a sandbox as `start` does. Both end with the test. */
export async function createWorkplace(options: WorkplaceOptions = {}): Promise<Workplace> {
  const folder = createProject();
  const url = options.isRunning === false ? await vacant() : await startDefaultSandbox();
  onTestFinished(async () => void (await runInProcess(['stop', '--url', url])));
  // The ports of the documents stand for free ones.
  const ports = {
    4242: new URL(url).port,
    4243: new URL(await vacant()).port,
    3000: new URL(await vacant()).port,
  };
  writeShims(folder, new URL(url).port, await serveShortCommands());
  const env = {
    ...process.env,
    PATH: `${join(folder, 'shims')}:${process.env.PATH}`,
    CARD_SANDBOX_URL: url,
    // The port of the receivers in examples.
    PORT: ports[3000],
  };
  const run = (script: string) =>
    runScript(
      // In one step: a free port could be one of the documents.
      script.replaceAll(/\b(?:3000|4242|4243)\b/g, port => ports[Number(port) as keyof typeof ports]),
      folder,
      env,
    );
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
  mkdirSync(join(folder, 'examples'));
  // As after `init`.
  mkdirSync(join(folder, 'tests'));
  for (const [name, target] of [
    ['node_modules/card-sandbox', ROOT],
    ['node_modules/msw', join(ROOT, 'node_modules/msw')],
    ['node_modules/vitest', join(ROOT, 'node_modules/vitest')],
    ['examples/receivers', join(ROOT, 'examples/receivers')],
  ] as const) {
    symlinkSync(target, join(folder, name));
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true,"scripts":{"test":"node tests.mjs"}}');
  writeFileSync(join(folder, 'tests.mjs'), TESTS);
  return folder;
}

const TESTS = `const { SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
const headers = { 'x-service-api-key': SERVICE_API_KEY };
for (let attempt = 1; attempt < 5; attempt++) {
  const response = await fetch(SERVICE_BASE_URL + '/partner/cards', { headers }).catch(() => undefined);
  if (response?.ok) process.exit(0);
  await new Promise(resolve => setTimeout(resolve, 100));
}
process.exit(1);
`;

/** The folder into which `installJest` has installed Jest. */
const JEST = join(ROOT, 'node_modules/.cache/jest');

/** Test runners that `npx` runs. */
const RUNNERS = {
  vitest: join(ROOT, 'node_modules/vitest/vitest.mjs'),
  jest: join(JEST, 'node_modules/jest/bin/jest.js'),
};

/** Installs Jest, which the guide shows and no other test of this repository needs. */
export function installJest(): void {
  installPackages(join(ROOT, 'test/contract/jest/package.json'), JEST, []);
}

/**
 * Writes the programs of the project, which run this build without the time that npx takes. A server in the foreground
 * ends once it has started: `start` as with `--background`, `listen` by a signal when it has printed where it listens.
 * With `--forward-to` it stays, as in a terminal of its own.
 * `npm install` has been done. An exam tries one misbehaviour, because all of them take minutes.
 */
function writeShims(folder: string, port: string, shortCommands: string): void {
  mkdirSync(join(folder, 'shims'));
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, 'shims', name), `#!/bin/sh\n${text}`);
    chmodSync(join(folder, 'shims', name), 0o755);
  };
  const bin = dirname(process.execPath);
  program(
    'card-sandbox',
    `${shortCommands}command='"${process.execPath}" "${CLI_PROGRAM}"'
     case "$*" in
       *--help*) ;;
       start*--background*--port*) ;;
       start*--background*) shift; set -- start --port ${port} "$@" ;;
       start*) shift
         url=$(eval "$command" start --background '"$@"' --port 0 | sed 's/.*"url":"\\([^"]*\\)".*/\\1/')
         [ -n "$url" ] && eval "$command" stop --url "$url"; exit ;;
       exam*--list*|exam*--only*) ;;
       exam*) shift; set -- exam --only error-503-before "$@" ;;
       listen*--forward-to*) printed=$(mktemp)
         eval "$command" '"$@"' > "$printed" 2>&1 &
         until [ -s "$printed" ] || ! kill -0 $!; do sleep 0.05; done
         cat "$printed"; exit ;;
       listen*) printed=$(mktemp)
         eval exec "$command" '"$@"' > "$printed" 2>&1 &
         until [ -s "$printed" ] || ! kill -0 $!; do sleep 0.05; done
         kill $!; wait $!; code=$?; cat "$printed"; rm "$printed"; exit $code ;;
     esac
     eval exec "$command" '"$@"'\n`,
  );
  const runners = Object.entries(RUNNERS).map(([name, path]) => {
    return `[ "$1" = ${name} ] && { shift; exec "${process.execPath}" "${path}" "$@"; }\n`;
  });
  program(
    'npx',
    `[ "$1" = card-sandbox ] && { shift; exec card-sandbox "$@"; }\n${runners.join('')}exec "${bin}/npx" "$@"\n`,
  );
  program('vitest', `exec "${process.execPath}" "${RUNNERS.vitest}" "$@"\n`);
  program('npm', `[ "$1" = install ] && exit\nexec "${bin}/npm" "$@"\n`);
}

async function runScript(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  // A file, because a process that the script leaves in the background would keep a pipe open.
  const file = join(cwd, 'shims/output.txt');
  const descriptor = openSync(file, 'w');
  const child = spawn('bash', ['-e', '-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  });
  onTestFinished(() => endGroup(child.pid ?? 0));
  const code = await new Promise<number | null>(resolve => child.once('exit', resolve));
  closeSync(descriptor);
  return { code, output: readFileSync(file, 'utf8') };
}

/** Kills the processes that a script has left running. */
function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // All processes have exited.
  }
}
