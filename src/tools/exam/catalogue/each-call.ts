import type { Disturbance, ExamHistory, Misbehaviour } from '../misbehaviour.ts';

/** Builds the disturbance of the called operations, or says that none was called. */
export function disturbCalls(
  change: (called: ExamHistory['called']) => Disturbance,
): Misbehaviour['disturb'] {
  return ({ called }) => (called.length === 0 ? 'no operation of the API was called' : change(called));
}
