import { STATUS_CODES } from 'node:http';
import type { ApiResponse, Stream } from '../../kernel/request/http.ts';
import { onAnyAbort } from './on-any-abort.ts';

/** An answer as a `Response`. One that goes on is read until one of `endings` is aborted or its reader cancels. */
export function toResponse(
  { status, headers, body, stream }: ApiResponse,
  endings: readonly AbortSignal[],
): Response {
  const content = stream === undefined ? body || null : streamOf(stream, endings);
  return new Response(content, { status, statusText: STATUS_CODES[status] ?? '', headers });
}

function streamOf(stream: Stream, endings: readonly AbortSignal[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  return new ReadableStream({
    start(controller) {
      const finish = () => {
        end();
        controller.close();
      };
      const stop = stream(
        text => controller.enqueue(encoder.encode(text)),
        () => finish(),
      );
      const forget = onAnyAbort(endings, finish);
      end = () => {
        stop();
        forget();
      };
    },
    cancel: () => end(),
  });
}
