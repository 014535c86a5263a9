import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { DeliveryError } from './egress.ts';

/** Finds the addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Asks the machine, which asks its hosts file and DNS. */
export const systemResolve: Resolve = hostname => lookup(hostname, { all: true });

/**
 * The same resolver, asked once at a time for each host. The machine answers only a few questions at once, and a
 * host whose DNS hangs must not take all the places.
 */
export function oneAtATime(resolve: Resolve): Resolve {
  const asked = new Map<string, ReturnType<Resolve>>();
  return hostname => {
    const before = asked.get(hostname);
    if (before !== undefined) return before;
    const answer = resolve(hostname).finally(() => asked.delete(hostname));
    asked.set(hostname, answer);
    return answer;
  };
}

/**
 * A lookup for a socket that hands out only addresses without a problem, so that the addresses checked are those
 * connected to. When none is left, the first one's problem is the error.
 */
export function checkedLookup(
  resolve: Resolve,
  problemOf: (address: string) => string | null,
): LookupFunction {
  return (hostname, { all }, callback) => {
    const fail = (cause: string) => callback(new DeliveryError(cause), []);
    resolve(hostname).then(
      found => {
        const good = found.filter(({ address }) => problemOf(address) === null);
        const [first] = good;
        const [any] = found;
        if (first === undefined) fail((any && problemOf(any.address)) ?? notFound(hostname));
        else if (all === true) callback(null, good);
        else callback(null, first.address, first.family);
      },
      () => fail(notFound(hostname)),
    );
  };
}

function notFound(hostname: string): string {
  return `host not found: ${hostname}`;
}
