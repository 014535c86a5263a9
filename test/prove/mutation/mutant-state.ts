/** The state that instrumented code reads and writes. The instrumenter defines the names. */
interface MutantState {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  readonly mutantCoverage: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

/** The state of this process. */
export const mutantState: MutantState = { mutantCoverage: { static: {}, perTest: {} } };
Object.assign(globalThis, { __stryker__: mutantState });
