import type { BlockList } from 'node:net';
import { covers, isLoopback, LINK_LOCAL, LOOPBACK, PRIVATE, parseRange, ranges } from './ip-ranges.ts';

const REFUSED = [...PRIVATE, ...LINK_LOCAL];

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether the allow-list admits this address. An empty list admits every address (interface section 5.4). */
export function isAllowed(allowList: readonly string[], remoteAddress: string): boolean {
  if (allowList.length === 0) return true;
  let list = compiled.get(allowList);
  if (list === undefined) {
    list = ranges(allowList.flatMap(entry => (entry === 'localhost' ? LOOPBACK : [entry])));
    compiled.set(allowList, list);
  }
  return covers(list, remoteAddress);
}

/** The problem with an entry of an allow-list, or null when it is valid. */
export function entryProblem(entry: string): string | null {
  if (entry === 'localhost') return null;
  const range = parseRange(entry);
  if (range === null) return 'must be an IP address, a CIDR range or localhost';
  const isInside = range.prefix >= (range.family === 'ipv4' ? 8 : 128);
  if (isInside && isLoopback(range.address)) return null;
  const own = ranges([entry]);
  const clash = REFUSED.find(refused => {
    const [address = ''] = refused.split('/');
    return covers(ranges([refused]), range.address) || covers(own, address);
  });
  if (clash === undefined) return null;
  return `must be public or loopback; it overlaps ${clash}, which is private or link-local`;
}
