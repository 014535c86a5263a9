import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  covers,
  isLoopback,
  knownRanges,
  LINK_LOCAL,
  LOOPBACK,
  PRIVATE,
  ranges,
} from '../kernel/access/ip-ranges.ts';

/** How far deliveries reach: loopback and private networks, or everywhere. */
export type Egress = 'private' | 'any';

/** Where the sandbox itself listens. */
export interface OwnAddress {
  /** A name or an address; `0.0.0.0` and `::` mean every address of the machine. */
  readonly host: string;
  readonly port: number;
}

/** An error whose message is the cause of a failed delivery, as people read it. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

const NEAR = knownRanges([...LOOPBACK, ...PRIVATE]);

const NEVER = [
  { what: 'link-local addresses', list: withNat64(LINK_LOCAL) },
  { what: 'multicast addresses', list: withNat64(['224.0.0.0/4', 'ff00::/8']) },
  { what: 'broadcast addresses', list: withNat64(['255.255.255.255/32']) },
  { what: 'unspecified addresses', list: withNat64(['0.0.0.0/8', '::/128']) },
];

/**
 * Why no delivery may connect to an address, as the cause of its failure; null when it may. Some addresses are
 * refused however far deliveries reach: they lead to the machine's surroundings, or back into the sandbox.
 */
export function destinationProblem(
  address: string,
  port: number,
  egress: Egress,
  own: OwnAddress | null,
): string | null {
  const never = NEVER.find(({ list }) => covers(list, address));
  if (never !== undefined) return `destination not allowed: ${never.what} are never reached`;
  if (own !== null && isOwn(address, port, own)) {
    return 'destination not allowed: it is the sandbox itself';
  }
  if (egress === 'any' || covers(NEAR, address)) return null;
  return 'destination not allowed: pass --egress any';
}

function isOwn(address: string, port: number, own: OwnAddress): boolean {
  if (port !== own.port) return false;
  // One name often means all of these, and whoever calls it means the sandbox.
  if (own.host === 'localhost' || isLoopback(own.host)) return isLoopback(address);
  const isOne = isIP(own.host) !== 0 && own.host !== '0.0.0.0' && own.host !== '::';
  return isOne ? covers(ranges([own.host]), address) : isOfThisMachine(address);
}

function isOfThisMachine(address: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return isLoopback(address) || covers(ranges(interfaces.map(each => each.address)), address);
}

/** A NAT64 gateway turns 64:ff9b::a.b.c.d into a.b.c.d, so what is refused as IPv4 is refused in that form too. */
function withNat64(entries: readonly string[]) {
  const translated = entries.flatMap(entry => {
    const [address = '', prefix = ''] = entry.split('/');
    return address.includes('.') ? [`64:ff9b::${address}/${Number(prefix) + 96}`] : [];
  });
  return knownRanges([...entries, ...translated]);
}
