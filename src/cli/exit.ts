/** Exit codes: what was asked failed, or it was asked in the wrong way. */
export const FAILED = 1;
/** The exit code of wrong usage. */
export const WRONG_USAGE = 2;

/** The command was asked for something that does not go together; the message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with an exit code, without another word. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
