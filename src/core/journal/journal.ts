import { Buffer } from 'node:buffer';
import { FAULT_RULE, type Fidelity, type Refusal } from '../operation/errors.ts';
import { maskCutNumber } from '../redaction/card-numbers.ts';
import type { Headers } from '../redaction/redact.ts';
import { dropLiveKeys, redactBody, redactPath, redactQuery, redactText } from '../redaction/redact.ts';
import { type ApiRequest, type ApiResponse, header } from '../request/http.ts';
import type { Clock } from '../time/clock.ts';
import type { Random } from '../values/random.ts';
import type { Trace } from './events.ts';

/** One request and its response, with the rule that decided it. Bodies are not masked; show entries through `redactEntry`. */
export interface JournalEntry {
  readonly id: string;
  /** Sandbox time of the response, ISO 8601. */
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string | null;
  /** Without live keys. Requests with the same headers share them. */
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  readonly remoteAddress: string;
  /** Id of the operation; null when there is none for the request. */
  readonly operation: string | null;
  /** Path of that operation as the interface writes it, such as `/partner/cards/{id}`. */
  readonly pattern: string | null;
  readonly status: number;
  /** How long the caller waited: the work on the request, and the delay of a fault. */
  readonly durationMs: number;
  readonly requestBody: string;
  readonly responseBody: string;
  /** The message of the refusal; null when the request was not refused. */
  readonly refusal: string | null;
  /** The rule behind the refusal or the fault; null for neither. */
  readonly rule: Fidelity | null;
  /** Id of the fault that acted, `header` for the fault of a header, or null. */
  readonly fault: string | null;
  /** Whether the fault closed the connection, so that this response was not sent. */
  readonly dropped: boolean;
  readonly hints: readonly string[];
  readonly trace: Trace;
}

/** A request and what the partner plane knows about it. */
export interface JournaledRequest {
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

/** The journal keeps this many entries, the newest. */
export const MAX_ENTRIES = 1_000;
const MAX_TEXT_BYTES = 16 * 1024;
/** UTF-8 needs at most this many bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
const CUT_MARK = '… (cut)';

/** Most entries have no hints, and those of requests that only read have no trace: they share these. */
const NO_HINTS: readonly string[] = [];
const NO_TRACE: Trace = { changes: [], events: [] };

/** How many more than it shows the journal holds at most, so that it seldom drops any. */
const MAX_EXCESS = 250;

/** The entries of a journal at one moment: the first `length` of a list that grows. */
export interface JournalSnapshot {
  readonly entries: readonly JournalEntry[];
  readonly length: number;
}

/** The last 1,000 requests to the API. */
export class Journal {
  readonly #clock: Clock;
  readonly #random: Random;
  /** Snapshots share the list, so it only grows, until another takes its place. */
  #entries: JournalEntry[] = [];
  /** The headers of the last request, and as entries hold them: a surface passes the same ones in again. */
  #lastHeaders: Headers = {};
  #lastSafe: Headers = {};

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Generates the id of an entry, so that the response can carry it before the entry is recorded. */
  nextId(): string {
    return this.#random.stream('req').letters(16, 'req_');
  }

  /** Adds an entry with its texts cut at 16 KiB, and returns it. */
  record(handled: JournaledRequest, response: ApiResponse, durationMs: number): JournalEntry {
    const { request, operation, refusal, fault } = handled;
    const requestHeaders = this.#safe(request.headers);
    const entry: JournalEntry = {
      id: handled.id,
      at: this.#clock.timestamp(),
      partnerId: handled.partner?.id ?? null,
      method: truncate(request.method),
      path: truncate(request.path),
      query: truncate(request.query),
      contentType: header({ headers: requestHeaders }, 'content-type') ?? null,
      requestHeaders,
      responseHeaders: response.headers,
      remoteAddress: truncate(request.remoteAddress),
      operation: operation?.id ?? null,
      pattern: operation?.path ?? null,
      status: response.status,
      durationMs: durationMs + (response.delayMs ?? 0),
      requestBody: truncate(handled.requestBody),
      responseBody: truncate(response.body),
      refusal: refusal === null ? null : truncate(refusal.message),
      rule: refusal?.rule ?? (fault === null ? null : FAULT_RULE),
      fault: fault?.id ?? null,
      dropped: response.drop ?? false,
      hints: handled.hints.length === 0 ? NO_HINTS : handled.hints.map(truncate),
      trace: compact(handled.trace),
    };
    if (this.#entries.length === MAX_ENTRIES + MAX_EXCESS)
      this.#entries = this.#entries.slice(1 - MAX_ENTRIES);
    this.#entries.push(entry);
    return entry;
  }

