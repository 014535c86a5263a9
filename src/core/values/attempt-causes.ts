/** The causes of webhook attempts that say who ended them. The others are texts for people alone. */
export const CONNECTION_REFUSED = 'connection refused';
/** Of an attempt that the sandbox itself ended. */
export const CANCELLED = 'cancelled: the sandbox was reset or stopped';
const TIMED_OUT = 'timed out after';
const THREW = 'the receiver threw:';

export function timedOutAfter(ms: number): string {
  return `${TIMED_OUT} ${ms / 1_000} s`;
}

export function receiverThrew(message: string): string {
  // State files and records hold whole characters only.
  return `${THREW} ${message.toWellFormed()}`;
}

/** Returns whether a receiver may have got an attempt that ended without a response for this cause. */
export function mayHaveArrived(cause: string): boolean {
  return cause !== CONNECTION_REFUSED && cause !== CANCELLED;
}

/** Returns whether a cause alone shows that a receiver was there and gave no response. */
export function showsSilence(cause: string): boolean {
  return cause.startsWith(TIMED_OUT) || cause.startsWith(THREW);
}
