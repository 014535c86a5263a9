/** A request as every surface hands it in: what arrived, decoded as little as possible. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark; empty when there is none. */
  readonly query: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** The caller's IP address. */
  readonly remoteAddress: string;
}

/**
 * Starts an answer that goes on: `send` takes each piece of text as it comes. Returns the way to end it, to be
 * called once nobody reads any more. One that comes to an end calls `end`.
 */
export type Stream = (send: (text: string) => void, end: () => void) => () => void;

/** The answer to a request. `body` is JSON, the HTML of a page, or empty; only a forced answer may have another text. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What is sent in the place of `body` by whoever answers with more than text. */
  readonly bytes?: Uint8Array;
  /** Wall time in milliseconds that the surface waits before it answers or drops. */
  readonly delayMs?: number;
  /** Asks the surface to close the connection instead of answering. */
  readonly drop?: true;
  /** What follows the headers when the answer goes on; `body` is empty then. */
  readonly stream?: Stream;
}

/** The value of a header, by its name in lower case; undefined when absent or sent more than once as a list. */
export function header(request: Pick<ApiRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
