import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { URL } from 'node:url';
import { requireNetwork } from '../../core/values/builtins.ts';
import { messageOf } from '../../core/values/read-thrown.ts';
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
  const joined = new Set<StartedServer>();
  return {
    async send(webhook, signal) {
      const { pathname, search } = new URL(webhook.url);
      try {
        requireNetwork('sockets');
        const started = startedServer(server);
        if (started !== null) joined.add(started);
        await started?.join(network);
        const url = originOf(server) + pathname + search;
        return { ...(await network.send({ ...webhook, url }, signal)), url: webhook.url };
      } catch (error) {
        const cause = `webhookListener cannot listen: ${messageOf(error)}`;
        return { url: webhook.url, status: null, body: null, cause, durationMs: 0 };
      }
    },
    close() {
      network.close();
      for (const started of joined) started.leave(network);
    },
  };
}

/** A server that transports have started, until all of them have left it or the app has closed it. */
class StartedServer {
  readonly #server: Server;
  readonly #listening: Promise<unknown>;
  readonly #users = new Set<Transport>();
  #hasListened = false;

  constructor(server: Server) {
    this.#server = server;
    this.#listening = once(server, 'listening');
    const forget = () => void (this.#isCurrent && startedServers.delete(server));
    this.#listening.then(() => {
      this.#hasListened = true;
      server.once('close', forget);
    }, forget);
    server.listen(0, '127.0.0.1').unref();
  }

  get #isCurrent(): boolean {
    return startedServers.get(this.#server) === this;
  }

  get isClosed(): boolean {
    return this.#hasListened && !this.#server.listening;
  }

  /** Resolves once the server listens. */
  async join(user: Transport): Promise<void> {
    this.#users.add(user);
    await this.#listening;
  }

  leave(user: Transport): void {
    this.#users.delete(user);
    // Before it listens, closing it has no effect.
    this.#listening.then(
      () => this.#closeUnused(),
      () => undefined,
    );
  }

  #closeUnused(): void {
    if (this.#users.size > 0 || !this.#isCurrent) return;
    startedServers.delete(this.#server);
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Sandboxes of one process may share the server of an app. */
const startedServers = new WeakMap<Server, StartedServer>();

/** Starts a server on a free port of loopback unless it was started. Returns null if someone else has started it. */
function startedServer(server: Server): StartedServer | null {
  const known = startedServers.get(server);
  if (known?.isClosed === false) return known;
  if (server.listening) return null;
  const started = new StartedServer(server);
  startedServers.set(server, started);
  return started;
}

function originOf(server: Server): string {
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new Error('its server has no port');
  const { port, family, address: host } = address satisfies AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  return `http://${isAnywhere ? '127.0.0.1' : family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
