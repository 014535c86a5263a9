import undici, { type Agent } from 'undici';
import { checkedConnector } from './connector.ts';
import { destinationProblem, type Egress, type OwnAddress } from './egress.ts';
import { type Resolve, shareLookups, systemResolve } from './resolve.ts';

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
 * and certificates. It is in a module of its own because undici is loaded with the first webhook: the sandbox starts
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
