import type { BlockList } from 'node:net';
import {
  covers,
  isLoopback,
  LINK_LOCAL,
  LOOPBACK,
  MULTICAST,
  PRIVATE,
  parseRange,
  ranges,
  UNSPECIFIED,
} from './ip-ranges.ts';

/** Ranges without public addresses, by their kind. Ranges for documentation are not among them. */
const REFUSED = [
  { kind: 'private', entries: PRIVATE },
  { kind: 'link-local', entries: LINK_LOCAL },
  { kind: 'shared', entries: ['100.64.0.0/10'] },
  { kind: 'multicast', entries: MULTICAST },
  { kind: 'unspecified', entries: UNSPECIFIED },
  { kind: 'reserved', entries: ['240.0.0.0/4'] },
].flatMap(({ kind, entries }) => entries.map(refused => ({ kind, refused })));

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
  const clash = REFUSED.find(({ refused }) => {
    const [address = ''] = refused.split('/');
    return covers(ranges([refused]), range.address) || covers(own, address);
  });
  if (clash === undefined) return null;
  return `must be public or loopback; it overlaps ${clash.refused}, which is ${clash.kind}`;
}
