import { createServer, type IncomingMessage } from 'node:http';
import { verifyWebhook } from '../verify-webhook.ts';
import type { Arrival, Inbox } from './inbox.ts';

/** Longer bodies are no webhooks of the service. */
const LARGEST_BODY = 1024 * 1024;

/** An inbox that listens on loopback. */
export interface OpenInbox extends Inbox {
  close(): void;
}

/** Listens for webhooks on a port of loopback, 0 for a free one; rejects when it cannot. `url` is told in place of its own. */
export function openInbox(secret: string, port = 0, url?: string): Promise<OpenInbox> {
  const arrivals: Arrival[] = [];
  let status = 200;
  const server = createServer((request, response) => {
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
    request.on('end', () => {
      const arrival = read(request, Buffer.concat(chunks), secret, status);
      arrivals.push(arrival);
      response.writeHead(arrival.answered).end();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const own = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/`;
      resolve({
        url: url ?? own,
        secret,
        arrivals,
        respond: next => {
          status = next;
        },
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}

/** A webhook as the receiver of a partner reads it: its signature first, then the rest. */
function read(request: IncomingMessage, raw: Buffer, secret: string, status: number): Arrival {
  const { 'x-service-signature': signature, 'x-service-event': event } = request.headers;
  const verified = verifyWebhook(raw, typeof signature === 'string' ? signature : null, secret);
  const body = parse(raw.toString());
  const id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : null;
  return {
    id,
    eventType: typeof event === 'string' ? event : null,
    body,
    problem: verified.valid ? null : verified.reason,
    // A receiver refuses what is not signed, whatever else it was told to answer.
    answered: verified.valid ? status : 401,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
