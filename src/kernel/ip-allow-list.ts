import { BlockList, isIP } from 'node:net';

const LOOPBACK = ranges(['127.0.0.0/8', '::1/128']);
const REFUSED = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'];

interface Range {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether the allow-list lets this address in: an empty list lets everyone in (interface section 5.4). */
export function isAllowed(allowList: readonly string[], remoteAddress: string): boolean {
  if (allowList.length === 0) return true;
  let list = compiled.get(allowList);
  if (list === undefined) {
    list = ranges(allowList);
    compiled.set(allowList, list);
  }
  return covers(list, remoteAddress);
}

/** Whether an address is the machine's own loopback. */
export function isLoopback(address: string): boolean {
  return covers(LOOPBACK, address);
}

/** What is wrong with an entry of an allow-list; null when nothing is. */
export function entryProblem(entry: string): string | null {
  if (entry === 'localhost') return null;
  const range = parseRange(entry);
  if (range === null) return 'must be an IP address, a CIDR range or localhost';
  const isInside = range.prefix >= (range.family === 'ipv4' ? 8 : 128);
  if (isInside && covers(LOOPBACK, range.address)) return null;
  const own = ranges([entry]);
  const clash = REFUSED.find(refused => {
    const [address = ''] = refused.split('/');
    return covers(ranges([refused]), range.address) || covers(own, address);
  });
  if (clash === undefined) return null;
  return `must be public or loopback; it reaches into ${clash}, which is private or link-local`;
}

function ranges(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries.flatMap(each => (each === 'localhost' ? ['127.0.0.0/8', '::1'] : [each]))) {
    const range = parseRange(entry);
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}

function parseRange(entry: string): Range | null {
  const [address = '', prefixText, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return null;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return null;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return prefix > bits ? null : { address, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}

function covers(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
