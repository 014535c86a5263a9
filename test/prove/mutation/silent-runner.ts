import { type File, type Suite, startTests, type Test } from '@vitest/runner';
import type { EvaluatedModules } from 'vite/module-runner';
import { TestRunner } from 'vitest';
import { mutantState } from './mutant-state.ts';

/** The mutant to activate in a test run. */
export interface ActiveMutant {
  readonly id: string;
  /** More executions than this count as an infinite loop. */
  readonly hitLimit: number;
  /** Called before each test. */
  readonly onTest: () => void;
}

/**
 * Runs test files repeatedly in this process, without reporting to Vitest. The sources are loaded once, which takes
 * longer than most tests. The test file is loaded each time, because that registers its tests.
 */
export class SilentRunner extends TestRunner {
  #active: ActiveMutant | undefined;
  #stopAtFailure = false;
  #failed: Test | undefined;
  #isExecuted = false;

  /** Creates a runner that shares the module cache of a regular runner. */
  static from(runner: TestRunner): SilentRunner {
    const silent = new SilentRunner({ ...runner.config });
    for (const part of ['moduleRunner', '_otel']) {
      Object.defineProperty(silent, part, { value: Reflect.get(runner, part) });
    }
    return silent;
  }

  /**
   * Runs some tests of a file until one fails, optionally with an active mutant. Returns the failed test, and whether the
   * mutant was executed.
   */
  async tryTests(
    filepath: string,
    { testIds, timeout }: { testIds: string[]; timeout: number },
    active?: ActiveMutant,
  ): Promise<{ failed: Test | undefined; isExecuted: boolean }> {
    this.config.testTimeout = timeout;
    this.#active = active;
    this.#stopAtFailure = true;
    this.#failed = undefined;
    this.#isExecuted = false;
    await this.runTests(filepath, testIds);
    return { failed: this.#failed, isExecuted: this.#isExecuted };
  }

  /** Runs the given tests of a file, or all of them. */
  async runTests(filepath: string, testIds?: string[]): Promise<File[]> {
    const { evaluatedModules }: { evaluatedModules: EvaluatedModules } = Reflect.get(this, 'workerState');
    const cached = evaluatedModules.getModuleById(filepath);
    if (cached !== undefined) evaluatedModules.invalidateModule(cached);
    return await startTests([{ filepath, testIds, testLocations: undefined }], this);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.#stopAtFailure && this.#failed !== undefined) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: Test): void {
    super.onBeforeTryTask(test);
    this.#active?.onTest();
    mutantState.currentTestId = test.id;
    mutantState.activeMutant = this.#active?.id;
    mutantState.hitCount = 0;
    mutantState.hitLimit = this.#active?.hitLimit;
  }

  override onAfterRunTask(test: Test): void {
    mutantState.currentTestId = undefined;
    mutantState.activeMutant = undefined;
    this.#isExecuted ||= (mutantState.hitCount ?? 0) > 0;
    if (test.result?.state === 'fail') this.#failed ??= test;
    super.onAfterRunTask(test);
  }

  /** Skips the base class, which saves snapshots and reports to Vitest. */
  override async onAfterRunSuite(_suite: Suite): Promise<void> {}
}
