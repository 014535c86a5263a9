/** What the code with mutants reads and writes, under the names that the instrumenter has given it. */
interface Planted {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  readonly mutantCoverage: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

export const planted: Planted = { mutantCoverage: { static: {}, perTest: {} } };
Object.assign(globalThis, { __stryker__: planted });
