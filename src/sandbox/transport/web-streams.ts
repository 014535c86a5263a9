import { ReadableStream as NodeStream } from 'node:stream/web';

/** The streams of Node.js. The types of its module and of the global classes differ in details. */
export const ReadableStream = NodeStream as typeof globalThis.ReadableStream;

/**
 * Returns a body that is complete. Node.js ends a body that it makes of a text in a `queueMicrotask`, for which a reader
 * would wait without end where that is faked.
 */
export function completeBody(bytes: Uint8Array): globalThis.ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
