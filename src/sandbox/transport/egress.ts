import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  covers,
  isLoopback,
  knownRanges,
  LINK_LOCAL,
  LOOPBACK,
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
  { name: 'link-local addresses', list: knownRanges(LINK_LOCAL) },
  { name: 'multicast addresses', list: knownRanges(MULTICAST) },
  { name: 'broadcast addresses', list: knownRanges(['255.255.255.255/32']) },
  { name: 'unspecified addresses', list: knownRanges(UNSPECIFIED) },
];

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
  const forbidden = FORBIDDEN.find(({ list }) => reached.some(each => covers(list, each)));
  if (forbidden !== undefined) return `destination not allowed: ${forbidden.name} are never allowed`;
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

const GROUPS = 8;

/**
 * The positions of an IPv4 address in the 16 bytes of an IPv6 address, by the prefix that announces it. The local NAT64
 * prefix 64:ff9b:1::/48 leaves its length to the operator (RFC 8215), so all layouts of RFC 6052 apply to it.
 */
const FORMS: readonly { readonly prefix: readonly number[]; readonly at: readonly (readonly number[])[] }[] =
  [
    // IPv4-compatible, IPv4-mapped and IPv4-translated addresses.
    { prefix: [0, 0, 0, 0, 0, 0], at: [[12, 13, 14, 15]] },
    { prefix: [0, 0, 0, 0, 0, 0xffff], at: [[12, 13, 14, 15]] },
    { prefix: [0, 0, 0, 0, 0xffff, 0], at: [[12, 13, 14, 15]] },
    // 6to4.
    { prefix: [0x2002], at: [[2, 3, 4, 5]] },
    // NAT64.
    { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: [[12, 13, 14, 15]] },
    {
      prefix: [0x64, 0xff9b, 1],
      at: [
        [6, 7, 9, 10],
        [7, 9, 10, 11],
        [9, 10, 11, 12],
        [12, 13, 14, 15],
      ],
    },
  ];

/**
 * The IPv4 addresses that a valid IPv6 address may stand for, because it translates to them or tunnels to them. Empty for
 * an IPv4 address and for an IPv6 address that is only itself, `::` and `::1` among them.
 */
function embeddedIpv4(address: string): string[] {
  if (!address.includes(':')) return [];
  const groups = groupsOf(address);
  if (groups.slice(0, -1).every(group => group === 0) && (groups.at(-1) ?? 0) <= 1) return [];
  const byte = (index: number) => ((groups[index >> 1] ?? 0) >> (index % 2 === 0 ? 8 : 0)) & 0xff;
  const layouts =
    FORMS.find(({ prefix }) => prefix.every((group, index) => groups[index] === group))?.at ?? [];
  const candidates = layouts.map(bytes => bytes.map(byte).join('.'));
  // Zeros are what a layout reads where another one has its address.
  const likely = candidates.filter(each => !each.startsWith('0.'));
  return likely.length > 0 ? likely : candidates;
}

function groupsOf(address: string): number[] {
  const plain = address
    .replace(/%.*$/, '')
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) =>
      hexGroups(parts.slice(0, 4).map(Number)),
    );
  const [head = [], tail] = plain.split('::').map(part => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? [] : Array<string>(GROUPS - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].map(group => Number.parseInt(group, 16));
}

function hexGroups([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
