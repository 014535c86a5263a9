import type { JournalEntry } from '../kernel/journal/journal.ts';
import { redactQuery, redactText } from '../kernel/journal/redact.ts';

/** An answered API request as a log tells it, secrets masked. */
export interface RequestLogEntry {
  /** Its entry in the journal. */
  readonly id: string;
  /** Sandbox time, ISO 8601. */
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Why it was refused; null when it was not. */
  readonly refusal: string | null;
  /** What the refusal rests on: `interface 4.1`, or `assumption card-moves`. */
  readonly rule: string | null;
  /** The fault that acted: its id, or `header`; null when none did. */
  readonly fault: string | null;
  /** Whether that fault closed the connection instead of answering. */
  readonly dropped: boolean;
  readonly hints: readonly string[];
}

/** What a log tells of a journal entry. */
export function toRequestLogEntry(entry: JournalEntry): RequestLogEntry {
  const { id, at, partnerId, method, operation, status, rule, fault, dropped } = entry;
  const query = entry.query === '' ? '' : `?${redactQuery(entry.query)}`;
  return {
    id,
    at,
    partnerId,
    method,
    url: redactText(entry.path) + query,
    operation,
    status,
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
    refusal: entry.refusal === null ? null : redactText(entry.refusal),
    rule:
      rule === null
        ? null
        : rule.kind === 'documented'
          ? `interface ${rule.section}`
          : `assumption ${rule.id}`,
    fault,
    dropped,
    hints: entry.hints.map(redactText),
  };
}
