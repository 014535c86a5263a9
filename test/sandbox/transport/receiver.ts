import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { AttemptOutcome, Transport } from '../../../src/core/world/transport.ts';
import type { Redirection } from '../../../src/sandbox/transport/destination.ts';
import {
  createHttpTransport,
  type HttpTransportOptions,
} from '../../../src/sandbox/transport/http-transport.ts';

/** A receiver of bytes: what it does with a connection is up to the test. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Every request as it came, head and body. */
  readonly requests: string[];
  /** Connections accepted so far. */
  accepted(): number;
  /** Connections that are open now. */
  open(): number;
  /** Resolves when no connection is open any more. */
  allClosed(): Promise<void>;
}

/** What a receiver does once a whole request has come. */
export type Answer = (socket: Socket, request: string) => void;

/** Listens on loopback and answers each whole request with raw bytes; ends with the test. */
export async function receive(
  answer: Answer,
  options: { tls?: TlsOptions; host?: string; onConnection?: (socket: Socket) => void } = {},
): Promise<Receiver> {
  const { tls, host = '127.0.0.1', onConnection } = options;
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  let whenClosed = () => {};
  const count = (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) whenClosed();
    });
    onConnection?.(socket);
  };
  const listen = (socket: Socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', data => {
      text += data.toString('latin1');
      for (let end = endOfRequest(text); end !== null; end = endOfRequest(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        requests.push(request);
        answer(socket, request);
      }
    });
  };
  const server: Server = tls === undefined ? createServer(listen) : createTlsServer(tls, listen);
  server.on('connection', count);
  await new Promise<void>(resolve => server.listen(0, host, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    port,
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
    allClosed: () =>
      new Promise(resolve => {
        whenClosed = resolve;
        if (sockets.size === 0) resolve();
      }),
  };
}

function endOfRequest(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : null;
}

/** An answer with a body, connection kept. */
export function answerOf(status: number, body = ''): string {
  return `HTTP/1.1 ${status} Whatever\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** A transport for tests, closed with the test: nothing forwarded or mapped. */
export function transportWith(options: Partial<HttpTransportOptions & Redirection> = {}): Transport {
  const transport = createHttpTransport({
    forwardTo: null,
    map: [],
    egress: 'private',
    ca: undefined,
    insecureTls: false,
    ownAddress: () => null,
    timeoutMs: 60_000,
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}

/** Sends a small body and resolves with the outcome. */
export function post(
  transport: Transport,
  url: string,
  signal = new AbortController().signal,
): Promise<AttemptOutcome> {
  return transport.send({ url, headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' }, signal);
}
