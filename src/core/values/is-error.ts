/** Whether a value is an error, of this realm or of another: what Node.js throws comes from its own, as in tests of Jest. */
export function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'name' in value && 'message' in value;
}

/** Returns the code of a system error, such as `ENOENT`, or an empty text for an error without a code. */
export function errorCode(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : '';
}
