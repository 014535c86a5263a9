import { redactData, redactPath, redactQuery, redactText } from '../core/redaction/redact.ts';

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
const MAX_TEXT = 500;
const TOKEN_FIELD = /ShareToken$/;
const MADE_UP_TOKEN = /^(?:\w+_test_(?:approve|reject|manual)_)?card-sandbox-calibration-[\w-]+$/;
/** Members that hold a URL which is itself a secret. */
const SIGNED_URLS = ['accessUrl', 'url'];

/** Returns what an exchange shows, without secrets and with long lists and texts cut. */
export function evidenceOf({ request, status, headers, body }: Exchange): Evidence {
  const shown = Object.entries(headers).filter(([name]) => SHOWN_HEADERS.test(name));
  return {
    request: {
      method: request.method,
      path: pathOf(request),
      ...(request.headers !== undefined && { headers: request.headers }),
      ...(request.body !== undefined && { body: maskSecrets(request.body) }),
    },
    response: {
      status,
      ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
      body: shorten(maskSecrets(body)),
    },
  };
}

/** Returns path and query of a call, without secrets. */
export function pathOf({ path, query }: ServiceCall): string {
  const search = new URLSearchParams(query).toString();
  return redactPath(path) + (search === '' ? '' : `?${redactQuery(search)}`);
}

/**
 * Masks the secrets of a JSON value or a text, and the paths of signed URLs. Share tokens that a probe has made up are
 * no secret.
 */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  const safe = redactData(withoutSignedUrls(value));
  const madeUp = Object.entries(Object(value)).filter(
    ([name, member]) => TOKEN_FIELD.test(name) && typeof member === 'string' && MADE_UP_TOKEN.test(member),
  );
  return madeUp.length === 0 ? safe : { ...Object(safe), ...Object.fromEntries(madeUp) };
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
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shorten);
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
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
      ...(request.body !== undefined && { body: maskSecrets(request.body) }),
    },
    response: { status, body: maskSecrets(body) },
  };
}
