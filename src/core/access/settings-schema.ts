import * as z from 'zod';
import { boundedList } from '../values/bounded-list.ts';
import { Amount } from '../values/money.ts';
import { parseUrl } from '../values/parse-url.ts';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import {
  covers,
  isLoopback,
  LINK_LOCAL,
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

/** An entry of an IP allow-list (interface section 5.4). */
export const IpEntry = z.string().superRefine((entry, context) => {
  const message = entryProblem(entry);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

/** An allowed browser origin (interface section 5.5). */
export const AllowedOrigin = z.string().superRefine((origin, context) => {
  const url = parseUrl(origin);
  if (url?.origin === origin && /^https?:$/.test(url.protocol) && !origin.includes('*')) return;
  const message = 'must be an origin with its scheme and without a path, such as https://app.example';
  context.addIssue({ code: 'custom', message });
});

/** Requests per minute and key; 0 disables the limit. */
export const RequestsPerMinute = z.int().min(0).max(1_000_000);

/**
 * A change of a partner's settings in a request or a fixture (interface sections 5.4 and 5.5, and the balance
 * thresholds). All members are optional; the thresholds are parsed into hundredths.
 */
export const SettingsChange = z.object({
  ipAllowList: boundedList(IpEntry)
    .exactOptional()
    .describe('IP addresses, CIDR ranges, localhost. Empty: all.'),
  allowedOrigins: boundedList(AllowedOrigin)
    .exactOptional()
    .describe('Browser origins, such as https://app.example.'),
  rateLimitPerMinute: RequestsPerMinute.exactOptional().describe('0 disables the limit.'),
  lowThreshold: Amount.exactOptional().describe('The daily check reports a lower available amount.'),
  alertThreshold: Amount.exactOptional().describe(
    'A fall of the available amount below it is reported at once.',
  ),
});

function entryProblem(entry: string): string | null {
  if (entry === 'localhost') return null;
  const range = parseRange(entry);
  if (range === null) return 'must be an IP address, a CIDR range or localhost';
  const isInside = range.prefix >= (range.family === 'ipv4' ? 8 : 128);
  if (isInside && isLoopback(range.address)) return null;
  const own = ranges([entry]);
  const reached = [range.address, ...embeddedIpv4(range.address)];
  const clash = REFUSED.find(({ refused }) => {
    const [address = ''] = refused.split('/');
    const list = ranges([refused]);
    return reached.some(each => covers(list, each)) || covers(own, address);
  });
  if (clash === undefined) return null;
  return `must be public or loopback; it overlaps ${clash.refused}, which is ${clash.kind}`;
}
