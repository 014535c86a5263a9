import { execFileSync, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** What was started here and still runs, so that none outlives the bench. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** How long a server may take until it answers for the first time. */
const LONGEST_START_MS = 60_000;
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
 * Starts a server and waits for its first good answer; `command` has its arguments, given the port. Rejects, with
 * what the server complained of, when none comes.
 */
export async function startServer({ name, program = process.execPath, command, ready, cwd }) {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(program, command(port), { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let complaints = '';
  child.stderr.on('data', chunk => {
    if (complaints.length < 2_000) complaints += chunk;
  });
  const ended = new Promise(resolve => {
    child.once('error', resolve);
    child.once('exit', resolve);
  }).then(() => running.delete(child));
  while (!(await answers(port, ready))) {
    const isOver = !running.has(child) || performance.now() - started > LONGEST_START_MS;
    if (isOver) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not answer: ${complaints.trim().slice(0, 500)}`);
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

function answers(port, { path, headers = {} }) {
  return new Promise(resolve => {
    get({ port, path, headers, host: '127.0.0.1', agent: false }, response => {
      response.resume();
      response.on('end', () => resolve(response.statusCode < 300));
    }).on('error', () => resolve(false));
  });
}

/** How much memory a process holds. */
function residentBytes(pid) {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return 1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  }
}

/** Starts a script that answers messages, one at a time; `ask` rejects with what it complains of. */
export function startScript(path, { args = [], flags = [] } = {}) {
  const child = fork(here(path), args, { execArgv: flags });
  running.add(child);
  const ended = new Promise(resolve => child.once('exit', resolve)).then(() => running.delete(child));
  return {
    ask(message) {
      return new Promise((resolve, reject) => {
        void ended.then(() => reject(new Error(`${path} ended early`)));
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
