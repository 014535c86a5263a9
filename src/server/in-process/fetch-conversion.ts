import { Buffer } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { TextDecoder, TextEncoder } from 'node:util';
import type { ApiRequest, ApiResponse, Content, Stream } from '../../core/request/http.ts';
import { onAbort } from '../../core/values/on-abort.ts';
import type { FetchApi } from '../../sandbox/transport/fetch-api.ts';
import { completeBody, ReadableStream } from '../../sandbox/transport/web-streams.ts';

/**
 * Converts a request of the API to a `Request` of the class that handlers see, because MSW takes one of another class for a
 * URL. Returns null for one that the Fetch API forbids, such as TRACE.
 */
export function toRequest(
  { method, path, query, headers, body }: ApiRequest,
  origin: string,
): Request | null {
  try {
    const init: RequestInit = { method, headers: headerPairs(headers) };
    if (method !== 'GET' && method !== 'HEAD' && body.length > 0) init.body = Buffer.from(body);
    return new globalThis.Request(origin + path + (query === '' ? '' : `?${query}`), init);
  } catch {
    return null;
  }
}

/** A network error becomes a dropped connection, and server-sent events a stream. */
export async function toApiResponse(response: Response): Promise<ApiResponse> {
  if (response.type === 'error') return { status: 500, headers: {}, body: '', drop: true };
  const headers: Record<string, string> = Object.fromEntries(response.headers);
  // These describe another connection, or a body that may have been decoded since.
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
    delete headers[name];
  const { status, body } = response;
  if (body !== null && /^text\/event-stream\b/.test(headers['content-type'] ?? '')) {
    return { status, headers, body: '', stream: (send, end) => forward(body, send, end) };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (status !== 204 && status !== 304) headers['content-length'] = String(bytes.length);
  return { status, headers, body: new TextDecoder().decode(bytes), bytes };
}

/** Converts a response of the API to a `Response`. A stream ends when one of `signals` is aborted or its reader cancels. */
export function toResponse(
  { status, headers, body, stream, content }: ApiResponse,
  signals: readonly AbortSignal[],
  { Response }: FetchApi,
): Response {
  const text = body === '' ? null : completeBody(Buffer.from(body));
  const whole = content === undefined ? text : inPieces(content, signals);
  return new Response(stream === undefined ? whole : readable(stream, signals), {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers,
  });
}

function headerPairs(headers: ApiRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [value].flat().map(each => [name, String(each)]),
  );
}

/** Forwards the text of a stream until it ends. Returns a function that cancels it. */
function forward(
  body: NonNullable<Response['body']>,
  send: (text: string) => void,
  end: () => void,
): () => void {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      send(decoder.decode(part.value, { stream: true }));
    }
  };
  void read().then(end, end);
  return () => void reader.cancel().catch(() => undefined);
}

/** A body in pieces, each made when the one before it has been read. Fails once one of `signals` is aborted. */
function inPieces(content: Content, signals: readonly AbortSignal[]): ReadableStream<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        for (const { aborted, reason } of signals) if (aborted) throw reason;
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await pieces.return?.()),
    },
    { highWaterMark: 0 },
  );
}

function readable(stream: Stream, signals: readonly AbortSignal[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stopStream: () => void = () => undefined;
  return new ReadableStream({
    start(controller) {
      const finish = () => {
        stopStream();
        controller.close();
      };
      const stop = stream(
        text => controller.enqueue(encoder.encode(text)),
        () => finish(),
      );
      const cancel = onAbort(signals, finish);
      stopStream = () => {
        stop();
        cancel();
      };
    },
    cancel: () => stopStream(),
  });
}
