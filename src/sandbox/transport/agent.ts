import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { URL } from 'node:url';
import { setImmediate } from '../../core/values/builtins.ts';
import { connectionShares } from '../open-files.ts';
import type { Target } from './destination.ts';
import { DeliveryError, destinationProblem, type Egress, type OwnAddress } from './egress.ts';

type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface AgentOptions {
  readonly egress: Egress;
  /** PEM certificates to trust in addition to the well-known ones. */
  readonly ca: string | undefined;
  readonly insecureTls: boolean;
  /** Where the sandbox itself listens, or null while it does not. It is never a destination. */
  readonly ownAddress: () => OwnAddress | null;
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

const MAX_HEADER_BYTES = 16 * 1_024;
/** Shorter than the idle timeout of common receivers, so that none closes a connection while a send starts on it. */
const KEEP_ALIVE_MS = 1_000;
/**
 * Webhooks of about a second, each with a connection of its own. Where fewer connections are allowed, none is kept after
 * its send: idle ones would come on top of those in use.
 */
const MIN_KEPT_CONNECTIONS = 4_000;
/** How long to try one address of a host before the next one is tried as well. */
const NEXT_ADDRESS_MS = 1_000;

export interface WebhookAgent {
  /** Starts a POST without a body. Throws a DeliveryError for an address that is not allowed. */
  post(target: Target, headers: http.OutgoingHttpHeaders): http.ClientRequest;
  /** Closes every connection at once, idle ones and those being established included. */
  close(): void;
}

/**
 * Returns a function that creates agents, which connect to checked addresses only and share nothing but lookups and
 * certificates. `request` sends their requests. It is in a module of its own that is loaded after the start: the sandbox
 * starts faster without TLS.
 */
export function agentFactory(options: AgentOptions, request: typeof http.request): () => WebhookAgent {
  const problemOf = (address: string, port: number) =>
    destinationProblem(address, port, options.egress, options.ownAddress());
  const resolve = shareLookups(options.resolve ?? systemResolve);
  const { outgoing = Number.POSITIVE_INFINITY } = connectionShares() ?? {};
  const pool = {
    keepAlive: outgoing >= MIN_KEPT_CONNECTIONS,
    timeout: KEEP_ALIVE_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  };
  const certificates = options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] };
  const secureContext = createSecureContext(certificates);
  return () => {
    const plain = reuseLater(new http.Agent(pool));
    const secure = reuseLater(
      new https.Agent({ ...pool, secureContext, rejectUnauthorized: !options.insecureTls }),
    );
    return {
      post({ href }, headers) {
        const url = new URL(href);
        const isSecure = url.protocol === 'https:';
        const port = Number(url.port || (isSecure ? 443 : 80));
        const host = url.hostname.replace(/^\[|\]$/g, '');
        // A literal address needs no lookup, so it is checked here.
        const problem = isIP(host) === 0 ? null : problemOf(host, port);
        if (problem !== null) throw new DeliveryError(problem);
        return request({
          method: 'POST',
          protocol: url.protocol,
          host,
          port,
          path: url.pathname + url.search,
          headers,
          agent: isSecure ? secure : plain,
          maxHeaderSize: MAX_HEADER_BYTES,
          lookup: checkedLookup(resolve, address => problemOf(address, port)),
        });
      },
      close() {
        plain.destroy();
        secure.destroy();
      },
    };
  };
}

/**
 * Reuses a connection only after a turn of the event loop, in which it would notice that it was closed. One on which more
 * than a response arrives is closed: it would be taken for the next response.
 */
function reuseLater<T extends http.Agent>(agent: T): T {
  const reuse = agent.listeners('free');
  agent.removeAllListeners('free');
  agent.on('free', (...connection) => {
    const [socket]: Socket[] = connection;
    // The request no longer handles the errors of its connection: a receiver that resets it must not end the process.
    socket?.off('error', ignore).on('error', ignore).on('data', destroy);
    const reuseNow = () => {
      for (const listener of reuse) Reflect.apply(listener, agent, connection);
    };
    // What is read in this turn is read before the first of them, and what is read in the next before the second.
    setImmediate(() => setImmediate(reuseNow));
  });
  const { reuseSocket } = agent;
  agent.reuseSocket = (socket, request) => {
    socket.off('data', destroy);
    reuseSocket.call(agent, socket, request);
  };
  return agent;
}

function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy();
}

const systemResolve: Resolve = hostname => lookup(hostname, { all: true });

/** Shares lookups of the same host: the system runs only a few at once, and one that hangs must not take them all. */
function shareLookups(resolve: Resolve): Resolve {
  const pending = new Map<string, ReturnType<Resolve>>();
  return hostname => {
    const shared = pending.get(hostname);
    if (shared !== undefined) return shared;
    const started = resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, started);
    return started;
  };
}

/** Yields only allowed addresses. If none is allowed, the error is the problem of the first one. */
function checkedLookup(resolve: Resolve, problemOf: (address: string) => string | null): LookupFunction {
  return (hostname, { all }, callback) => {
    const fail = (cause: string) => callback(new DeliveryError(cause), []);
    resolve(hostname).then(
      addresses => {
        const allowed = addresses.filter(({ address }) => problemOf(address) === null);
        const [first] = allowed;
        const [refused] = addresses;
        if (first === undefined) fail((refused && problemOf(refused.address)) ?? notFound(hostname));
        else if (all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      () => fail(notFound(hostname)),
    );
  };
}

function notFound(hostname: string): string {
  return `host not found: ${hostname}`;
}
