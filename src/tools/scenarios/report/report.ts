import type { Difference } from '../play/matching.ts';
import type { StatedRule } from './rules.ts';

/** The result of one step. */
export interface StepResult {
  /** From 1. */
  readonly number: number;
  readonly heading: string;
  /** `file:line`. */
  readonly at: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, or null. */
  readonly reason: string | null;
  readonly differences: readonly Difference[];
  /** The rule behind the response, if it is known. */
  readonly rule: StatedRule | null;
  readonly durationMs: number;
}

/** The result of a scenario. */
export interface Report {
  readonly scenario: string;
  readonly file: string;
  /** Whether at least one step was compared and none failed. */
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Steps that were not played, because playing was aborted or stopped at a failed step. */
  readonly left: number;
  readonly steps: readonly StepResult[];
}

/** Builds a report from the results of steps. */
export function reportOf(
  { name, file, steps: { length } }: { name: string; file: string; steps: { readonly length: number } },
  steps: readonly StepResult[],
): Report {
  const count = (status: StepResult['status']) => steps.filter(each => each.status === status).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const left = length - steps.length;
  const ok = failed === 0 && passed > 0;
  return { scenario: name, file, ok, passed, failed, skipped, left, steps };
}
