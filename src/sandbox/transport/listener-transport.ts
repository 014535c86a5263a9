import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { URL } from 'node:url';
import { requireNetwork } from '../../core/values/builtins.ts';
import { isError } from '../../core/values/is-error.ts';
import type { Transport } from '../../core/world/transport.ts';
import { createHttpTransport } from './http-transport.ts';

/** A server of `node:http`, as frameworks have one. Node.js declares the class; its types need not be installed. */
interface NodeServer {
  readonly listening: boolean;
  address(): unknown;
}

/**
 * Receives webhooks over loopback: a request listener of Node.js, which an Express app is, or a server of `node:http`, such
 * as the `server` of Fastify or what `getHttpServer()` of NestJS returns.
 */
// biome-ignore lint/suspicious/noExplicitAny: frameworks have types of their own for requests and responses
export type WebhookListener = ((request: any, response: any) => unknown) | NodeServer;

/**
 * Creates a transport that sends each webhook over loopback to a listener, to the path and query of its URL. The listener
 * is started with the first webhook unless it listens by then. It keeps no process alive, and one that was started ends
 * with the last transport that uses it.
 */
export function createListenerTransport(listener: WebhookListener): Transport {
  // What is not a function is a server: the options were checked.
  const server = typeof listener === 'function' ? createServer(listener) : (listener as Server);
  const egress = { egress: 'private', ca: undefined, insecureTls: false, ownAddress: () => null } as const;
  const network = createHttpTransport({ ...egress, forwardTo: null, map: [] });
  let started: Promise<StartedServer | null> | undefined;
  return {
    async send(webhook, signal) {
      const { pathname, search } = new URL(webhook.url);
      try {
        requireNetwork('sockets');
        started ??= start(server);
        await started;
        const url = originOf(server) + pathname + search;
        return { ...(await network.send({ ...webhook, url }, signal)), url: webhook.url };
      } catch (error) {
        const cause = `webhookListener cannot listen: ${isError(error) ? error.message : error}`;
        return { url: webhook.url, status: null, body: null, cause, durationMs: 0 };
      }
    },
    close() {
      network.close();
      started?.then(
        own => own?.leave(),
        () => undefined,
      );
    },
  };
}

/** A server that transports have started, which ends once all of them have left it. */
class StartedServer {
  readonly listening: Promise<unknown>;
  readonly #server: Server;
  #users = 0;

  constructor(server: Server) {
    this.#server = server;
    this.listening = once(server, 'listening');
    server.listen(0, '127.0.0.1').unref();
  }

  join(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    startedServers.delete(this.#server);
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Sandboxes of one process may share the server of an app. */
const startedServers = new WeakMap<Server, StartedServer>();

/** Starts a server on a free port of loopback. Resolves with null if someone else has started it. */
async function start(server: Server): Promise<StartedServer | null> {
  let own = startedServers.get(server);
  if (own === undefined) {
    if (server.listening) return null;
    own = new StartedServer(server);
    startedServers.set(server, own);
  }
  own.join();
  await own.listening;
  return own;
}

function originOf(server: Server): string {
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new Error('its server has no port');
  const { port, family, address: host } = address satisfies AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  return `http://${isAnywhere ? '127.0.0.1' : family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
