import { redactData, redactPath, redactQuery, redactText } from '../core/redaction/redact.ts';
import { printable, printableLines } from '../core/values/text.ts';

/** A request to the service. */
export interface ServiceCall {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  /** Another key than that of the partner; null for none. */
  readonly apiKey?: string | null;
}

/** A request to the service with its response, both with the neutral names. */
export interface Exchange {
  readonly request: ServiceCall;
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, the text when it is not JSON, or null when the response has no body. */
  readonly body: unknown;
}

/** An exchange, or a webhook, without secrets: what a verdict rests on. */
export interface Evidence {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

/** The response headers that evidence shows. */
const SHOWN_HEADERS =
  /^(?:content-type|retry-after|x-ratelimit-.*|access-control-.*|location|cache-control)$/;
const MAX_ITEMS = 3;
const MAX_MEMBERS = 50;
const MAX_TEXT = 500;
const TOKEN_FIELD = /ShareToken$/;
const MADE_UP_TOKEN = /^(?:\w+_test_(?:approve|reject|manual)_)?card-sandbox-calibration-[\w-]+$/;
/** Members that hold a URL which is itself a secret. */
const SIGNED_URLS = ['accessUrl', 'url'];

/** Returns what a service says as a line that is safe to show: without secrets and control characters. */
export function safeLine(text: string): string {
  return printable(redactText(text));
}

/** Returns what an exchange shows, without secrets and control characters, and with long lists and texts cut. */
export function evidenceOf({ request, status, headers, body }: Exchange): Evidence {
  const shown = Object.entries(headers)
    .filter(([name]) => SHOWN_HEADERS.test(name))
    .map(([name, value]) => [name, safeLine(value)]);
  return {
    request: {
      method: request.method,
      path: pathOf(request),
      ...(request.headers !== undefined && { headers: request.headers }),
      ...(request.body !== undefined && { body: safeData(request.body) }),
    },
    response: {
      status,
      ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
      body: shorten(safeData(body)),
    },
  };
}

/** Returns path and query of a call, without secrets and control characters. */
function pathOf({ path, query }: ServiceCall): string {
  const search = new URLSearchParams(query).toString();
  return printable(redactPath(path) + (search === '' ? '' : `?${redactQuery(search)}`));
}

/**
 * Masks the secrets of a JSON value or a text, and the paths of signed URLs, and escapes control characters. Share tokens
 * that a probe has made up are no secret.
 */
function safeData(value: unknown): unknown {
  if (typeof value === 'string') return printableLines(redactText(value));
  // Redaction limits the depth.
  const safe = withoutControls(withoutSignedUrls(redactData(value)));
  const madeUp = Object.entries(Object(value)).filter(
    ([name, member]) => TOKEN_FIELD.test(name) && typeof member === 'string' && MADE_UP_TOKEN.test(member),
  );
  return madeUp.length === 0 ? safe : { ...Object(safe), ...Object.fromEntries(madeUp) };
}

function withoutControls(value: unknown): unknown {
  if (typeof value === 'string') return printableLines(value);
  if (Array.isArray(value)) return value.map(withoutControls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [printableLines(name), withoutControls(member)]),
  );
}

function withoutSignedUrls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSignedUrls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    SIGNED_URLS.includes(name) && typeof member === 'string' && URL.canParse(member)
      ? `${new URL(member).origin}/***`
      : withoutSignedUrls(member),
  ]);
  return Object.fromEntries(members);
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shorten);
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [shortText(name), shorten(member)]);
  const rest = members.length - MAX_MEMBERS;
  return Object.fromEntries([...members.slice(0, MAX_MEMBERS), ...(rest > 0 ? [['…', `${rest} more`]] : [])]);
}

function shortText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** A line of a capture file: a request, its response, and what it was sent for. Holds no secret. */
export interface CaptureLine {
  /** Wall time, ISO 8601. */
  readonly at: string;
  /** The entry that a probe is about, or the step of a scenario. */
  readonly part: string;
  readonly request: {
    readonly method: string;
    /** With the query. */
    readonly path: string;
    /** `partner` for the key of the partner, `none`, or `other`. */
    readonly key: 'partner' | 'none' | 'other';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** The first line of a capture file. */
export interface CaptureHead {
  readonly capture: 1;
  /** The base URL of the service. */
  readonly service: string;
  readonly startedAt: string;
}

/** Returns an exchange as a line of a capture file. */
export function captureLine(part: string, { request, status, body }: Exchange, now: number): CaptureLine {
  const { method, headers, apiKey } = request;
  return {
    at: new Date(now).toISOString(),
    part,
    request: {
      method,
      path: pathOf(request),
      key: apiKey === undefined ? 'partner' : apiKey === null ? 'none' : 'other',
      ...(headers !== undefined && { headers }),
      ...(request.body !== undefined && { body: safeData(request.body) }),
    },
    response: { status, body: safeData(body) },
  };
}
