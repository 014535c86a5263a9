import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import type { Answer, ApiRequest } from '../kernel/http.ts';
import { API_PREFIX, CONTROL_PREFIX, LARGEST_BODY, type Sandbox } from '../sandbox.ts';

/** Where and how a sandbox is served. */
export interface ServerOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Takes the caller's address from X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Guards the control plane when the host is not loopback. */
  readonly controlToken: string;
}

/** A sandbox that answers over HTTP. */
export interface RunningServer {
  /** For example `http://127.0.0.1:4242`. */
  readonly origin: string;
  /** Whether the control plane asks for its token. */
  readonly needsToken: boolean;
  /** Stops accepting, lets what is in flight finish, and closes what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Serves a sandbox over HTTP; resolves once it listens, and rejects when it cannot (a busy port, say). */
export function serve(sandbox: Sandbox, options: ServerOptions): Promise<RunningServer> {
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
    },
    listener(sandbox, options.trustProxy),
  );
  server.on('clientError', refuseMalformed);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      const origin = originOf(server, options.host);
      const { host, controlToken } = options;
      const needsToken = sandbox.serveAt({ origin, host, ownNames: ownNames(host), controlToken });
      resolve({ origin, needsToken, close: graceMs => close(server, graceMs) });
    });
  });
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Sends each request where it is answered: the API and the control plane to the sandbox, the rest to the pages. */
function listener(sandbox: Sandbox, trustProxy: boolean): Listener {
  let pages: Promise<Listener> | undefined;
  return (request, response) => {
    const url = pathAndQuery(request.url ?? '/');
    const answer = isBelow(url.path, API_PREFIX)
      ? sandbox.handle
      : isBelow(url.path, CONTROL_PREFIX)
        ? sandbox.control
        : null;
    if (answer === null) {
      // Loaded when first asked for, so that a sandbox that only serves the API starts sooner.
      pages ??= import('./pages.ts').then(module => module.createPages());
      void pages.then(serve => serve(request, response));
      return;
    }
    readBody(request, body => {
      const given = answer({
        ...url,
        method: request.method ?? 'GET',
        headers: request.headers,
        body,
        remoteAddress: callerOf(request, trustProxy),
      });
      if (given instanceof Promise) void given.then(each => send(response, each));
      else send(response, given);
    });
  };
}

/** Hands over the body once it is whole, or as soon as it is known to be longer than any operation reads. */
function readBody(request: IncomingMessage, done: (body: Uint8Array) => void): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if ((length === undefined && encoding === undefined) || Number(length) > LARGEST_BODY) {
    request.resume();
    done(NOTHING);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    if (size > LARGEST_BODY) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BODY) done(Buffer.concat(chunks));
  });
  request.on('end', () => {
    if (size <= LARGEST_BODY) done(Buffer.concat(chunks));
  });
}

const NOTHING = new Uint8Array();

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}

function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

/** Splits a request target; a proxy's absolute form loses its scheme and host. */
function pathAndQuery(target: string): Pick<ApiRequest, 'path' | 'query'> {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function callerOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = request.headers['x-forwarded-for'];
  const first = trustProxy && typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined;
  return first || (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

/** Answers what is not even HTTP with the simple error body. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'the headers are too long']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'the request took too long to arrive']
        : ['400 Bad Request', 'the request is not valid HTTP/1.1'];
  const body = JSON.stringify({ success: false, error: message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function originOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}

/** The names under which others reach a sandbox that listens on this host, in lower case. */
function ownNames(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host.toLowerCase()];
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => address.toLowerCase())];
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
