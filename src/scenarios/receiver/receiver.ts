import { createServer } from 'node:http';
import type { Arrival, Inbox } from './inbox.ts';
import { onPost, readWebhook } from './incoming.ts';

/** An inbox that listens on loopback. */
export interface OpenInbox extends Inbox {
  close(): void;
}

/** Listens for webhooks on a port of loopback, 0 for a free one; rejects when it cannot. `url` is told in place of its own. */
export function openInbox(secret: string, port = 0, url?: string): Promise<OpenInbox> {
  const arrivals: Arrival[] = [];
  let status = 200;
  const server = createServer(
    onPost((raw, { headers }, response) => {
      const incoming = readWebhook(raw, headers, secret);
      // A receiver refuses what is not signed, whatever else it was told to answer.
      const answered = incoming.problem === null ? status : 401;
      arrivals.push({ ...incoming, answered });
      response.writeHead(answered).end();
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
