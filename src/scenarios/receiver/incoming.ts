import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { verifyWebhook } from '../../client/verify-webhook.ts';

/** Longer bodies are no webhooks of the service. */
const LARGEST_BODY = 1024 * 1024;

/** A webhook as its receiver reads it. */
export interface Incoming {
  /** The delivery's id; null where the body names none. */
  readonly id: string | null;
  readonly eventType: string | null;
  /** The JSON of the body, or its text where it is no JSON. */
  readonly body: unknown;
  /** What is wrong with the signature, in words; null when it is valid, or none is checked. */
  readonly problem: string | null;
}

/** Takes the whole body of each POST, and refuses everything else; whoever sends too much is hung up on. */
export function onPost(
  take: (raw: Buffer, request: IncomingMessage, response: ServerResponse) => void,
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
      if (size <= LARGEST_BODY) chunks.push(chunk);
      else request.socket.destroy();
    });
    request.on('end', () => take(Buffer.concat(chunks), request, response));
  };
}

/** Reads a webhook, its signature first. Without a secret none is checked; `named` gives headers their name on the wire. */
export function readWebhook(
  raw: Buffer,
  headers: IncomingHttpHeaders,
  secret: string | null,
  named: (header: string) => string = header => header,
): Incoming {
  // More than one header of a name counts as none.
  const header = (name: string) => {
    const value = headers[named(name).toLowerCase()];
    return typeof value === 'string' ? value : null;
  };
  const verified = secret === null ? null : verifyWebhook(raw, header('X-Service-Signature'), secret);
  const body = parsed(raw.toString());
  return {
    id: typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : null,
    eventType: header('X-Service-Event'),
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
