import type { Disturbance, ExamHistory, Misbehaviour } from '../misbehaviour.ts';

/** Returns what disturbs the calls of the API. It cannot come up when the command called no operation. */
export function disturbCalls(
  change: (called: ExamHistory['called']) => Disturbance,
): Misbehaviour['disturb'] {
  return ({ called }) => (called.length === 0 ? 'no operation of the API was called' : change(called));
}
