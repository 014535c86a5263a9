import { join } from 'node:path';
import type { Test } from '@vitest/runner';
import { Nearness } from './nearness.ts';
import { type Coverage, type KnownTest, type Suspect, tell, type Verdict } from './order.ts';
import type { Active, QuietRunner } from './quiet-runner.ts';

/** A mutant that is passed this many times as often as in all tests without it is in a loop without end. */
const HIT_FACTOR = 100;
/** How many tests may look for a mutant. The code that answers requests is passed in nearly all of them. */
const MOST_TESTS = 60;
/** Tests that take longer come last. */
const SLOW_MS = 1000;

/** Judges mutants by the tests that come by them. */
export class Judge {
  readonly #runner: QuietRunner;
  readonly #nearness: Nearness;
  readonly #tests = new Map<string, KnownTest[]>();
  /** How many mutants of a source file a test has found. It will most likely find their neighbours as well. */
  readonly #found = new Map<string, number>();

  constructor(runner: QuietRunner, coverage: Coverage) {
    this.#runner = runner;
    this.#nearness = new Nearness(coverage);
    for (const test of coverage.tests) {
      for (const mutant of Object.keys(test.hits)) {
        const known = this.#tests.get(mutant);
        if (known === undefined) this.#tests.set(mutant, [test]);
        else known.push(test);
      }
    }
  }

  /**
   * Runs the tests that come by the mutant until one fails. It counts only when the same test passes again without the
   * mutant: what one has left behind in this process must not speak against another.
   */
  async judge({ id, file }: Suspect): Promise<Verdict> {
    const tests = this.#tests.get(id) ?? [];
    const hits = tests.reduce((sum, test) => sum + (test.hits[id] ?? 0), 0);
    const active = { mutant: id, hitLimit: hits * HIT_FACTOR, onTest: () => tell(id) };
    let isPassed = false;
    for (const some of this.#inOrder(file, tests)) {
      const tried = await this.#try(some, active);
      isPassed ||= tried.isPassed;
      if (tried.failed === undefined) continue;
      const { failed } = tried;
      const [by] = some.filter(test => test.id === failed.id);
      if (by === undefined || (await this.#try([by])).failed !== undefined) return 'unsound';
      this.#found.set(pair(file, by), this.#foundBy(file, by) + 1);
      return isTimeout(failed) ? 'timeout' : 'killed';
    }
    return isPassed ? 'survived' : 'unseen';
  }

  /** The tests, first those that have found most of the neighbours, then the nearest; those of a file together. */
  #inOrder(source: string, tests: readonly KnownTest[]): KnownTest[][] {
    const isSlow = ({ ms }: KnownTest) => Number(ms > SLOW_MS);
    const sorted = tests
      .toSorted(
        (a, b) =>
          this.#foundBy(source, b) - this.#foundBy(source, a) ||
          isSlow(a) - isSlow(b) ||
          this.#nearness.compare(source, a, b),
      )
      .slice(0, MOST_TESTS);
    const groups = new Map<string, KnownTest[]>();
    for (const test of sorted) {
      const key = `${test.file} ${this.#foundBy(source, test) > 0} ${isSlow(test)}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [test]);
      else group.push(test);
    }
    return [...groups.values()];
  }

  #foundBy(source: string, test: KnownTest): number {
    return this.#found.get(pair(source, test)) ?? 0;
  }

  #try(tests: readonly KnownTest[], active?: Active) {
    const file = tests[0]?.file ?? '';
    const testIds = tests.map(({ id }) => id);
    return this.#runner.tryTests(
      join(this.#runner.config.root, file),
      { testIds, timeout: patienceWith(tests) },
      active,
    );
  }
}

function pair(source: string, { id }: KnownTest): string {
  return `${source} ${id}`;
}

/** How long one of these tests may take, in milliseconds, before it counts as waiting for ever. */
function patienceWith(tests: readonly KnownTest[]): number {
  return 2500 + 5 * Math.max(...tests.map(({ ms }) => ms));
}

function isTimeout(test: Test): boolean {
  return (test.result?.errors ?? []).some(({ message }) => /Hit count limit|timed out in/.test(message));
}
