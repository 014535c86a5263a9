import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test, and how often it executes each mutant. */
export interface CoveringTest {
  readonly id: string;
  readonly file: string;
  readonly ms: number;
  readonly hits: Readonly<Record<string, number>>;
}

/** The result of a test run without an active mutant. */
export interface Coverage {
  readonly tests: readonly CoveringTest[];
  /** Mutants in code that runs while modules load. */
  readonly static: readonly string[];
  /** Tests that fail without a mutant. They are ignored. */
  readonly failing: readonly string[];
  /** The source file of each mutant. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The job of a process: measure coverage, or judge mutants. */
type Job =
  | { readonly testFiles: readonly string[]; readonly sources: Readonly<Record<string, string>> }
  | { readonly mutants: readonly Mutant[] };

/** A mutant to judge. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
}

/**
 * The verdict on a mutant. Two verdicts send it to a new process: `unsound` when the failing test now also fails without
 * the mutant, and `unseen` when no test executed it, because its result was cached by an earlier test.
 */
export type Verdict = 'killed' | 'timeout' | 'survived' | 'unsound' | 'unseen';

const folder = process.env.CARD_SANDBOX_MUTANTS ?? '';
const worker = process.env.CARD_SANDBOX_WORKER ?? '';

/** Reads the job of this process. */
export function readJob(): Job {
  return JSON.parse(readFileSync(join(folder, `job-${worker}.json`), 'utf8'));
}

/** Reads the coverage that another process has measured. */
export function readCoverage(): Coverage {
  return JSON.parse(readFileSync(join(folder, 'coverage.json'), 'utf8'));
}

/** Writes the coverage for other processes. */
export function writeCoverage(coverage: Coverage): void {
  writeFileSync(join(folder, 'coverage.json'), JSON.stringify(coverage));
}

/** Reports that this process is alive, and the verdict on a mutant if there is one. */
export function reportProgress(id: string, verdict?: Verdict, by?: string): void {
  appendFileSync(join(folder, `progress-${worker}.jsonl`), `${JSON.stringify({ id, verdict, by })}\n`);
}
