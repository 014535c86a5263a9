import type { World } from '../world/world.ts';
import { type Html, html, ownMarkup } from './html.ts';
import type { ApiRequest, ApiResponse } from './http.ts';

/** One request for a page. */
export interface Visit {
  readonly world: World;
  /** The last segment of the path, as it was sent. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Whether only the headers are asked for, so that nothing may be used up. */
  readonly isPreview: boolean;
}

/** A document for people, and who may look at it. */
export interface Document {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Style sheet of our own. */
  readonly style: string;
  /** Address of somebody else's style sheet, which comes after ours. */
  readonly stylesheetUrl?: string | null;
  /** Script of our own; no other runs. */
  readonly script?: string | null;
  /** Sources of the policy's frame-ancestors: who may show the page in a frame. */
  readonly frameAncestors: readonly string[];
  /** Whether the page holds a form. */
  readonly hasForm?: boolean;
}

/** The way on after a form: to a URL, by GET. */
export interface Redirect {
  readonly location: string;
}

/** A page at `{prefix}/{id}`, outside the API: made for a browser, and with no key but what its address holds. */
export interface Page {
  readonly prefix: string;
  /** Whether it answers under the sandbox's own names only, and takes forms from nobody but itself. */
  readonly isFenced: boolean;
  show(visit: Visit): Document;
  /** Takes the page's form; a page without it takes none. */
  submit?(visit: Visit, form: URLSearchParams): Document | Redirect;
}

/** Headers of every answer of a page, whatever it says. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Writes the answer that a document is. Its policy lets in its own style and script and the one linked style sheet,
 * all by a nonce, so that no address has to stand in the policy; images and fonts only when the style sheet holds
 * them itself, so that it cannot tell anybody what is on the page.
 */
export function documentAnswer(world: World, request: ApiRequest, document: Document): ApiResponse {
  const nonce = world.random.stream('page-nonce').letters(26);
  const { script = null, stylesheetUrl = null } = document;
  const policy = [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(script === null ? [] : [`script-src 'nonce-${nonce}'`]),
    'img-src data:',
    'font-src data:',
    `base-uri 'none'`,
    // A browser holds form-action against all redirects that follow a form as well, wherever they lead.
    ...(document.hasForm ? [] : [`form-action 'none'`]),
    `frame-ancestors ${document.frameAncestors.join(' ')}`,
  ];
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${document.title}</title>
<style nonce="${nonce}">${ownMarkup(document.style)}</style>
${stylesheetUrl === null ? null : html`<link rel="stylesheet" href="${stylesheetUrl}" nonce="${nonce}">`}
</head>
<body>
${document.body}
${script === null ? null : html`<script nonce="${nonce}">${ownMarkup(script)}</script>`}
</body>
</html>
`;
  const headers = {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(markup)),
    'Content-Security-Policy': policy.join('; '),
    // A form must be able to say where it comes from, and no-referrer takes its Origin away.
    'Referrer-Policy': document.hasForm ? 'same-origin' : 'no-referrer',
  };
  return { status: document.status, headers, body: request.method === 'HEAD' ? '' : markup };
}
