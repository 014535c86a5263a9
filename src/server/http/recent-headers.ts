import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * Reads the headers of requests. Those with the same headers as the request before share one copy: most clients send them
 * again, Node parses headers when they are first read, and the journal and the history keep them.
 */
export class RecentHeaders {
  #lines: readonly string[] = [];
  #headers: IncomingHttpHeaders = {};

  /** Returns the headers of a request, with names in lower case. */
  of(request: IncomingMessage): IncomingHttpHeaders {
    const { rawHeaders } = request;
    if (rawHeaders === this.#lines) return this.#headers;
    if (!areEqual(rawHeaders, this.#lines)) this.#headers = request.headers;
    this.#lines = rawHeaders;
    return this.#headers;
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index]) return false;
  }
  return true;
}
