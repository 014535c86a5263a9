/** The exit code of a command that failed. */
export const FAILED = 1;
/** The exit code of wrong usage. */
export const WRONG_USAGE = 2;

/** Arguments that contradict each other or are missing; the message says what is wrong and what to pass instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with an exit code, without printing anything more. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
