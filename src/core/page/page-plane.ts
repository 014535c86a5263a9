import { Buffer } from 'node:buffer';
import { URLSearchParams } from 'node:url';
import { checkOrigin } from '../access/access-guard.ts';
import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import type { DispatchOptions } from '../request/dispatch-options.ts';
import {
  type ApiRequest,
  type ApiResponse,
  header,
  MAX_BODY_BYTES,
  toErrorResponse,
  toResponse,
} from '../request/http.ts';
import { MAIN_WORLD } from '../world/world-state.ts';
import { html, PAGE_HEADERS, type Page, type PageRequest, WORLD_PARAMETER, writeDocument } from './page.ts';

export interface PagePlane {
  has(path: string): boolean;
  handle(request: ApiRequest): ApiResponse;
}

const RULE = assumed('pages');
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Builds the plane of the pages. The journal does not record them: what a page shows is for one person. */
export function createPagePlane(
  pages: readonly Page[],
  { worlds, accessGuard, onBug }: Pick<DispatchOptions, 'worlds' | 'accessGuard' | 'onBug'>,
): PagePlane {
  const byPrefix = new Map(pages.map(page => [page.prefix, page]));
  const find = (path: string): { readonly page: Page; readonly id: string } | null => {
    const [, prefix = '', id = ''] = /^(\/[^/]+)\/([^/]+)$/.exec(path) ?? [];
    const page = byPrefix.get(prefix);
    return page === undefined ? null : { page, id };
  };

  function respond(request: ApiRequest): ApiResponse {
    const found = find(request.path);
    if (found === null) throw new ApiError(404, RULE, 'there is no such page');
    const { page, id } = found;
    const query = new URLSearchParams(request.query);
    const world = worlds.find(query.get(WORLD_PARAMETER) ?? MAIN_WORLD);
    // The ids of worlds are for those who may use the control plane.
    if (world === undefined) throw new ApiError(404, RULE, 'the world of this page has ended');
    world.touch();
    const { state } = world;
    return state.clock.hold(() => {
      world.responses.open(request.afterResponse);
      const before = state.version;
      const addToHistory = world.history.begin();
      const response = respondWith(page, { state, id, query, isPreview: request.method === 'HEAD' }, request);
      if (state.version === before) return response;
      const did = request.method === 'POST' ? 'sent the form of a page' : 'opened a page';
      const requestBody = Buffer.from(request.body).toString();
      // Only the request: the response may show a card number.
      const handled = { request, requestBody, response: { ...response, body: '' } };
      addToHistory({ plane: 'page', requestId: null, summary: `A person ${did}`, ...handled });
      return response;
    });
  }

  function respondWith(page: Page, pageRequest: PageRequest, request: ApiRequest): ApiResponse {
    const { method } = request;
    const { state } = pageRequest;
    const allow = page.submit === undefined ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, POST, OPTIONS';
    if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow }, body: '' };
    if (page.acceptsOwnFormsOnly) checkOrigin(request, accessGuard());
    if (method === 'GET' || method === 'HEAD') return writeDocument(state, request, page.show(pageRequest));
    if (method !== 'POST' || page.submit === undefined) {
      const message = `${method} is not allowed for this page; allowed are ${allow}`;
      throw new ApiError(405, RULE, message, { headers: { Allow: allow } });
    }
    const reply = page.submit(pageRequest, readForm(request));
    if (!('location' in reply)) return writeDocument(state, request, reply);
    const headers = { ...PAGE_HEADERS, 'Content-Length': '0', Location: reply.location };
    return { status: 303, headers, body: '' };
  }

  return {
    has: path => find(path) !== null,
    handle(request) {
      try {
        return respond(request);
      } catch (error) {
        const refusal = toErrorResponse(error, null, (bug, _operation) => onBug(bug, `page ${request.path}`));
        const response = refusalPage(worlds.main.state, request, refusal);
        return { ...response, headers: { ...response.headers, ...refusal.headers } };
      }
    },
  };
}

/** A refusal as an HTML page, or as the JSON of every error when the client does not accept HTML. */
function refusalPage(state: PageRequest['state'], request: ApiRequest, refusal: ApiError): ApiResponse {
  if (!(header(request, 'accept') ?? '').includes('text/html')) {
    return toResponse(refusal, { ...PAGE_HEADERS }, request.method);
  }
  return writeDocument(state, request, {
    status: refusal.status,
    title: 'This cannot be done',
    body: html`<main><h1>This cannot be done</h1><p>${refusal.message}</p></main>`,
    style: REFUSAL_STYLE,
    frameAncestors: [],
  });
}

const REFUSAL_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 2rem 1.25rem; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; }
`;

/** The fields of a form. Throws a 400 for a body that is not a form or is too long. */
function readForm(request: ApiRequest): URLSearchParams {
  if (Number(header(request, 'content-length')) > MAX_BODY_BYTES || request.body.length > MAX_BODY_BYTES) {
    throw badRequest(RULE, `body: must be at most ${MAX_BODY_BYTES} bytes (1 MiB)`);
  }
  const type = header(request, 'content-type');
  if (type === undefined || !FORM_TYPE.test(type)) {
    const found = type === undefined ? 'missing' : JSON.stringify(type);
    throw badRequest(RULE, `header Content-Type: must be application/x-www-form-urlencoded, is ${found}`);
  }
  return new URLSearchParams(Buffer.from(request.body).toString());
}
