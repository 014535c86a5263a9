/** The exit code of a command that failed. */
export const FAILED = 1;
/** The exit code of wrong usage. */
export const WRONG_USAGE = 2;

/** Arguments that contradict each other or are missing; the message says what is wrong and what to pass instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with an exit code. What people read of the reason is printed already. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;
  /** Why the command failed, for `--json`; null when a program that it ran failed, or when it is printed already. */
  readonly reason: string | null;

  constructor(code: number, reason: string | null = null) {
    super(reason ?? `exit ${code}`);
    this.code = code;
    this.reason = reason;
  }
}
