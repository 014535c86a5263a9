import { createServer, type ServerResponse } from 'node:http';
import { onPost, readWebhook } from '../../scenarios/receiver/incoming.ts';

/** A webhook that arrived at the receiver of calibrate. */
export interface ArrivedWebhook {
  readonly eventType: string | null;
  /** The signature header. */
  readonly signature: string;
  readonly contentType: string;
  readonly body: string;
  /** What is wrong with the signature, or null. */
  readonly problem: string | null;
  /** Wall time of the arrival. */
  readonly at: number;
}

/** How to respond to a webhook: with a status, or not at all. */
export type Respond = (arrived: ArrivedWebhook) => number | 'hold';

/** Where the webhooks of probes arrive. */
export interface Receiver {
  /** The loopback port. */
  readonly port: number;
  readonly arrivals: readonly ArrivedWebhook[];
  /** Responds like this from now on. */
  respond(respond: Respond): void;
  /** Resolves with how long the sender waited for a response that was held back, in milliseconds. */
  readonly heldFor: Promise<number>;
  close(): void;
}

/** Listens for webhooks on a loopback port; 0 picks a free one. Rejects when it cannot listen. */
export function openReceiver(options: {
  readonly port: number;
  readonly secret: string;
  readonly now: () => number;
  readonly headerName: (header: string) => string;
}): Promise<Receiver> {
  const arrivals: ArrivedWebhook[] = [];
  let respond: Respond = () => 204;
  let reportHeld = (_ms: number) => {};
  const heldFor = new Promise<number>(resolve => {
    reportHeld = resolve;
  });
  const hold = (response: ServerResponse, since: number) =>
    response.once('close', () => reportHeld(options.now() - since));
  const server = createServer(
    onPost((raw, { headers }, response) => {
      const incoming = readWebhook(raw, headers, options.secret, options.headerName);
      const arrived: ArrivedWebhook = {
        eventType: incoming.eventType,
        signature: incoming.headers['X-Service-Signature'] ?? '',
        contentType: headers['content-type'] ?? '',
        body: raw.toString(),
        problem: incoming.problem,
        at: options.now(),
      };
      arrivals.push(arrived);
      const answer = respond(arrived);
      if (answer === 'hold') hold(response, arrived.at);
      else response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end();
    }),
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : options.port,
        arrivals,
        heldFor,
        respond: next => {
          respond = next;
        },
        close() {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
