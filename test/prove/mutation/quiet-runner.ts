import { type File, type Suite, startTests, type Test } from '@vitest/runner';
import type { EvaluatedModules } from 'vite/module-runner';
import { TestRunner } from 'vitest';
import { planted } from './planted.ts';

/** A mutant to run tests with. */
export interface Active {
  readonly mutant: string;
  /** How often it may be passed before that counts as a loop without end. */
  readonly hitLimit: number;
  /** Called before each test. */
  readonly onTest: () => void;
}

/**
 * Runs test files in this process, again and again, without telling anybody. The sources are loaded once, which takes
 * longer than most tests; the test file is loaded each time, as that is how its tests are registered.
 */
export class QuietRunner extends TestRunner {
  #active: Active | undefined;
  #stopAtFailure = false;
  #failed: Test | undefined;
  #isPassed = false;

  /** A runner in the same process as `loud`, which tells Vitest of all that it does. */
  static beside(loud: TestRunner): QuietRunner {
    const quiet = new QuietRunner({ ...loud.config });
    for (const part of ['moduleRunner', '_otel']) {
      Object.defineProperty(quiet, part, { value: Reflect.get(loud, part) });
    }
    return quiet;
  }

  /**
   * Runs some tests of a file, with the mutant active if one is given, until one fails. Returns that one, and whether
   * the mutant was passed.
   */
  async tryTests(
    filepath: string,
    { testIds, timeout }: { testIds: string[]; timeout: number },
    active?: Active,
  ): Promise<{ failed: Test | undefined; isPassed: boolean }> {
    this.config.testTimeout = timeout;
    this.#active = active;
    this.#stopAtFailure = true;
    this.#failed = undefined;
    this.#isPassed = false;
    await this.runTests(filepath, testIds);
    return { failed: this.#failed, isPassed: this.#isPassed };
  }

  /** Runs these tests of a file, or all. */
  async runTests(filepath: string, testIds?: string[]): Promise<File[]> {
    const { evaluatedModules }: { evaluatedModules: EvaluatedModules } = Reflect.get(this, 'workerState');
    const loaded = evaluatedModules.getModuleById(filepath);
    if (loaded !== undefined) evaluatedModules.invalidateModule(loaded);
    return await startTests([{ filepath, testIds, testLocations: undefined }], this);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.#stopAtFailure && this.#failed !== undefined) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: Test): void {
    super.onBeforeTryTask(test);
    this.#active?.onTest();
    planted.currentTestId = test.id;
    planted.activeMutant = this.#active?.mutant;
    planted.hitCount = 0;
    planted.hitLimit = this.#active?.hitLimit;
  }

  override onAfterRunTask(test: Test): void {
    planted.currentTestId = undefined;
    planted.activeMutant = undefined;
    this.#isPassed ||= (planted.hitCount ?? 0) > 0;
    if (test.result?.state === 'fail') this.#failed ??= test;
    super.onAfterRunTask(test);
  }

  /** There are no snapshots to save, and nobody to tell. */
  override async onAfterRunSuite(_suite: Suite): Promise<void> {}
}
