import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { type AtEnd, type SandboxProcess, startCli, startProcess } from '../../support/cli-process.ts';
import { findCommand, installPackage, searchPath } from '../../support/debian-package.ts';

/** The folder of the example. */
export const FOLDER = join(import.meta.dirname, '../../../examples/team');
/** The configuration of HAProxy in the example. */
export const CONFIGURATION = readFileSync(join(FOLDER, 'haproxy.cfg'), 'utf8');
/** The control token of the processes. */
export const SERVER_TOKEN = 'token-of-the-team-server';

const onThisMachine = () => findCommand(['haproxy'], [...searchPath(), '/usr/sbin', '/usr/local/sbin']);
/** The path of HAProxy, which is installed where this process may; null where there is none. */
export const haproxy = onThisMachine() ?? (installPackage('haproxy') ? onThisMachine() : null);
if (haproxy === null) {
  const message = 'tests of the router need HAProxy: install the package haproxy';
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`skipped: ${message}`);
}

/** `test` for tests that need HAProxy. They are skipped when there is none, except in CI. */
export const haproxyTest = test.skipIf(haproxy === null);

/** A process of the team server. */
export interface Shard {
  readonly name: string;
  readonly port: number;
  readonly process: SandboxProcess;
}

/** Starts a process of the team server as the example does, but on loopback. A port of 0 picks one. */
export async function startShard(
  name: string,
  flags: readonly string[] = [],
  port = 0,
  atEnd: AtEnd = onTestFinished,
): Promise<Shard> {
  const process = await startCli(
    [
      ...['--port', String(port), '--shard', name, '--trust-proxy', '--control-token', SERVER_TOKEN],
      // No worker of the tests is to meet the limit.
      ...['--rate-limit', '0', ...flags],
    ],
    {},
    atEnd,
  );
  return { name, port: Number(new URL(process.listening.url).port), process };
}

/** Returns the configuration of the example with the addresses of these processes, listening at `bind`. */
export function configurationFor(shards: readonly Pick<Shard, 'name' | 'port'>[], bind: string): string {
  const servers = shards.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}\n`).join('');
  return CONFIGURATION.replace(/^ {2}bind .*$/m, `  bind ${bind}`).replace(/(?:^ {2}server .*\n)+/m, servers);
}

/** Starts HAProxy in front of these processes. Resolves with its address once it responds for all of them. */
export async function startRouter(shards: readonly Shard[], atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-router-'));
  atEnd(async () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(shards, 'fd@3'));
  // HAProxy cannot say which port it has got, so it inherits the socket of a server that listens already.
  const socket = createServer();
  await new Promise<void>(resolve => socket.listen(0, '127.0.0.1', resolve));
  // The address of a server that listens on a port is an object.
  const url = `http://127.0.0.1:${(socket.address() as AddressInfo).port}`;
  const child = spawn(haproxy ?? '', ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'pipe', descriptorOf(socket)],
  });
  socket.close();
  let report = '';
  child.stderr?.on('data', chunk => (report += chunk));
  const ended = new Promise(resolve => child.once('close', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  for (const { name } of shards) {
    const path = `${url}/_sandbox/shards/${name}/health`;
    while ((await fetch(path).catch(() => null))?.status !== 200) {
      if (child.exitCode !== null) throw new Error(`HAProxy ended: ${report}`);
    }
  }
  return url;
}

function descriptorOf(server: Server): number {
  // Node.js has no public member for it.
  return (server as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
}

/** Checks a configuration of HAProxy. Resolves with what it reports about it. */
export async function checkConfiguration(text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-router-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const running = startProcess(haproxy ?? '', ['-c', '-f', file]);
  const { code } = await running.ended;
  return `${code === 0 ? '' : `exit code ${code}\n`}${running.stdout()}${running.stderr()}`;
}
