import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { verifyWebhook } from '../../../client/verify-webhook.ts';

/** No webhook of the service is longer. */
const MAX_BODY_BYTES = 1024 * 1024;

const WEBHOOK_HEADERS = ['X-Service-Event', 'X-Service-Signature'];

/** A webhook as its receiver reads it. */
export interface Incoming {
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

/** Returns a listener that passes on the body of each POST, refuses other methods, and drops oversized requests. */
export function onPost(
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
    request.on('end', () => receive(Buffer.concat(chunks), request, response));
  };
}

/**
 * Reads a webhook and verifies its signature, unless the secret is null. `headerName` returns the name of a header on
 * the wire.
 */
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
  const body = parsed(raw.toString());
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
