import { FAULT_RULE } from '../faults/fault.ts';
import type { Fidelity, Refusal } from '../operation/errors.ts';
import { type ApiRequest, type ApiResponse, header } from '../request/http.ts';
import type { Clock } from '../time/clock.ts';
import type { Random } from '../values/random.ts';
import { dropLiveKeys, redactBody, redactQuery, redactText } from './redact.ts';
import type { Trace } from './trace.ts';

/** One request and its answer, with what decided it. Bodies are as they were; show them through `redacted`. */
export interface JournalEntry {
  readonly id: string;
  /** Sandbox time at which it was answered, ISO 8601. */
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | null;
  readonly remoteAddress: string;
  /** Id of the operation that was meant; null when there is none at its path. */
  readonly operation: string | null;
  /** Path of that operation as the interface writes it, such as `/partner/cards/{id}`. */
  readonly pattern: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly requestBody: string;
  readonly responseBody: string;
  /** Why it was refused, in words; null when it was not. */
  readonly refusal: string | null;
  /** The decision behind the refusal, or behind the fault that acted. */
  readonly rule: Fidelity | null;
  /** Id of the fault that acted, `header` for one that the request brought along; null for none. */
  readonly fault: string | null;
  /** Whether the fault closed the connection, so that the answer told here never left. */
  readonly dropped: boolean;
  readonly hints: readonly string[];
  readonly trace: Trace;
}

/** A request and what was found out on the way to its answer. */
export interface Exchange {
  readonly id: string;
  readonly request: ApiRequest;
  readonly operation: { readonly id: string; readonly path: string } | null;
  readonly partner: { readonly id: string } | null;
  readonly requestBody: string;
  readonly refusal: Refusal | null;
  readonly fault: { readonly id: string } | null;
  readonly hints: readonly string[];
  readonly trace: Trace;
}

/** So many entries are kept, the newest. */
export const KEPT_ENTRIES = 1_000;
const LONGEST_TEXT = 16 * 1024;
/** UTF-8 takes at most this many bytes for a unit of a text. */
const MOST_BYTES_A_UNIT = 3;
const CUT_MARK = '… (cut)';

/** The last 1,000 requests to the API. */
export class Journal {
  readonly #clock: Clock;
  readonly #random: Random;
  #entries: JournalEntry[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A fresh entry id, to be told to the caller before the entry is complete. */
  nextId(): string {
    return this.#random.id('req');
  }

  /** Adds an entry, its texts cut at 16 KiB, and returns it. */
  record(exchange: Exchange, answer: ApiResponse, durationMs: number): JournalEntry {
    const { request, operation, refusal, fault } = exchange;
    const contentType = header(request, 'content-type');
    const entry: JournalEntry = {
      id: exchange.id,
      at: this.#clock.timestamp(),
      partnerId: exchange.partner?.id ?? null,
      method: request.method,
      path: kept(request.path),
      query: kept(request.query),
      contentType: contentType === undefined ? null : kept(contentType),
      remoteAddress: request.remoteAddress,
      operation: operation?.id ?? null,
      pattern: operation?.path ?? null,
      status: answer.status,
      durationMs,
      requestBody: kept(exchange.requestBody),
      responseBody: kept(answer.body),
      refusal: refusal === null ? null : kept(refusal.message),
      rule: refusal?.rule ?? (fault === null ? null : FAULT_RULE),
      fault: fault?.id ?? null,
      dropped: answer.drop ?? false,
      hints: exchange.hints.map(kept),
      trace: exchange.trace,
    };
    this.#entries.push(entry);
    // Twice the size before a cut, so that the cost of cutting spreads over many requests.
    if (this.#entries.length > 2 * KEPT_ENTRIES) this.#entries = this.#entries.slice(-KEPT_ENTRIES);
    return entry;
  }

  /** What is kept, newest first. */
  newestFirst(): JournalEntry[] {
    return this.#entries.slice(-KEPT_ENTRIES).reverse();
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries = [];
  }
}

const shown = new WeakMap<JournalEntry, JournalEntry>();

/** An entry that can be shown to anyone: secrets and card numbers masked. Masked once, however often it is read. */
export function redacted(entry: JournalEntry): JournalEntry {
  const known = shown.get(entry);
  if (known !== undefined) return known;
  const masked: JournalEntry = {
    ...entry,
    path: redactText(entry.path),
    query: redactQuery(entry.query),
    contentType: entry.contentType === null ? null : redactText(entry.contentType),
    requestBody: redactBody(entry.requestBody),
    responseBody: redactBody(entry.responseBody),
    refusal: entry.refusal === null ? null : redactText(entry.refusal),
    hints: entry.hints.map(redactText),
  };
  shown.set(entry, masked);
  return masked;
}

/** A text as the journal keeps it: without keys of the production environment, and no longer than 16 KiB. */
function kept(text: string): string {
  const safe = dropLiveKeys(text);
  const fits = safe.length <= LONGEST_TEXT / MOST_BYTES_A_UNIT || Buffer.byteLength(safe) <= LONGEST_TEXT;
  if (fits) return safe;
  // By way of bytes, which lets go of the long text; a slice would keep all of it.
  const head = Buffer.from(safe).toString('utf8', 0, LONGEST_TEXT - Buffer.byteLength(CUT_MARK));
  // The cut may have halved a character, or made a card number unrecognizable.
  return head.replace(/\uFFFD$/, '').replace(/\d{1,19}$/, '') + CUT_MARK;
}
