import { join } from 'node:path';
import { getTests } from '@vitest/runner/utils';
import { TestRunner } from 'vitest';
import {
  type Coverage,
  type CoveringTest,
  type Mutant,
  readCoverage,
  readJob,
  reportProgress,
  writeCoverage,
} from './jobs.ts';
import { Judge } from './judge.ts';
import { mutantState } from './mutant-state.ts';
import { SilentRunner } from './silent-runner.ts';

/**
 * Processes the job of this process after Vitest has run its only file. Stryker's own runner restarts Vitest for each
 * mutant and loads all sources again, which took several seconds each.
 */
export default class MutantRunner extends TestRunner {
  override async onAfterRunFiles(): Promise<void> {
    super.onAfterRunFiles();
    const runner = SilentRunner.from(this);
    const job = readJob();
    if ('mutants' in job) await judgeAll(job.mutants, new Judge(runner, readCoverage()));
    else writeCoverage({ ...(await coverageOf(job.testFiles, runner)), sources: job.sources });
  }
}

/** Runs all tests without an active mutant. */
async function coverageOf(
  files: readonly string[],
  runner: SilentRunner,
): Promise<Omit<Coverage, 'sources'>> {
  const tests: CoveringTest[] = [];
  const failing: string[] = [];
  for (const file of files) {
    reportProgress(file);
    for (const { id, name, result } of getTests(await runner.runTests(join(runner.config.root, file)))) {
      if (result?.state !== 'pass') failing.push(`${file}: ${name}`);
      else
        tests.push({
          id,
          file,
          ms: result.duration ?? 0,
          hits: mutantState.mutantCoverage.perTest[id] ?? {},
        });
    }
  }
  return { tests, failing, static: Object.keys(mutantState.mutantCoverage.static) };
}

/** Judges mutants one at a time. Stops at the first one that needs a new process. */
async function judgeAll(mutants: readonly Mutant[], judge: Judge): Promise<void> {
  for (const mutant of mutants) {
    const verdict = await judge.judge(mutant);
    reportProgress(mutant.id, verdict);
    if (verdict === 'unsound' || verdict === 'unseen') return;
  }
}
