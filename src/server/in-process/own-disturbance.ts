import { readFileSync } from 'node:fs';
import type { DisturbancePlan } from '../../sandbox/disturbance/plan.ts';

/** The variable with the file of the plan that disturbs the sandboxes of a process. `exam` sets it. */
export const DISTURBANCE_VARIABLE = 'CARD_SANDBOX_EXAM';

/** Returns what disturbs the sandboxes of this process; undefined for nothing. */
export function ownDisturbance(
  environment: Readonly<Record<string, string | undefined>>,
): DisturbancePlan | undefined {
  const file = environment[DISTURBANCE_VARIABLE] ?? '';
  // The exam writes the file.
  return file === '' ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as DisturbancePlan);
}
