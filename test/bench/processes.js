import { execFileSync, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Child processes that still run. They are killed when the benchmark exits. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** How long a server may take until its first response. */
const START_TIMEOUT_MS = 180_000;
const POLL_MS = 3;

/** The path of a file beside this one. */
export function here(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** A port that was free a moment ago. */
export function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Starts a server and waits for its first successful response. `command` returns its arguments for a port. Rejects
 * with the server's standard error when no response comes.
 */
export async function startServer({ name, program = process.execPath, command, ready, cwd, env }) {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(program, command(port), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  let stderr = '';
  child.stderr.on('data', chunk => {
    if (stderr.length < 2_000) stderr += chunk;
  });
  const ended = new Promise(resolve => {
    child.once('error', resolve);
    child.once('exit', resolve);
  }).then(() => running.delete(child));
  while (!(await responds(port, ready))) {
    const hasFailed = !running.has(child) || performance.now() - started > START_TIMEOUT_MS;
    if (hasFailed) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not respond: ${stderr.trim().slice(0, 500)}`);
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  return {
    name,
    port,
    pid: child.pid,
    startedInMs: performance.now() - started,
    residentBytes: () => residentBytes(child.pid),
    stop() {
      child.kill();
      return ended;
    },
  };
}

function responds(port, { path, headers = {} }) {
  return new Promise(resolve => {
    get({ port, path, headers, host: '127.0.0.1', agent: false }, response => {
      response.resume();
      response.on('end', () => resolve(response.statusCode < 300));
    }).on('error', () => resolve(false));
  });
}

/** Resident memory of a process. */
function residentBytes(pid) {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  }
}

/** Starts a script that processes messages, one at a time. `call` rejects with the error that the script reports. */
export function startScript(path, { args = [], flags = [] } = {}) {
  const child = fork(here(path), args, { execArgv: flags });
  running.add(child);
  const ended = new Promise(resolve => child.once('exit', resolve)).then(() => running.delete(child));
  return {
    call(message) {
      return new Promise((resolve, reject) => {
        void ended.then(() => reject(new Error(`${path} exited early`)));
        child.once('message', ({ result, error }) => {
          if (error === undefined) resolve(result);
          else reject(new Error(error));
        });
        child.send(message);
      });
    },
    stop() {
      child.kill();
      return ended;
    },
  };
}
