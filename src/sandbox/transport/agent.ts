import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { Agent, buildConnector } from 'undici';
import { queueMicrotask } from '../../core/values/builtins.ts';
import { DeliveryError, destinationProblem, type Egress, type OwnAddress } from './egress.ts';
import { undici } from './undici.ts';

/** Resolves a host name to its addresses. */
type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Where an agent may connect to, and which certificates it accepts. */
export interface AgentOptions {
  readonly egress: Egress;
  /** PEM certificates to trust in addition to the well-known ones. */
  readonly ca: string | undefined;
  /** Accepts any certificate. */
  readonly insecureTls: boolean;
  /** Where the sandbox itself listens, or null while it does not. It is never a destination. */
  readonly ownAddress: () => OwnAddress | null;
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

const MAX_HEADER_BYTES = 16 * 1_024;
/** Shorter than the idle timeout of common receivers, so that none closes a connection while a send starts on it. */
const KEEP_ALIVE_MS = 1_000;

/** A send that ends earlier does not wait for its connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The connections of one transport. */
export interface WebhookAgent {
  readonly agent: Agent;
  /** Closes every connection at once, idle ones and those being established included. */
  close(): void;
}

/**
 * Returns a function that creates undici agents, which connect to checked addresses only and share nothing but lookups
 * and certificates. It is in a module of its own because undici is loaded after the start: the sandbox starts
 * faster without it.
 */
export function agentFactory(options: AgentOptions): () => WebhookAgent {
  const connect = checkedConnector(undici.buildConnector, {
    resolve: shareLookups(options.resolve ?? systemResolve),
    problemOf: (address, port) => destinationProblem(address, port, options.egress, options.ownAddress()),
    ca: options.ca,
    insecureTls: options.insecureTls,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  return () => {
    const sockets = new Set<Socket>();
    const agent = new undici.Agent({
      connect: (target, callback) => connect(target, callback, sockets),
      // Only the total timeout applies.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
    return {
      agent,
      close() {
        for (const socket of sockets) socket.destroy();
        void agent.destroy();
      },
    };
  };
}

/** Options of `checkedConnector`. */
interface ConnectorOptions {
  readonly resolve: Resolve;
  /** Returns why a connection to an address is not allowed, or null when it is. */
  readonly problemOf: (address: string, port: number) => string | null;
  /** PEM certificates to trust in addition to the well-known ones. */
  readonly ca: string | undefined;
  /** Accepts any certificate. */
  readonly insecureTls: boolean;
  readonly timeoutMs: number;
}

/** How long to try one address of a host before the next one is tried as well. */
const NEXT_ADDRESS_MS = 1_000;

/**
 * Connects a socket, which is in `open` until it is closed. A signal that closes all of them would keep a listener, and
 * with it the socket, for each connection there ever was.
 */
type Connect = (target: buildConnector.Options, callback: buildConnector.Callback, open: Set<Socket>) => void;

/**
 * Returns a connector that checks every address before it connects, literal addresses and resolved ones.
 */
function checkedConnector(
  build: typeof buildConnector,
  { resolve, problemOf, ca, insecureTls, timeoutMs }: ConnectorOptions,
): Connect {
  const secureContext = ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, ca] });
  return (target, callback, open) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    // A literal address needs no lookup, so it is checked here.
    const problem = isIP(target.hostname) === 0 ? null : problemOf(target.hostname, port);
    if (problem !== null) {
      queueMicrotask(() => callback(new DeliveryError(problem), null));
      return;
    }
    const connect = build({
      lookup: checkedLookup(resolve, address => problemOf(address, port)),
      timeout: timeoutMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      rejectUnauthorized: !insecureTls,
      ...(secureContext === undefined ? {} : { secureContext }),
    });
    // undici returns the socket, which its types leave out.
    const socket: unknown = connect(target, callback);
    if (!(socket instanceof Socket)) return;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  };
}

/** Resolves with the system's resolver: the hosts file and DNS. */
const systemResolve: Resolve = hostname => lookup(hostname, { all: true });

/**
 * Returns a resolver that shares concurrent lookups of the same host. The system runs only a few lookups at once,
 * and a host whose DNS hangs must not take them all.
 */
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

/**
 * Returns a lookup function for a socket that yields only allowed addresses, so that the addresses checked are
 * those connected to. If none is allowed, the error is the problem of the first one.
 */
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
