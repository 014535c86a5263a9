import { BlockList, isIP } from 'node:net';

export const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'] as const;

export const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10'] as const;

/** The addresses of metadata services of clouds that are not link-local. */
export const METADATA = [
  ...(['fd00:ec2::254/128', 'fd00:ec2::23/128', 'fd20:ce::254/128'] as const),
  ...(['fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'] as const),
] as const;

export const MULTICAST = ['224.0.0.0/4', 'ff00::/8'] as const;

/** Ranges that mean no host, or any. */
export const UNSPECIFIED = ['0.0.0.0/8', '::/128'] as const;

export const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const;

const loopback = knownRanges(LOOPBACK);

/** A range of addresses; for a single address the prefix is its full length. */
interface Range {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/** Parses an address or a range in CIDR notation. Returns null when the entry is neither. */
export function parseRange(entry: string): Range | null {
  const [address = '', prefixText, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? null : { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}

/** Builds a list of addresses and ranges. Entries that are neither are left out. */
export function ranges(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}

/**
 * Builds a list of ranges that are literals in the code. It does not validate them: the first call of `isIP` compiles a
 * large pattern, which costs several milliseconds of start time.
 */
export function knownRanges(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Whether a list includes an address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) counts as IPv4. */
export function covers(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

export function isLoopback(address: string): boolean {
  return covers(loopback, address);
}
