import type { Coverage, CoveringTest } from './jobs.ts';

/** How much rarely executed code a test executes. */
interface Rareness {
  total: number;
  /** By source file. */
  readonly bySource: Map<string, number>;
}

/**
 * Ranks tests by relevance for a source file. Nearly all tests execute the request path. A test is about a file when their
 * paths have names in common, or when it executes lines of that file that few tests execute.
 */
export class TestRanking {
  readonly #rareness = new Map<CoveringTest, Rareness>();

  constructor({ tests, sources }: Coverage) {
    const counts = new Map<string, number>();
    for (const { hits } of tests) {
      for (const mutant of Object.keys(hits)) counts.set(mutant, (counts.get(mutant) ?? 0) + 1);
    }
    for (const test of tests) {
      const rareness: Rareness = { total: 0, bySource: new Map() };
      for (const mutant of Object.keys(test.hits)) {
        const share = 1 / (counts.get(mutant) ?? 1);
        const source = sources[mutant] ?? '';
        rareness.total += share;
        rareness.bySource.set(source, (rareness.bySource.get(source) ?? 0) + share);
      }
      this.#rareness.set(test, rareness);
    }
  }

  /** A comparator for `sort`: negative when `a` is more relevant for the source file than `b`. */
  compare(source: string, a: CoveringTest, b: CoveringTest): number {
    return sharedNames(b, source) - sharedNames(a, source) || this.compareRareness(source, a, b);
  }

  /** The same by what the tests execute alone, whatever they are named. */
  compareRareness(source: string, a: CoveringTest, b: CoveringTest): number {
    return (
      this.#of(b, ({ bySource }) => bySource.get(source)) -
        this.#of(a, ({ bySource }) => bySource.get(source)) ||
      this.#of(b, ({ total }) => total) - this.#of(a, ({ total }) => total)
    );
  }

  #of(test: CoveringTest, read: (rareness: Rareness) => number | undefined): number {
    const rareness = this.#rareness.get(test);
    return (rareness && read(rareness)) ?? 0;
  }
}

/** How many names in the path of a source file are in that of a test file, too: its room, its folders and its own. */
function sharedNames({ file }: CoveringTest, source: string): number {
  const [, ...names] = source.replace(/\.ts$/, '').split('/');
  return names.filter(name => file.includes(name.replace(/s$/, ''))).length;
}
