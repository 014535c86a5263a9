import type { ServerResponse } from 'node:http';
import type { ApiResponse, Content, Stream } from '../../core/request/http.ts';
import type { Outbox } from './outbox.ts';
import { pacedWriter } from './paced-writer.ts';

/** The bytes that may wait in memory for the reader of a stream before its connection is closed. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** What applies to all responses of a server. */
export interface SendContext {
  /** Collects the responses of a turn. */
  readonly outbox: Outbox;
  /** Whether the server is closing, so that each response is the last on its connection. */
  isClosing(): boolean;
  /** Calls `task` when the server starts to close. Returns a function that cancels the call. */
  onClosing(task: () => void): () => void;
}

/** Sends a response as it asks to be sent: now, after a delay, as a stream, or by closing the connection. */
export function send(response: ServerResponse, result: ApiResponse, context: SendContext): void {
  if (result.heldUntil === undefined) sendAfterDelay(response, result, context);
  else void result.heldUntil.then(() => sendAfterDelay(response, result, context));
}

function sendAfterDelay(response: ServerResponse, result: ApiResponse, context: SendContext): void {
  if (result.delayMs === undefined) sendNow(response, result, context);
  else wait(response, result.delayMs, context, () => sendNow(response, result, context));
}

function sendNow(response: ServerResponse, result: ApiResponse, context: SendContext): void {
  if (result.drop) {
    response.destroy();
    return;
  }
  if (result.stream !== undefined) {
    sendStream(response, result, result.stream, context);
    return;
  }
  if (context.isClosing()) response.setHeader('Connection', 'close');
  response.writeHead(result.status, result.headers);
  if (result.content !== undefined) {
    void sendContent(response, result.content);
    return;
  }
  context.outbox.put(response, result.bytes ?? result.body);
}

/** Calls `task` after a delay: at once when the server closes, and never when the client disconnects first. */
function wait(response: ServerResponse, delayMs: number, context: SendContext, task: () => void): void {
  if (context.isClosing()) {
    task();
    return;
  }
  const stopWaiting = () => {
    clearTimeout(timer);
    cancelOnClosing();
    response.off('close', stopWaiting);
  };
  const finish = () => {
    stopWaiting();
    task();
  };
  const timer = setTimeout(finish, delayMs);
  timer.unref();
  const cancelOnClosing = context.onClosing(finish);
  response.once('close', stopWaiting);
}

/** Sends a body in pieces. Makes the next one when the client has taken those before it. */
async function sendContent(response: ServerResponse, content: Content): Promise<void> {
  try {
    for await (const piece of content) {
      if (!response.destroyed && !response.write(piece)) await untilDrained(response);
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    // The client sees that the body is cut short.
    response.destroy();
  }
}

/** Resolves once more can be written, or once the client has disconnected. */
function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.once('drain', finish).once('close', finish);
  });
}

function sendStream(
  response: ServerResponse,
  { status, headers }: ApiResponse,
  stream: Stream,
  context: SendContext,
): void {
  // Nothing can follow a stream on its connection, which would otherwise stay open after it.
  response.setHeader('Connection', 'close');
  response.writeHead(status, headers);
  if (context.isClosing()) {
    response.end();
    return;
  }
  response.flushHeaders();
  const start = () => {
    const writer = pacedWriter(text => response.write(text));
    const end = () => {
      if (!response.destroyed) writer.flush();
      response.end();
    };
    const stop = stream(text => {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength + writer.length > MAX_BACKLOG_BYTES) response.destroy();
      else writer.send(text);
    }, end);
    // What happened in this turn is formatted in the next.
    const cancelOnClosing = context.onClosing(() => setImmediate(end));
    response.once('close', () => {
      stop();
      writer.stop();
      cancelOnClosing();
    });
  };
  // The response to a pipelined request gets its socket once those before it are sent, or never.
  if (response.socket === null) response.once('socket', start);
  else start();
}
