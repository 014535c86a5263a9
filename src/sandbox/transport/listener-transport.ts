import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { URL } from 'node:url';
import { requireNetwork } from '../../core/values/builtins.ts';
import { isError } from '../../core/values/is-error.ts';
import { loadOnce } from '../../core/values/once.ts';
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
 * is started with the first webhook, keeps no process alive, and ends with the transport, unless it listened before.
 */
export function createListenerTransport(listener: WebhookListener): Transport {
  // What is not a function is a server: the options were checked.
  const server = typeof listener === 'function' ? createServer(listener) : (listener as Server);
  const isOwn = !server.listening;
  const egress = { egress: 'private', ca: undefined, insecureTls: false, ownAddress: () => null } as const;
  const network = createHttpTransport({ ...egress, forwardTo: null, map: [] });
  const listen = loadOnce(() => originOf(server, isOwn));
  return {
    async send(webhook, signal) {
      const { pathname, search } = new URL(webhook.url);
      try {
        requireNetwork('sockets');
        const url = (await listen()) + pathname + search;
        return { ...(await network.send({ ...webhook, url }, signal)), url: webhook.url };
      } catch (error) {
        const cause = `webhookListener cannot listen: ${isError(error) ? error.message : error}`;
        return { url: webhook.url, status: null, body: null, cause, durationMs: 0 };
      }
    },
    close() {
      network.close();
      if (!isOwn || !server.listening) return;
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves with the origin of a server, which is started on a free port of loopback unless it listens. */
async function originOf(server: Server, isOwn: boolean): Promise<string> {
  if (isOwn) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(void server.off('error', reject))).unref();
    });
  }
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new Error('its server has no port');
  const { port, family, address: host } = address satisfies AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  return `http://${isAnywhere ? '127.0.0.1' : family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
