import type { Coverage, KnownTest } from './order.ts';

/** How much of what only few tests do a test does. */
interface Rareness {
  inAll: number;
  /** By source file. */
  readonly in: Map<string, number>;
}

/**
 * How near tests are to source files. Nearly all tests pass the code that answers requests; those that are about it are
 * in a file of the same name, or also pass the lines next to it that others do not come by.
 */
export class Nearness {
  readonly #rareness = new Map<KnownTest, Rareness>();

  constructor({ tests, sources }: Coverage) {
    const counts = new Map<string, number>();
    for (const { hits } of tests) {
      for (const mutant of Object.keys(hits)) counts.set(mutant, (counts.get(mutant) ?? 0) + 1);
    }
    for (const test of tests) {
      const rareness: Rareness = { inAll: 0, in: new Map() };
      for (const mutant of Object.keys(test.hits)) {
        const share = 1 / (counts.get(mutant) ?? 1);
        const source = sources[mutant] ?? '';
        rareness.inAll += share;
        rareness.in.set(source, (rareness.in.get(source) ?? 0) + share);
      }
      this.#rareness.set(test, rareness);
    }
  }

  /** For `sort`: below zero when `a` is nearer to the source file than `b`. */
  compare(source: string, a: KnownTest, b: KnownTest): number {
    return (
      Number(isNamesake(b, source)) - Number(isNamesake(a, source)) ||
      this.#of(b, ({ in: some }) => some.get(source)) - this.#of(a, ({ in: some }) => some.get(source)) ||
      this.#of(b, ({ inAll }) => inAll) - this.#of(a, ({ inAll }) => inAll)
    );
  }

  #of(test: KnownTest, read: (rareness: Rareness) => number | undefined): number {
    const rareness = this.#rareness.get(test);
    return (rareness && read(rareness)) ?? 0;
  }
}

/** Whether a test file is about the kernel alone, or has the name of the source file or of its slice in its path. */
function isNamesake({ file }: KnownTest, source: string): boolean {
  if (file.startsWith('test/kernel/')) return true;
  const names = source.replace(/^src\/(?:kernel|resources)\/|\.ts$/g, '').split('/');
  return names.some(name => file.includes(name.replace(/s$/, '')));
}
