/** Whether a value is an error, of this realm or of another: what Node.js throws comes from its own, as in tests of Jest. */
export function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'name' in value && 'message' in value;
}
