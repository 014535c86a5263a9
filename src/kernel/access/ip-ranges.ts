import { BlockList, isIP } from 'node:net';

/** Ranges of private networks, in CIDR notation. */
export const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'] as const;

/** Ranges of addresses that mean something on one link only. */
export const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10'] as const;

/** Ranges of the machine's own loopback. */
export const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

const loopback = knownRanges(LOOPBACK);

/** A range of addresses, or a single one with the whole address as its prefix. */
export interface Range {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/** The range that an entry writes as an address or in CIDR notation; null when it is neither. */
export function parseRange(entry: string): Range | null {
  const [address = '', prefixText, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? null : { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}

/** These addresses and ranges as one list; what is neither is left out. */
export function ranges(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}

/**
 * Ranges that are written in the code as one list. They are not checked: what tells an IPv6 address is a pattern so
 * large that its first use takes a start several milliseconds.
 */
export function knownRanges(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Whether a list holds an address. An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) counts as what it is. */
export function covers(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an address is the machine's own loopback. */
export function isLoopback(address: string): boolean {
  return covers(loopback, address);
}
