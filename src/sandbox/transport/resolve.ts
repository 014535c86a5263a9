import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { DeliveryError } from './egress.ts';

/** Resolves a host name to its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves with the system's resolver: the hosts file and DNS. */
export const systemResolve: Resolve = hostname => lookup(hostname, { all: true });

/**
 * Returns a resolver that shares concurrent lookups of the same host. The system runs only a few lookups at once,
 * and a host whose DNS hangs must not take them all.
 */
export function shareLookups(resolve: Resolve): Resolve {
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
export function checkedLookup(
  resolve: Resolve,
  problemOf: (address: string) => string | null,
): LookupFunction {
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
