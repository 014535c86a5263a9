import { findExample } from '../../../control/world/coverage.ts';
import { operations } from '../../../sandbox/operations.ts';

/** Returns what shows a condition, in one line. */
export function conditionHint(id: string): string | null {
  const example = findExample(operations, id);
  if (example === undefined) return null;
  const { steps, command, option } = example;
  const calls = steps.flatMap(({ request, control }) => request ?? (control && `${control} of the control plane`) ?? []);
  const [last = command, ...before] = calls.reverse();
  const first = before.length === 0 ? '' : `, after ${before.reverse().join(', ')}`;
  return `Shown by ${last}${first}${option === null ? '' : `, with ${option}`}`;
}
