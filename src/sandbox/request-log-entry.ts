import type { JournalEntry } from '../core/journal/journal.ts';
import type { Fidelity } from '../core/operation/errors.ts';
import { redactPath, redactQuery, redactText } from '../core/redaction/redact.ts';

/** An API request and its response in a log, with secrets masked. */
export interface RequestLogEntry {
  /** Id of its journal entry. */
  readonly id: string;
  /** The id of the world that handled it. */
  readonly world: string;
  /** Sandbox time, ISO 8601. */
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Why it was refused; null if it was not. */
  readonly refusal: string | null;
  /** The rule behind the refusal: `interface 4.1`, or `assumption card-moves`. */
  readonly rule: string | null;
  /** The fault that was applied: its id, or `header`; null if none was. */
  readonly fault: string | null;
  /** Whether that fault closed the connection instead of sending a response. */
  readonly dropped: boolean;
  readonly hints: readonly string[];
}

/** Returns the log entry of a request in the journal of a world. */
export function toRequestLogEntry(entry: JournalEntry, world: string): RequestLogEntry {
  const { id, at, partnerId, operation, status, rule, fault, dropped } = entry;
  const query = entry.query === '' ? '' : `?${redactQuery(entry.query)}`;
  return {
    id,
    world,
    at,
    partnerId,
    method: redactText(entry.method),
    url: redactPath(entry.path) + query,
    operation,
    status,
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
    refusal: entry.refusal === null ? null : redactText(entry.refusal),
    rule: rule === null ? null : ruleText(rule),
    fault,
    dropped,
    hints: entry.hints.map(redactText),
  };
}

function ruleText(rule: Fidelity): string {
  return rule.kind === 'documented' ? `interface ${rule.section}` : `assumption ${rule.id}`;
}
