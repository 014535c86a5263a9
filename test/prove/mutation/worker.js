import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from './areas.js';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** How long a process may be silent: longer than the longest step between two reports. */
const SILENCE_LIMIT_MS = 60_000;
/** The final verdict when a new process, where no other mutant has run, repeats `unsound` or `unseen`. */
const FINAL_VERDICT = { unsound: 'killed', unseen: 'survived' };

/** Runs jobs in a child process, and starts another one when it ends early. */
export class Worker {
  #folder;
  #name;

  /**
   * @param {string} folder
   * @param {string} name
   */
  constructor(folder, name) {
    this.#folder = folder;
    this.#name = name;
  }

  /**
   * Judges mutants. A process that hangs is killed, its mutant counts as an infinite loop, and a new process continues.
   * A new process also continues when the last mutant needs one.
   *
   * @param {{ id: string, file: string }[]} mutants
   * @param {(id: string, verdict: string) => void} onVerdict
   */
  async judge(mutants, onVerdict) {
    let remaining = mutants;
    const retried = new Set();
    const settle = (id, verdict) => {
      remaining = remaining.filter(mutant => mutant.id !== id);
      onVerdict(id, verdict);
    };
    while (remaining.length > 0) {
      let last;
      const isHung = await this.run({ mutants: remaining }, ({ id, verdict }) => {
        last = id;
        if (verdict === undefined) return;
        const isSettled = FINAL_VERDICT[verdict] === undefined;
        if (isSettled || retried.has(id)) settle(id, FINAL_VERDICT[verdict] ?? verdict);
        else retried.add(id);
      });
      if (last === undefined) throw new Error('the tests do not run');
      if (isHung) settle(last, 'timeout');
    }
  }

  /**
   * Runs a job and forwards its progress. Resolves with true when the process hung and was killed.
   *
   * @param {object} job
   * @param {(progress: { id: string, verdict?: string }) => void} onProgress
   */
  async run(job, onProgress = () => {}) {
    const progress = this.#file('progress', 'jsonl');
    writeFileSync(this.#file('job', 'json'), JSON.stringify(job));
    rmSync(progress, { force: true });
    const child = this.#start();
    let [seen, since] = [0, Date.now()];
    for (let hasExited = false; !hasExited; ) {
      hasExited = child.exitCode !== null || child.signalCode !== null;
      const lines = linesOf(progress);
      for (const line of lines.slice(seen)) onProgress(JSON.parse(line));
      if (lines.length > seen) since = Date.now();
      seen = lines.length;
      if (!hasExited && Date.now() - since > SILENCE_LIMIT_MS) {
        // The whole process group, because the process that runs the tests no longer responds.
        process.kill(-child.pid, 'SIGKILL');
        await once(child, 'exit');
        return true;
      }
      await setTimeout(hasExited ? 0 : 500);
    }
    return false;
  }

  #start() {
    const options = ['run', '--config', 'test/prove/mutation/vitest.config.ts'];
    return spawn(process.execPath, [VITEST, ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
      env: { ...process.env, CARD_SANDBOX_MUTANTS: this.#folder, CARD_SANDBOX_WORKER: this.#name },
    });
  }

  #file(name, extension) {
    return join(this.#folder, `${name}-${this.#name}.${extension}`);
  }
}

/** The complete lines of a file that is being written. */
function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
