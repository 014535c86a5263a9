import undici, { type Agent } from 'undici';
import { checkedConnector } from './connector.ts';
import { destinationProblem } from './egress.ts';
import type { HttpTransportOptions } from './http-transport.ts';
import { oneAtATime, systemResolve } from './resolve.ts';

const LONGEST_HEADERS = 16 * 1_024;
/** Shorter than receivers keep a connection that is not used, so that none closes while we send on it. */
const KEEP_ALIVE_MS = 1_000;

/**
 * What sends, and connects to checked addresses only; `closing` ends all its connections. It is a file of its own, with
 * all that it needs, because it is loaded when the first webhook is sent: a start is sooner without.
 */
export function createAgent(options: HttpTransportOptions, timeoutMs: number, closing: AbortSignal): Agent {
  return new undici.Agent({
    connect: checkedConnector(undici.buildConnector, {
      resolve: oneAtATime(options.resolve ?? systemResolve),
      problemOf: (address, port) => destinationProblem(address, port, options.egress, options.ownAddress()),
      ca: options.ca,
      insecureTls: options.insecureTls,
      timeoutMs,
      closing,
    }),
    // Only the total time-out counts.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: LONGEST_HEADERS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
}
