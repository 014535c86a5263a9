import { Buffer } from 'node:buffer';
import { URL, URLSearchParams } from 'node:url';
import type { ApiRequest, ApiResponse } from '../request/http.ts';
import { MAIN_WORLD, type WorldState } from '../world/world-state.ts';

export interface PageRequest {
  readonly state: WorldState;
  /** The last segment of the path, as sent. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Whether this is a HEAD request, which must not use anything up. */
  readonly isPreview: boolean;
}

export interface Document {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  readonly style: string;
  /** URL of the partner's style sheet, linked after the page's own. Its fonts and images load from its origin. */
  readonly stylesheetUrl?: string | null;
  /** The page's own script; no other script runs. */
  readonly script?: string | null;
  /** Sources of the policy's `frame-ancestors`: who may show the page in a frame. If empty, every page may. */
  readonly frameAncestors: readonly string[];
  readonly hasForm?: boolean;
}

export interface Redirect {
  readonly location: string;
}

/** A page for browsers at `{prefix}/{id}`, outside the API. Its URL is its only credential. */
export interface Page {
  readonly prefix: string;
  /** Whether the page accepts only its own forms. */
  readonly acceptsOwnFormsOnly: boolean;
  show(request: PageRequest): Document;
  /** Handles the page's form. Without it, the page has no form. */
  submit?(request: PageRequest, form: URLSearchParams): Document | Redirect;
}

export const WORLD_PARAMETER = 'world';

/**
 * Returns the path of a page with its query. Worlds of the same seed give their pages the same ids, so the query names
 * every world but `main`.
 */
export function pagePath(
  state: WorldState,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const named = state.id === MAIN_WORLD ? query : { ...query, [WORLD_PARAMETER]: state.id };
  const text = new URLSearchParams(named).toString();
  return text === '' ? path : `${path}?${text}`;
}

export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/**
 * Writes a document as an HTML response. Its policy allows the document's own style and script and the linked style
 * sheet, all by nonce. Images and fonts are allowed as data URLs and from the origin of that style sheet: it cannot
 * send the contents of the page anywhere else.
 */
export function writeDocument(state: WorldState, request: ApiRequest, document: Document): ApiResponse {
  const nonce = state.random.stream('page-nonce').letters(26);
  const { script = null, stylesheetUrl = null } = document;
  const styleOrigin = stylesheetUrl === null ? '' : originSource(stylesheetUrl);
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(script === null ? [] : [`script-src 'nonce-${nonce}'`]),
    `img-src data:${styleOrigin}`,
    `font-src data:${styleOrigin}`,
    `base-uri 'none'`,
    // Browsers also apply form-action to the redirects after a form, which may lead anywhere.
    ...(document.hasForm ? [] : [`form-action 'none'`]),
    // Left out instead of `*`, which excludes pages with an opaque origin, such as those from files.
    ...(document.frameAncestors.length === 0 ? [] : [`frame-ancestors ${document.frameAncestors.join(' ')}`]),
  ];
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${document.title}</title>
<style nonce="${nonce}">${ownMarkup(document.style)}</style>
${script === null ? null : html`<script nonce="${nonce}">${ownMarkup(script)}</script>`}
${stylesheetUrl === null ? null : html`<link rel="stylesheet" href="${stylesheetUrl}" nonce="${nonce}">`}
</head>
<body>
${document.body}
</body>
</html>
`;
  const headers = {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(markup)),
    'Content-Security-Policy': policy.join('; '),
    // The Origin of a form must be sent, and no-referrer removes it.
    'Referrer-Policy': document.hasForm ? 'same-origin' : 'no-referrer',
  };
  return { status: document.status, headers, body: request.method === 'HEAD' ? '' : markup };
}

/**
 * Returns the origin of a URL as a further source of a policy. Empty for a host that a policy cannot name, such as an
 * IPv6 address, and for one with characters that mean something in a policy.
 */
function originSource(url: string): string {
  const { origin, hostname } = new URL(url);
  return /^[\w.-]+$/.test(hostname) ? ` ${origin}` : '';
}

export interface Html {
  readonly markup: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Writes HTML. Strings are escaped for text and quoted attributes alike. Pieces of HTML and lists of them are inserted
 * as they are; null is left out.
 */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[] | null)[]
): Html {
  const parts = strings.map((text, index) => text + markupOf(values[index] ?? null));
  return { markup: parts.join('') };
}

/** Marks the sandbox's own text as HTML. Never call it with text from outside. */
export function ownMarkup(markup: string): Html {
  return { markup };
}

function markupOf(value: string | Html | readonly Html[] | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => ESCAPES[character] ?? '');
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
