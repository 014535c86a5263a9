import { isIP } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import type { buildConnector } from 'undici';
import { DeliveryError } from './egress.ts';
import { checkedLookup, type Resolve } from './resolve.ts';

/** How connections are made. */
export interface ConnectorOptions {
  readonly resolve: Resolve;
  /** Why an address may not be connected to; null when it may. */
  readonly problemOf: (address: string, port: number) => string | null;
  /** Certificates in PEM trusted besides the well-known ones. */
  readonly ca: string | undefined;
  /** Takes any certificate. */
  readonly insecureTls: boolean;
  readonly timeoutMs: number;
  /** Ends every connection, the idle ones and those still being made included. */
  readonly closing: AbortSignal;
}

/** How long the next address of a host waits for the one before it. */
const NEXT_ADDRESS_MS = 1_000;

/** Makes connections whose address was checked, whichever way it was written or found. */
export function checkedConnector(
  build: typeof buildConnector,
  { resolve, problemOf, ca, insecureTls, timeoutMs, closing }: ConnectorOptions,
): buildConnector.connector {
  const secureContext = ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, ca] });
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    // No lookup is asked about a host that is an address already.
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
