import { join } from 'node:path';
import { getTests } from '@vitest/runner/utils';
import { TestRunner } from 'vitest';
import { Judge } from './judge.ts';
import {
  type Coverage,
  type KnownTest,
  readCoverage,
  readOrder,
  type Suspect,
  tell,
  writeCoverage,
} from './order.ts';
import { planted } from './planted.ts';
import { QuietRunner } from './quiet-runner.ts';

/**
 * Does what this process has been told to do, once the file that Vitest has been given has been run. Stryker's own runner
 * has Vitest start anew for each mutant: with the sources to load, that took several seconds each.
 */
export default class MutantRunner extends TestRunner {
  override async onAfterRunFiles(): Promise<void> {
    super.onAfterRunFiles();
    const runner = QuietRunner.beside(this);
    const order = readOrder();
    if ('mutants' in order) await judgeAll(order.mutants, new Judge(runner, readCoverage()));
    else writeCoverage({ ...(await coverageOf(order.testFiles, runner)), sources: order.sources });
  }
}

/** Runs all tests without an active mutant. */
async function coverageOf(files: readonly string[], runner: QuietRunner): Promise<Omit<Coverage, 'sources'>> {
  const tests: KnownTest[] = [];
  const failing: string[] = [];
  for (const file of files) {
    tell(file);
    for (const { id, name, result } of getTests(await runner.runTests(join(runner.config.root, file)))) {
      if (result?.state !== 'pass') failing.push(`${file}: ${name}`);
      else tests.push({ id, file, ms: result.duration ?? 0, hits: planted.mutantCoverage.perTest[id] ?? {} });
    }
  }
  return { tests, failing, static: Object.keys(planted.mutantCoverage.static) };
}

/** Judges one after the other. Stops at the first that another process has to judge. */
async function judgeAll(mutants: readonly Suspect[], judge: Judge): Promise<void> {
  for (const mutant of mutants) {
    const verdict = await judge.judge(mutant);
    tell(mutant.id, verdict);
    if (verdict === 'unsound' || verdict === 'unseen') return;
  }
}
