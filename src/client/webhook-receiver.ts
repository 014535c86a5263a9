import { Buffer } from 'node:buffer';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { wallTime } from '../core/values/builtins.ts';
import { signWebhook } from '../core/values/signature.ts';
import { jsonOrText } from './http.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** No webhook of the service is longer. */
const MAX_BODY_BYTES = 1024 * 1024;
const WEBHOOK_HEADERS = ['X-Service-Event', 'X-Service-Signature'];

interface Incoming {
  /** The delivery's id, or null when the body has none. */
  readonly id: string | null;
  readonly eventType: string | null;
  /** The headers that distinguish webhooks from other requests, by their neutral names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON of the body, or its text when it is not JSON. */
  readonly body: unknown;
  /** What is wrong with the signature, or null when it is valid or not checked. */
  readonly problem: string | null;
}

export interface Arrival extends Incoming {
  readonly responseStatus: number;
}

/** Where webhooks arrive. `openReceiver` creates one that listens over HTTP. */
export interface WebhookReceiver {
  /** The URL to configure. */
  readonly url: string;
  /** The URL at which it listens. */
  readonly ownUrl: string;
  /** The secret to configure, which verifies signatures. */
  readonly secret: string;
  readonly arrivals: readonly Arrival[];
  /** Responds with a status from now on, initially 200, and like any receiver with 401 to an invalid signature. */
  respond(status: number): void;
  /** Receives a webhook that is signed with another secret, as a stranger would send it. */
  receiveForged(eventType: string, data: unknown): Arrival;
  /** Drops all webhooks but the first ones, as many as this. */
  keep(count: number): void;
  close(): void;
}

/** Where a receiver listens, and what its senders call their headers. */
export interface ReceiverOptions {
  readonly secret: string;
  /** The loopback port. Default: a free one. */
  readonly port?: number | undefined;
  /** Replaces the receiver's own address where servers reach it by another. */
  readonly url?: string | undefined;
  /** Returns the name of a header on the wire. Default: the neutral name. */
  readonly headerName?: ((header: string) => string) | undefined;
}

/** Listens for webhooks on a loopback port, and keeps them. Rejects when it cannot listen. */
export async function openReceiver({
  secret,
  port,
  url,
  headerName = header => header,
}: ReceiverOptions): Promise<WebhookReceiver> {
  const arrivals: Arrival[] = [];
  let status = 200;
  const receive = (raw: Buffer, headers: IncomingHttpHeaders): Arrival => {
    const incoming = readWebhook(raw, headers, secret, headerName);
    const arrival = { ...incoming, responseStatus: incoming.problem === null ? status : 401 };
    arrivals.push(arrival);
    return arrival;
  };
  const { origin, close } = await listenForPosts(
    (raw, { headers }, response) => response.writeHead(receive(raw, headers).responseStatus).end(),
    { port },
  );
  return {
    url: url ?? `${origin}/`,
    ownUrl: `${origin}/`,
    secret,
    arrivals,
    close,
    respond(next) {
      status = next;
    },
    receiveForged(eventType, data) {
      const raw = Buffer.from(JSON.stringify({ id: 'evt_forged', eventType, data }));
      const signature = signWebhook(raw, `not ${secret}`, Math.floor(wallTime() / 1_000));
      const [event = '', signed = ''] = WEBHOOK_HEADERS.map(name => headerName(name).toLowerCase());
      return receive(raw, { [event]: eventType, [signed]: signature });
    },
    keep(count) {
      arrivals.length = Math.min(arrivals.length, count);
    },
  };
}

/** Refuses other methods, and drops oversized requests. Rejects when it cannot listen. */
export function listenForPosts(
  receive: (raw: Buffer, request: IncomingMessage, response: ServerResponse) => void,
  {
    port = 0,
    host = '127.0.0.1',
  }: { readonly port?: number | undefined; readonly host?: string | undefined },
): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(onPost(receive));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' ? address?.port : port;
      resolve({
        origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

function onPost(
  receive: (raw: Buffer, request: IncomingMessage, response: ServerResponse) => void,
): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405, { Allow: 'POST' }).end();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else request.socket.destroy();
    });
    // The end of a body may have arrived together with the rest of it.
    request.on('end', () => size <= MAX_BODY_BYTES && receive(Buffer.concat(chunks), request, response));
  };
}

/** Verifies the signature unless the secret is null. `headerName` returns the name of a header on the wire. */
export function readWebhook(
  raw: Buffer,
  headers: IncomingHttpHeaders,
  secret: string | null,
  headerName: (header: string) => string = header => header,
): Incoming {
  // A repeated header counts as missing.
  const header = (name: string) => {
    const value = headers[headerName(name).toLowerCase()];
    return typeof value === 'string' ? value : null;
  };
  const verified = secret === null ? null : verifyWebhook(raw, header('X-Service-Signature'), secret);
  const text = raw.toString();
  // An empty body is no JSON: as null it would look like a webhook that holds one.
  const body = text === '' ? text : jsonOrText(text);
  return {
    id: typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : null,
    eventType: header('X-Service-Event'),
    headers: Object.fromEntries(
      WEBHOOK_HEADERS.map(name => [name, header(name)]).filter(([, value]) => value !== null),
    ),
    body,
    problem: verified === null || verified.valid ? null : verified.reason,
  };
}
