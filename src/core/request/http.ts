import { Buffer } from 'node:buffer';
import { ApiError, assumed } from '../operation/errors.ts';
import type { AfterResponse } from './after-response.ts';

/** The maximum size in bytes of most bodies. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The methods of requests that change nothing. */
export const READING_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request may have changed something. A lost response (null), or one of 500 and above, says nothing about that. */
export function mayHaveWritten(method: string, status: number | null): boolean {
  return !READING_METHODS.includes(method) && (status === null || status < 400 || status >= 500);
}

/** A body in pieces. A piece is made when it is asked for. */
export type Content = AsyncIterable<Uint8Array>;

/** A request as every surface passes it in, decoded as little as possible. */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent: percent-encoded, without the query. */
  readonly path: string;
  /** The query as sent, without the question mark; empty when absent. */
  readonly query: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** The caller's IP address. */
  readonly remoteAddress: string;
  /** Aborted when the caller no longer waits for the response. Only control operations need it. */
  readonly signal?: AbortSignal;
  /** What waits for the response. Missing where nobody waits to see it before what it causes. */
  readonly afterResponse?: AfterResponse;
  /** The id of the world of a request that comes from this process, whatever its key is. No client can send it. */
  readonly world?: string;
}

/**
 * Starts a streaming response. The stream passes each chunk to `send`, and calls `end` when it ends by itself. Returns
 * a function that stops the stream, for the surface to call when the client disconnects.
 */
export type Stream = (send: (text: string) => void, end: () => void) => () => void;

/** The response to a request. `body` is JSON, the HTML of a page, or empty; only a fault can force other text. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A binary body, sent instead of `body`. */
  readonly bytes?: Uint8Array;
  /** Wall time in milliseconds that the surface waits before it responds or drops the connection. */
  readonly delayMs?: number;
  /** What the surface waits for, too. It never rejects. */
  readonly sendAfter?: Promise<unknown>;
  /** The surface closes the connection instead of responding. */
  readonly drop?: true;
  /** The stream that follows the headers; `body` is empty then. */
  readonly stream?: Stream;
  /** A body in pieces, sent instead of `body`. */
  readonly content?: Content;
}

/** The value of a header, by its name in lower case; undefined when it is absent or is a list. */
export function header(request: Pick<ApiRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Headers of a response that no other site may read, embed or show in a frame, and that nothing caches. */
export const PRIVATE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** The headers of a response. A class, so that V8 gives each the room that the first few needed: the journal keeps them. */
export class ResponseHeaders {
  [name: string]: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes a response: JSON with its headers, or no body. A response to HEAD has only the headers. */
export function toResponse(
  { status, body }: { readonly status: number; readonly body: unknown },
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  return body === null
    ? { status, headers, body: '' }
    : toTextResponse(status, JSON.stringify(body), headers, method);
}

/** Writes a response with a text, by default JSON. A response to HEAD has only the headers. */
export function toTextResponse(
  status: number,
  text: string,
  headers: Record<string, string>,
  method: string,
  type = JSON_TYPE,
): ApiResponse {
  headers['Content-Type'] = type;
  headers['Content-Length'] = String(Buffer.byteLength(text));
  return { status, headers, body: method === 'HEAD' ? '' : text };
}

/** Starts a response of server-sent events. A response to HEAD has only the headers. */
export function toStreamResponse(
  stream: Stream,
  headers: Record<string, string>,
  method: string,
): ApiResponse {
  headers['Content-Type'] = 'text/event-stream; charset=utf-8';
  // Buffering proxies would delay the events.
  headers['X-Accel-Buffering'] = 'no';
  const response = { status: 200, headers, body: '' };
  return method === 'HEAD' ? response : { ...response, stream };
}

/** Writes a response with the JSON of its body, or starts one in pieces. A response to HEAD has only the headers. */
export function toContentResponse(
  content: string | Content,
  headers: Record<string, string>,
  method: string,
  mediaType = JSON_TYPE,
): ApiResponse {
  if (typeof content === 'string') return toTextResponse(200, content, headers, method, mediaType);
  headers['Content-Type'] = mediaType;
  const response = { status: 200, headers, body: '' };
  return method === 'HEAD' ? response : { ...response, content };
}

/** The refusal for an error. An error that is not an `ApiError` is reported to `onBug` and becomes a 500. */
export function toErrorResponse(
  error: unknown,
  operation: { readonly id: string } | null,
  onBug: (error: unknown, operation: string) => void,
): ApiError {
  if (error instanceof ApiError) return error;
  onBug(error, operation?.id ?? 'no operation');
  return internalError();
}

/** The 500 for an internal error (interface section 7). It repeats nothing of that error. */
export function internalError(): ApiError {
  const message = 'internal error of the sandbox; see its standard error output';
  return new ApiError(500, assumed('internal-error'), message);
}
