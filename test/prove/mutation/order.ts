import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test and the mutants that it comes by, with how often. */
export interface KnownTest {
  readonly id: string;
  readonly file: string;
  readonly ms: number;
  readonly hits: Readonly<Record<string, number>>;
}

/** What a run of the tests without an active mutant has shown. */
export interface Coverage {
  readonly tests: readonly KnownTest[];
  /** Mutants that are passed while modules are loaded. */
  readonly static: readonly string[];
  /** Tests that fail without a mutant. They have no say. */
  readonly failing: readonly string[];
  /** The source file of each mutant. */
  readonly sources: Readonly<Record<string, string>>;
}

/** What a process is to do: to find out which test comes by which mutant, or to judge some mutants. */
type Order =
  | { readonly testFiles: readonly string[]; readonly sources: Readonly<Record<string, string>> }
  | { readonly mutants: readonly Suspect[] };

/** A mutant to judge. */
export interface Suspect {
  readonly id: string;
  readonly file: string;
}

/**
 * What became of a mutant. Two are for another process to judge: `unsound`, where the test that failed fails without it
 * too from now on, and `unseen`, where no test came by it, as what it makes has been kept since an earlier test.
 */
export type Verdict = 'killed' | 'timeout' | 'survived' | 'unsound' | 'unseen';

const folder = process.env.CARD_SANDBOX_MUTANTS ?? '';
const lane = process.env.CARD_SANDBOX_LANE ?? '';

/** What this process is to do. */
export function readOrder(): Order {
  return JSON.parse(readFileSync(join(folder, `order-${lane}.json`), 'utf8'));
}

/** Which test comes by which mutant, as another process has found out. */
export function readCoverage(): Coverage {
  return JSON.parse(readFileSync(join(folder, 'coverage.json'), 'utf8'));
}

/** Keeps it for the others. */
export function writeCoverage(coverage: Coverage): void {
  writeFileSync(join(folder, 'coverage.json'), JSON.stringify(coverage));
}

/** Tells that this process is alive, and what has become of a mutant, if anything. */
export function tell(id: string, verdict?: Verdict, by?: string): void {
  appendFileSync(join(folder, `told-${lane}.jsonl`), `${JSON.stringify({ id, verdict, by })}\n`);
}
