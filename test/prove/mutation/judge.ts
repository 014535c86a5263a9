import { join } from 'node:path';
import type { Test } from '@vitest/runner';
import { type Coverage, type CoveringTest, type Mutant, reportProgress, type Verdict } from './jobs.ts';
import type { ActiveMutant, SilentRunner } from './silent-runner.ts';
import { TestRanking } from './test-ranking.ts';

/** A mutant that executes this many times as often as without activation is in an infinite loop. */
const HIT_FACTOR = 100;
/** Cap on the tests per mutant. Nearly all tests execute the request path. */
const MAX_TESTS = 240;
/** Slower tests run last. */
const SLOW_MS = 1000;

/** Judges mutants by the tests that execute them. */
export class Judge {
  readonly #runner: SilentRunner;
  readonly #ranking: TestRanking;
  readonly #tests = new Map<string, CoveringTest[]>();
  /** How many mutants of a source file a test has killed. It is likely to kill their neighbours as well. */
  readonly #kills = new Map<string, number>();

  constructor(runner: SilentRunner, coverage: Coverage) {
    this.#runner = runner;
    this.#ranking = new TestRanking(coverage);
    for (const test of coverage.tests) {
      for (const mutant of Object.keys(test.hits)) {
        const known = this.#tests.get(mutant);
        if (known === undefined) this.#tests.set(mutant, [test]);
        else known.push(test);
      }
    }
  }

  /**
   * Runs the tests that execute the mutant until one fails. The failure counts only if the same test then passes without
   * the mutant, so that state left in this process by one mutant is not held against another.
   */
  async judge({ id, file }: Mutant): Promise<Verdict> {
    const tests = this.#tests.get(id) ?? [];
    const hits = tests.reduce((sum, test) => sum + (test.hits[id] ?? 0), 0);
    const active = { id, hitLimit: hits * HIT_FACTOR, onTest: () => reportProgress(id) };
    let isExecuted = false;
    for (const group of this.#inOrder(file, tests)) {
      const result = await this.#try(group, active);
      isExecuted ||= result.isExecuted;
      if (result.failed === undefined) continue;
      const { failed } = result;
      const [killer] = group.filter(test => test.id === failed.id);
      if (killer === undefined || (await this.#try([killer])).failed !== undefined) return 'unsound';
      this.#kills.set(pair(file, killer), this.#killsBy(file, killer) + 1);
      return isTimeout(failed) ? 'timeout' : 'killed';
    }
    return isExecuted ? 'survived' : 'unseen';
  }

  /**
   * The tests in groups by file: first those with the most kills in this source file, then the nearest and the rarest in
   * turn. Slow ones come last.
   */
  #inOrder(source: string, tests: readonly CoveringTest[]): CoveringTest[][] {
    const order = (compare: (a: CoveringTest, b: CoveringTest) => number) =>
      tests.toSorted((a, b) => this.#killsBy(source, b) - this.#killsBy(source, a) || compare(a, b));
    const rarest = order((a, b) => this.#ranking.compareRareness(source, a, b));
    const nearest = order((a, b) => this.#ranking.compare(source, a, b));
    const inTurn = nearest.flatMap((test, index) => [test, rarest[index] ?? test]);
    const isSlow = ({ ms }: CoveringTest) => Number(ms > SLOW_MS);
    const sorted = [...new Set(inTurn)].slice(0, MAX_TESTS).sort((a, b) => isSlow(a) - isSlow(b));
    const groups = new Map<string, CoveringTest[]>();
    for (const test of sorted) {
      const key = `${test.file} ${this.#killsBy(source, test) > 0} ${isSlow(test)}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [test]);
      else group.push(test);
    }
    return [...groups.values()];
  }

  #killsBy(source: string, test: CoveringTest): number {
    return this.#kills.get(pair(source, test)) ?? 0;
  }

  #try(tests: readonly CoveringTest[], active?: ActiveMutant) {
    const file = tests[0]?.file ?? '';
    const testIds = tests.map(({ id }) => id);
    return this.#runner.tryTests(
      join(this.#runner.config.root, file),
      { testIds, timeout: timeoutFor(tests) },
      active,
    );
  }
}

function pair(source: string, { id }: CoveringTest): string {
  return `${source} ${id}`;
}

/** The timeout for these tests, in milliseconds. */
function timeoutFor(tests: readonly CoveringTest[]): number {
  return 2500 + 5 * Math.max(...tests.map(({ ms }) => ms));
}

function isTimeout(test: Test): boolean {
  return (test.result?.errors ?? []).some(({ message }) => /Hit count limit|timed out in/.test(message));
}