  #safe(headers: Headers): Headers {
    if (headers !== this.#lastHeaders) {
      this.#lastHeaders = headers;
      this.#lastSafe = safeHeaders(headers);
    }
    return this.#lastSafe;
  }

  /** Takes a snapshot. Copies nothing. */
  snapshot(): JournalSnapshot {
    return { entries: this.#entries, length: this.#entries.length };
  }

  restore({ entries, length }: JournalSnapshot): void {
    this.#entries = entries.slice(0, length);
  }

  newestFirst(): JournalEntry[] {
    return this.#entries.slice(-MAX_ENTRIES).reverse();
  }

  /** Removes all entries, or those of one partner. */
  clear(partnerId?: string): void {
    const isKept = (entry: JournalEntry) => partnerId !== undefined && entry.partnerId !== partnerId;
    this.#entries = this.#entries.slice(-MAX_ENTRIES).filter(isKept);
  }
}

/** The headers with live keys removed and values cut. A copy is made only when one of them is. */
function safeHeaders(headers: Headers): Headers {
  let safe = headers;
  for (const name in headers) {
    const value = headers[name];
    const kept = typeof value === 'string' ? truncate(value) : value?.map(truncate);
    if (kept !== value) safe = { ...safe, [name]: kept };
  }
  return safe;
}

/** A copy whose arrays have no room to grow, which would take more memory than their items. */
function compact({ changes, events }: Trace): Trace {
  const isEmpty = changes.length === 0 && events.length === 0;
  return isEmpty ? NO_TRACE : { changes: changes.slice(), events: events.slice() };
}

const redactedEntries = new WeakMap<JournalEntry, JournalEntry>();

/** An entry with secrets and card numbers masked. Each entry is masked once and cached. */
export function redactEntry(entry: JournalEntry): JournalEntry {
  const known = redactedEntries.get(entry);
  if (known !== undefined) return known;
  const masked: JournalEntry = {
    ...entry,
    method: redactText(entry.method),
    path: redactPath(entry.path),
    query: redactQuery(entry.query),
    contentType: entry.contentType === null ? null : redactText(entry.contentType),
    remoteAddress: redactText(entry.remoteAddress),
    requestBody: redactBody(entry.requestBody),
    responseBody: redactBody(entry.responseBody),
    refusal: entry.refusal === null ? null : redactText(entry.refusal),
    hints: entry.hints.map(each => redactText(each)),
  };
  redactedEntries.set(entry, masked);
  return masked;
}

/** A text without live keys, cut at 16 KiB. */
function truncate(text: string): string {
  const safe = dropLiveKeys(text);
  const fits =
    safe.length <= MAX_TEXT_BYTES / MAX_BYTES_PER_UNIT || Buffer.byteLength(safe) <= MAX_TEXT_BYTES;
  if (fits) return safe;
  // Decoded from bytes: a slice of the string would keep the whole string in memory.
  const head = Buffer.from(safe).toString('utf8', 0, MAX_TEXT_BYTES - Buffer.byteLength(CUT_MARK));
  // The cut may have split a character, or a card number, which could not be recognized then.
  return maskCutNumber(head.replace(/\uFFFD$/, '')) + CUT_MARK;
}
