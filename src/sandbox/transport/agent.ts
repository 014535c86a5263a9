import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { buildConnector } from 'undici';
import './built-in-fetch.ts';
import undici, { type Agent } from 'undici';
import { DeliveryError, destinationProblem, type Egress, type OwnAddress } from './egress.ts';

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

/** Creates an agent. Aborting `closing` closes all its connections. */
export type CreateAgent = (closing: AbortSignal) => Agent;

/**
 * Returns a function that creates undici agents, which connect to checked addresses only and share nothing but lookups
 * and certificates. It is in a module of its own because undici is loaded after the start: the sandbox starts
 * faster without it.
 */
export function agentFactory(options: AgentOptions): CreateAgent {
  const connectTo = checkedConnector(undici.buildConnector, {
    resolve: shareLookups(options.resolve ?? systemResolve),
    problemOf: (address, port) => destinationProblem(address, port, options.egress, options.ownAddress()),
    ca: options.ca,
    insecureTls: options.insecureTls,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  return closing =>
    new undici.Agent({
      connect: connectTo(closing),
      // Only the total timeout applies.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
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
 * Returns a function that creates connectors, which check every address before they connect, literal addresses and
 * resolved ones. Aborting `closing` closes every connection of a connector, including idle ones and those being
 * established.
 */
function checkedConnector(
  build: typeof buildConnector,
  { resolve, problemOf, ca, insecureTls, timeoutMs }: ConnectorOptions,
): (closing: AbortSignal) => buildConnector.connector {
  const secureContext = ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, ca] });
  return closing => (target, callback) => {
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
      signal: closing,
      ...(secureContext === undefined ? {} : { secureContext }),
    });
    connect(target, callback);
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
