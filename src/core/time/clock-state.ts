import type { Due } from './task.ts';

/** The clock as the control plane shows it. */
export interface ClockView {
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

/** The state of a clock at one moment. A clock created from it continues in the same way. */
export interface ClockSnapshot {
  readonly now: number;
  readonly frozen: boolean;
  readonly advancedMs: number;
  /** Tasks in the order in which they fall due; no two have the same key. */
  readonly timers: Iterable<Due>;
}
