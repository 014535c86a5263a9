import { type Double, describe } from './doubles.ts';
import type { Kind } from './misbehaviour.ts';
import type { RunRecord } from './run-record.ts';

/** What an exam finds of a misbehaviour. */
export type Verdict = 'survived' | 'broke' | 'applied-twice' | 'accepted' | 'not-exercised';

/** Whether a verdict is one to act on. */
export function isFinding({ verdict }: { readonly verdict: Verdict }): boolean {
  return verdict === 'broke' || verdict === 'applied-twice' || verdict === 'accepted';
}

/** A run of a command in a sandbox. */
export interface FinishedRun {
  readonly code: number;
  /** Whether it was ended because it took too long. */
  readonly isTimedOut: boolean;
  /** What it printed. */
  readonly output: string;
  readonly durationMs: number;
  readonly record: RunRecord;
}

/** A verdict with its reason. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Judges a run under a misbehaviour. `doubles` are the records that a benign one left twice. */
export function judge(kind: Kind, run: FinishedRun, doubles: readonly Double[] = []): Judgement {
  const { hits, forged } = run.record;
  const answers = forged.filter(status => status !== null);
  const accepted = answers.filter(status => status >= 200 && status < 300).length;
  if (kind === 'forged' && accepted > 0) {
    return {
      verdict: 'accepted',
      reason: `the receiver answered ${plural(accepted, 'forged webhook')} with 2xx`,
    };
  }
  const isTriggered = kind === 'forged' ? answers.length > 0 : hits > 0;
  const end = run.code === 0 ? 'the command passed' : `the command failed (${endOf(run)})`;
  if (!isTriggered) return { verdict: 'not-exercised', reason: `not triggered; ${end}` };
  const [double] = doubles;
  if (double !== undefined) {
    const more = doubles.length === 1 ? '' : `, and ${doubles.length - 1} more`;
    return { verdict: 'applied-twice', reason: `${describe(double)}${more}; ${end}` };
  }
  if (run.code !== 0) {
    return { verdict: 'broke', reason: run.isTimedOut ? `${end}; --time-limit gives it more time` : end };
  }
  const crashed = answers.find(status => (kind === 'forged' ? status < 400 || status >= 500 : status >= 500));
  if (crashed !== undefined) {
    const expected = kind === 'forged' ? 'a 4xx' : 'a 2xx';
    return { verdict: 'broke', reason: `the receiver answered ${crashed} instead of ${expected}` };
  }
  return { verdict: 'survived', reason: `the command passed; triggered ${plural(hits, 'time')}` };
}

/** How a run that failed ended. */
export function endOf({
  code,
  isTimedOut,
  durationMs,
}: Pick<FinishedRun, 'code' | 'isTimedOut' | 'durationMs'>): string {
  return isTimedOut ? `stopped after ${Math.round(durationMs / 1_000)} s` : `exit code ${code}`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
