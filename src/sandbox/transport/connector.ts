import { isIP } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { buildConnector } from 'undici';
import { DeliveryError } from './egress.ts';
import { checkedLookup, type Resolve } from './resolve.ts';

/** Options of `checkedConnector`. */
export interface ConnectorOptions {
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
export function checkedConnector(
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
