import type { Report } from '../../tools/scenarios/report/report.ts';

/** Summarises the result of a scenario in one sentence. */
export function verdict({ passed, failed, skipped, left, steps }: Report): string {
  const others = [
    ...(skipped > 0 ? [`${stepCount(skipped)} skipped`] : []),
    ...(left > 0 ? [`${stepCount(left)} not played`] : []),
  ];
  const rest = others.length === 0 ? '' : `; ${others.join(', ')}`;
  if (failed === 0 && passed === 0) return `Nothing was compared${rest}.`;
  if (failed === 0) {
    const isComplete = passed === steps.length && left === 0;
    return `${isComplete ? 'All ' : ''}${stepCount(passed)} passed${rest}.`;
  }
  const numbers = steps.filter(({ status }) => status === 'failed').map(({ number }) => number);
  return `${failed} of ${stepCount(steps.length + left)} failed: ${numbers.join(', ')}${rest}.`;
}

function stepCount(count: number): string {
  return `${count} ${count === 1 ? 'step' : 'steps'}`;
}
