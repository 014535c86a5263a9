import { parseDuration } from '../values/duration.ts';
import type { Finding, SettingValue } from './probe.ts';
import { type Evidence, evidenceOf } from './service/exchange.ts';

/** What the service does, compared with the decision of an entry. */
export type Verdict = 'observed' | 'contradicted' | 'unknown';

/** A setting with its value. */
export interface SettingOf {
  readonly name: string;
  readonly value: SettingValue;
}

/** The verdict on an entry of the register. */
export interface Result {
  readonly id: string;
  readonly verdict: Verdict;
  /** The setting with which the sandbox does what the service does. Missing unless it is contradicted and there is one. */
  readonly setting?: SettingOf;
  readonly evidence: {
    /** When it was found out, ISO 8601; missing when it was not. */
    readonly at?: string;
    /** What was seen, in words. */
    readonly seen?: string;
    /** What it would take to find out. */
    readonly needs?: string;
    /** Requests and responses, without secrets. */
    readonly exchanges: readonly Evidence[];
  };
}

/** The defaults of the settings. */
const DEFAULTS: Readonly<Record<string, SettingValue>> = {
  'card-status-parameter': 'status',
  'usage-from-parameter': 'from',
  'usage-to-parameter': 'to',
  'usage-period-parameter': 'billingPeriod',
  'usage-type-parameter': 'type',
  'invalid-input-status': 400,
  'allow-list-status': 401,
  'copy-pan-default': false,
  'stylesheet-url': 'optional',
  'card-initial-status': 'created',
  'kyc-after-rejection': 'allowed',
  'list-order': 'newest',
  'webhook-timeout': '10s',
  'webhook-envelope': 'envelope',
  'event-history': 'nine',
  'email-comparison': 'insensitive',
  'amount-unit': 'major',
  'patch-config': 'merge',
  'unset-config': 'null',
  'signature-timestamp': 'seconds',
  'magic-tokens': 'on',
  'authorization-ttl': '7d',
};

/** Turns a finding into the verdict on an entry. */
export function judged(id: string, found: Finding, at: string): Result {
  const evidence = { at, seen: found.seen, exchanges: found.exchanges.map(evidenceOf) };
  if ('holds' in found) return { id, verdict: found.holds ? 'observed' : 'contradicted', evidence };
  if (isSame(found.measured, DEFAULTS[id] ?? '')) return { id, verdict: 'observed', evidence };
  return { id, verdict: 'contradicted', setting: { name: id, value: found.measured }, evidence };
}

function isSame(one: SettingValue, other: SettingValue): boolean {
  const [first, second] = [parseDuration(String(one)), parseDuration(String(other))];
  return first !== null && second !== null ? first === second : String(one) === String(other);
}
