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

/** Which addresses deliveries may reach: loopback and private networks, or any. */
export const EGRESS = ['private', 'any'] as const;
/** Which addresses deliveries may reach. */
export type Egress = (typeof EGRESS)[number];

/** Where the sandbox itself listens. */
export interface OwnAddress {
  /** A host name or an IP address; `0.0.0.0` and `::` mean every address of the machine. */
  readonly host: string;
  readonly port: number;
}

/** An error whose message is the cause of a failed delivery. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
}

const PRIVATE_RANGES = knownRanges([...LOOPBACK, ...PRIVATE]);

const FORBIDDEN = [
  { name: 'link-local addresses', list: withNat64(LINK_LOCAL) },
  { name: 'multicast addresses', list: withNat64(['224.0.0.0/4', 'ff00::/8']) },
  { name: 'broadcast addresses', list: withNat64(['255.255.255.255/32']) },
  { name: 'unspecified addresses', list: withNat64(['0.0.0.0/8', '::/128']) },
];

/**
 * Returns why a delivery must not connect to an address, or null when it may. Link-local, multicast, broadcast and
 * unspecified addresses and that of the sandbox itself are refused even with `any`.
 */
export function destinationProblem(
  address: string,
  port: number,
  egress: Egress,
  own: OwnAddress | null,
): string | null {
  const forbidden = FORBIDDEN.find(({ list }) => covers(list, address));
  if (forbidden !== undefined) return `destination not allowed: ${forbidden.name} are never allowed`;
  if (own !== null && isOwn(address, port, own)) {
    return 'destination not allowed: it is the sandbox itself';
  }
  if (egress === 'any' || covers(PRIVATE_RANGES, address)) return null;
  return 'destination not allowed: pass --egress any';
}

function isOwn(address: string, port: number, own: OwnAddress): boolean {
  if (port !== own.port) return false;
  // localhost often resolves to several loopback addresses, all of which reach the sandbox.
  if (own.host === 'localhost' || isLoopback(own.host)) return isLoopback(address);
  const isOneAddress = isIP(own.host) !== 0 && own.host !== '0.0.0.0' && own.host !== '::';
  return isOneAddress ? covers(ranges([own.host]), address) : isOfThisMachine(address);
}

function isOfThisMachine(address: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return isLoopback(address) || covers(ranges(interfaces.map(each => each.address)), address);
}

/** Adds the NAT64 form of IPv4 ranges: a gateway translates 64:ff9b::a.b.c.d to a.b.c.d. */
function withNat64(entries: readonly string[]) {
  const translated = entries.flatMap(entry => {
    const [address = '', prefix = ''] = entry.split('/');
    return address.includes('.') ? [`64:ff9b::${address}/${Number(prefix) + 96}`] : [];
  });
  return knownRanges([...entries, ...translated]);
}
