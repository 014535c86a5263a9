/** Parses a response body as JSON. Returns null for an empty body, and undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of an error body of the API, simple or structured (interface section 7), or null for any other body. */
export function errorMessage(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error === 'string') return error;
  const isStructured = typeof error === 'object' && error !== null && 'message' in error;
  return isStructured ? String(error.message) : null;
}

/** The code of a structured error body (interface section 7.2), or null for any other body. */
export function errorCode(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null;
}
