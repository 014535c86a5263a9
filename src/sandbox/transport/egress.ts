import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { embeddedIpv4 } from '../../core/access/embedded-ipv4.ts';
import {
  covers,
  isLoopback,
  knownRanges,
  LINK_LOCAL,
  LOOPBACK,
  METADATA,
  MULTICAST,
  PRIVATE,
  ranges,
  UNSPECIFIED,
} from '../../core/access/ip-ranges.ts';

/** Which addresses deliveries may reach: loopback and private networks, or any. */
export const EGRESS = ['private', 'any'] as const;
export type Egress = (typeof EGRESS)[number];

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
  { name: 'metadata addresses', entries: METADATA },
  { name: 'link-local addresses', entries: LINK_LOCAL },
  { name: 'multicast addresses', entries: MULTICAST },
  { name: 'broadcast addresses', entries: ['255.255.255.255/32'] },
  { name: 'unspecified addresses', entries: UNSPECIFIED },
];

/** All of them in one list: each look at a list costs several microseconds of every attempt. */
const FORBIDDEN_RANGES = knownRanges(FORBIDDEN.flatMap(({ entries }) => entries));

/**
 * Returns why a delivery must not connect to an address, or null when it may. Link-local, multicast, broadcast and
 * unspecified addresses and the sandbox's own are refused even with `any`, and also as an IPv6 address that
 * stands for one (IPv4-mapped or -compatible, 6to4, NAT64).
 */
export function destinationProblem(
  address: string,
  port: number,
  egress: Egress,
  own: OwnAddress | null,
): string | null {
  const reached = [address, ...embeddedIpv4(address)];
  const forbidden = reached.find(each => covers(FORBIDDEN_RANGES, each));
  if (forbidden !== undefined) {
    const kind = FORBIDDEN.find(({ entries }) => covers(knownRanges(entries), forbidden));
    return `destination not allowed: ${kind?.name} are never allowed`;
  }
  if (own !== null && reached.some(each => isOwn(each, port, own))) {
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
