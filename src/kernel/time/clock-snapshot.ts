import { type Due, keyOf } from './task.ts';

/** Where a clock stands and what is still to come. A clock that begins with it goes on in the same way. */
export interface ClockSnapshot {
  readonly now: number;
  /** Wall time at which it stands there, where that is known; else at which a clock is made of this. */
  readonly wallNow?: number;
  readonly frozen: boolean;
  readonly advancedMs: number;
  /** In the order in which they fall due; no two of one key. */
  readonly timers: readonly Due[];
}

/** What a clock that goes on from here has to do: what is under way again, since nobody knows how far it got, then the rest. */
export function toDo(underWay: readonly Due[], scheduled: readonly Due[]): Due[] {
  const keys = new Set(scheduled.map(({ value }) => keyOf(value)));
  return [...underWay.filter(({ value }) => !keys.has(keyOf(value))), ...scheduled];
}
