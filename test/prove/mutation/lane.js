import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from './rooms.js';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** For how long a process may say nothing: longer than what it does between two words. */
const PATIENCE_MS = 60_000;
/** What verdicts that leave a mutant to another process mean there, where no other mutant has been: it has done it itself. */
const IN_A_NEW_PROCESS = { unsound: 'killed', unseen: 'survived' };

/** One process after the other that does in `folder` what it is told. */
export class Lane {
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
   * Has mutants judged. A process that gets stuck is ended and its mutant counts as a loop without end; another goes on.
   * So does one after a process that left its last mutant to another.
   *
   * @param {{ id: string, file: string }[]} mutants
   * @param {(id: string, verdict: string) => void} onVerdict
   */
  async judge(mutants, onVerdict) {
    let left = mutants;
    const again = new Set();
    const settle = (id, verdict) => {
      left = left.filter(mutant => mutant.id !== id);
      onVerdict(id, verdict);
    };
    while (left.length > 0) {
      let last;
      const stuck = await this.run({ mutants: left }, ({ id, verdict }) => {
        last = id;
        if (verdict === undefined) return;
        const isSettled = IN_A_NEW_PROCESS[verdict] === undefined;
        if (isSettled || again.has(id)) settle(id, IN_A_NEW_PROCESS[verdict] ?? verdict);
        else again.add(id);
      });
      if (last === undefined) throw new Error('the tests cannot be run');
      if (stuck) settle(last, 'timeout');
    }
  }

  /**
   * Has an order carried out, and hands on what is told meanwhile. Returns whether the process got stuck.
   *
   * @param {object} order
   * @param {(told: { id: string, verdict?: string }) => void} onTold
   */
  async run(order, onTold = () => {}) {
    const told = this.#file('told', 'jsonl');
    writeFileSync(this.#file('order', 'json'), JSON.stringify(order));
    rmSync(told, { force: true });
    const child = this.#start();
    let [known, since] = [0, Date.now()];
    for (let over = false; !over; ) {
      over = child.exitCode !== null || child.signalCode !== null;
      const lines = linesOf(told);
      for (const line of lines.slice(known)) onTold(JSON.parse(line));
      if (lines.length > known) since = Date.now();
      known = lines.length;
      if (!over && Date.now() - since > PATIENCE_MS) {
        // With the process that runs the tests, which does not listen any more.
        process.kill(-child.pid, 'SIGKILL');
        await once(child, 'exit');
        return true;
      }
      await setTimeout(over ? 0 : 500);
    }
    return false;
  }

  #start() {
    const options = ['run', '--config', 'test/prove/mutation/vitest.config.ts'];
    return spawn(process.execPath, [VITEST, ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
      env: { ...process.env, CARD_SANDBOX_MUTANTS: this.#folder, CARD_SANDBOX_LANE: this.#name },
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
