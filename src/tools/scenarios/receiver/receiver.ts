import { createServer } from 'node:http';
import type { Arrival, Inbox } from './inbox.ts';
import { onPost, readWebhook } from './incoming.ts';

/** An inbox that listens on loopback. */
export interface OpenInbox extends Inbox {
  close(): void;
}

/** Where an inbox listens, and what its senders call their headers. */
export interface InboxOptions {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Replaces the receiver's own address where servers reach it by another. */
  readonly url?: string | undefined;
  /** Returns the name of a header on the wire. Default: the neutral name. */
  readonly headerName?: ((header: string) => string) | undefined;
}

/** Listens for webhooks on a loopback port. Rejects when it cannot listen. */
export function openInbox(
  secret: string,
  { port = 0, url, headerName }: InboxOptions = {},
): Promise<OpenInbox> {
  const arrivals: Arrival[] = [];
  let status = 200;
  const server = createServer(
    onPost((raw, { headers }, response) => {
      const incoming = readWebhook(raw, headers, secret, headerName);
      // Like any receiver, it refuses invalid signatures whatever status is set.
      const responseStatus = incoming.problem === null ? status : 401;
      arrivals.push({ ...incoming, responseStatus });
      response.writeHead(responseStatus).end();
    }),
  );
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
        keep(count) {
          arrivals.length = Math.min(arrivals.length, count);
        },
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
