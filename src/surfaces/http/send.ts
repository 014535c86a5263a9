import type { ServerResponse } from 'node:http';
import type { ApiResponse, Stream } from '../../kernel/request/http.ts';
import type { Outbox } from './outbox.ts';

/** So many bytes wait in memory for a reader of a stream before it is hung up on. */
const LONGEST_BACKLOG = 1024 * 1024;

/** What all answers of a server are sent with. */
export interface Sending {
  /** Where answers wait for the end of a turn. */
  readonly outbox: Outbox;
  /** Whether the server is on its way down, so that each answer is the last on its connection. */
  isClosing(): boolean;
  /** Has `task` called when the server begins to close; returns the way to call that off. */
  whenClosing(task: () => void): () => void;
}

/** Sends an answer, late, never or for as long as it is read, as the answer says. */
export function send(response: ServerResponse, answer: ApiResponse, sending: Sending): void {
  if (answer.delayMs === undefined) sendNow(response, answer, sending);
  else wait(response, answer.delayMs, sending, () => sendNow(response, answer, sending));
}

function sendNow(response: ServerResponse, answer: ApiResponse, sending: Sending): void {
  if (answer.drop) {
    response.destroy();
    return;
  }
  if (answer.stream !== undefined) {
    sendStream(response, answer, answer.stream, sending);
    return;
  }
  if (sending.isClosing()) response.setHeader('Connection', 'close');
  response.writeHead(answer.status, answer.headers);
  sending.outbox.put(response, answer.bytes ?? answer.body);
}

/** Does something after a time; at once when the server closes, and never when the client has gone. */
function wait(response: ServerResponse, delayMs: number, sending: Sending, task: () => void): void {
  if (sending.isClosing()) {
    task();
    return;
  }
  const end = () => {
    clearTimeout(timer);
    forget();
    response.off('close', end);
  };
  const finish = () => {
    end();
    task();
  };
  const timer = setTimeout(finish, delayMs);
  timer.unref();
  const forget = sending.whenClosing(finish);
  response.once('close', end);
}

function sendStream(
  response: ServerResponse,
  { status, headers }: ApiResponse,
  stream: Stream,
  sending: Sending,
): void {
  // Nothing else can follow on the connection, and without this it would outlast the stream.
  response.setHeader('Connection', 'close');
  response.writeHead(status, headers);
  if (sending.isClosing()) {
    response.end();
    return;
  }
  response.flushHeaders();
  const start = () => {
    const stop = stream(
      text => {
        if (response.destroyed || response.writableEnded) return;
        if (response.writableLength > LONGEST_BACKLOG) response.destroy();
        else response.write(text);
      },
      () => response.end(),
    );
    const forget = sending.whenClosing(() => response.end());
    response.once('close', () => {
      stop();
      forget();
    });
  };
  // A pipelined request has no connection until those before it are answered; it may never have one.
  if (response.socket === null) response.once('socket', start);
  else start();
}
