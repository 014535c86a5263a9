import type { Report } from '../../scenarios/report/report.ts';

/** What became of a scenario, in a sentence. */
export function verdict({ passed, failed, skipped, left, steps }: Report): string {
  const also = [
    ...(skipped > 0 ? [`${inSteps(skipped)} skipped`] : []),
    ...(left > 0 ? [`${inSteps(left)} not played`] : []),
  ];
  const rest = also.length === 0 ? '' : `; ${also.join(', ')}`;
  if (failed === 0 && passed === 0) return `Nothing was compared${rest}.`;
  if (failed === 0)
    return `${passed === steps.length && left === 0 ? 'All ' : ''}${inSteps(passed)} went as expected${rest}.`;
  const numbers = steps.filter(({ status }) => status === 'failed').map(({ number }) => number);
  return `${inSteps(failed)} of ${steps.length + left} went otherwise than expected: ${numbers.join(', ')}${rest}.`;
}

function inSteps(count: number): string {
  return `${count} ${count === 1 ? 'step' : 'steps'}`;
}
