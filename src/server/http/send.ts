import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { AfterResponse } from '../../core/request/after-response.ts';
import type { ApiResponse, Content, Stream } from '../../core/request/http.ts';
import { clearTimeout, nextTick, nextTurn, setImmediate, setTimeout } from '../../core/values/builtins.ts';

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
export function send(
  response: ServerResponse,
  result: ApiResponse,
  afterResponse: AfterResponse,
  context: SendContext,
): void {
  const { sendAfter, delayMs } = result;
  const now = () => sendNow(response, result, afterResponse, context);
  const delayed = () => (delayMs === undefined ? now() : wait(response, delayMs, context, now));
  if (sendAfter === undefined) delayed();
  else void sendAfter.then(delayed);
}

function sendNow(
  response: ServerResponse,
  result: ApiResponse,
  afterResponse: AfterResponse,
  context: SendContext,
): void {
  const { status, headers, body, bytes, content, stream, drop } = result;
  if (drop) closeConnection(response);
  else if (stream !== undefined) sendStream(response, result, stream, context);
  else {
    if (context.isClosing()) response.setHeader('Connection', 'close');
    response.writeHead(status, headers);
    if (content === undefined) {
      context.outbox.put(response, bytes ?? body, afterResponse);
      return;
    }
    void sendContent(response, content);
  }
  afterResponse.run();
}

/** Closes the connection of a response, after those to the requests that were pipelined before its own. */
function closeConnection(response: ServerResponse): void {
  // Later versions of Node.js never give a socket to a response that is destroyed before it has one.
  if (response.socket === null) response.once('socket', socket => socket.destroy());
  else response.destroy();
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

/**
 * Sends a body in pieces. Makes the next one when the client has taken those before it, and in another turn: Node sends
 * together what is written in one.
 */
async function sendContent(response: ServerResponse, content: Content): Promise<void> {
  try {
    for await (const piece of content) {
      if (!response.destroyed && !response.write(piece)) await untilDrained(response);
      else await nextTurn();
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    // The client sees that the body is cut short.
    closeConnection(response);
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
    const end = () => void response.end();
    const stop = stream(text => {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy();
      else response.write(text);
    }, end);
    // What happened in this turn is formatted in the next.
    const cancelOnClosing = context.onClosing(() => setImmediate(end));
    response.once('close', () => {
      stop();
      cancelOnClosing();
    });
  };
  // The response to a pipelined request gets its socket once those before it are sent, or never.
  if (response.socket === null) response.once('socket', start);
  else start();
}

/** A response that is ready to be sent. */
interface Ready {
  readonly response: ServerResponse;
  readonly body: string | Uint8Array;
  readonly afterResponse: AfterResponse;
}

/**
 * Collects the responses that become ready in one turn of the event loop, and sends them at its end. Clients that
 * pipeline are then woken once for all of them: waking a client takes as long as making a response.
 */
export class Outbox {
  #ready: Ready[] = [];

  /** Ends a response, whose head is written, with a body at the end of the turn. What waits for it follows. */
  put(response: ServerResponse, body: string | Uint8Array, afterResponse: AfterResponse): void {
    if (this.#ready.length === 0) setImmediate(() => this.#send());
    this.#ready.push({ response, body, afterResponse });
  }

  #send(): void {
    const ready = this.#ready;
    this.#ready = [];
    for (const { response, body } of ready) {
      // Written as Latin-1, ASCII text is copied instead of encoded.
      const isAscii = typeof body === 'string' && Buffer.byteLength(body) === body.length;
      if (isAscii) response.write(body, 'latin1');
      else response.write(body);
    }
    // Ended once they are written: Node ends a body that it has not written with an empty piece, which takes twice as long.
    nextTick(() => {
      for (const { response } of ready) response.end();
      for (const { afterResponse } of ready) afterResponse.run();
    });
  }
}
