import { createServer } from 'node:http';
import type { Arrival, Inbox } from './inbox.ts';
import { onPost, readWebhook } from './incoming.ts';

/** An inbox that listens on loopback. */
export interface OpenInbox extends Inbox {
  close(): void;
}

/**
 * Listens for webhooks on a loopback port; 0 picks a free one. Rejects when it cannot listen. `url` replaces the
 * receiver's own address where servers reach it by another.
 */
export function openInbox(secret: string, port = 0, url?: string): Promise<OpenInbox> {
  const arrivals: Arrival[] = [];
  let status = 200;
  const server = createServer(
    onPost((raw, { headers }, response) => {
      const incoming = readWebhook(raw, headers, secret);
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
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
