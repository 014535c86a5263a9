import { type ApiRequest, header } from '../request/http.ts';
import { shorten } from '../values/text.ts';
import type { WorldRegistry } from '../world/world.ts';
import { type Partner, partners } from './partners.ts';

const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Sandbox-Request';
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS';

const MAX_NAMED = 5;

/**
 * Writes the CORS headers for a browser's request into `headers`; a request without `Origin` gets none. An empty list
 * allows every origin (interface section 5.5), and so does a request without a valid key, whose 401 nobody could read
 * otherwise. Returns a hint for an origin that is not allowed, and otherwise null.
 */
export function allowOrigin(
  partner: Partner | null,
  request: ApiRequest,
  headers: Record<string, string>,
): string | null {
  return allowOriginOf(partner === null ? [] : [partner], request, headers);
}

function allowOriginOf(
  candidates: readonly Partner[],
  request: ApiRequest,
  headers: Record<string, string>,
): string | null {
  const origin = header(request, 'origin');
  if (origin === undefined) return null;
  headers.Vary = 'Origin';
  if (!isAllowed(candidates, origin)) return missingOrigin(origin, candidates, request);
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = EXPOSED;
  return null;
}

/** The partners of the first world that allows an origin, or else the partners of `main`. None allows every origin. */
function partnersThatAllow(worlds: WorldRegistry, origin: string): readonly Partner[] {
  for (const { state } of worlds.all()) {
    const candidates = [...state.table(partners).all()];
    if (isAllowed(candidates, origin)) return candidates;
  }
  return [...worlds.main.state.table(partners).all()];
}

function isAllowed(candidates: readonly Partner[], origin: string): boolean {
  const allowed = candidates.flatMap(({ settings }) => settings.allowedOrigins);
  return allowed.length === 0 || allowed.includes(origin);
}

/** The browser reports only that CORS failed, so the hint says which list lacks the origin. */
function missingOrigin(origin: string, candidates: readonly Partner[], { method }: ApiRequest): string {
  const restricted = candidates
    .filter(({ settings }) => settings.allowedOrigins.length > 0)
    .map(({ id }) => id);
  const more = restricted.length > MAX_NAMED ? ` and ${restricted.length - MAX_NAMED} more` : '';
  const lists = `allowedOrigins of ${restricted.slice(0, MAX_NAMED).join(', ')}${more}`;
  const effect = method === 'OPTIONS' ? 'sends no request' : 'hides this response from the page';
  return `CORS: the origin ${JSON.stringify(shorten(origin))} is not in ${lists}, so the browser ${effect}; add it with PATCH /_sandbox/partners/{id}/settings, or empty the list`;
}

/**
 * Headers of the 204 to a preflight request, and a hint if its origin is not allowed. It has no key, so it is checked
 * against the lists of all partners of a world together, and allowed if one world allows it.
 */
export function preflightHeaders(
  worlds: WorldRegistry,
  request: ApiRequest,
): { readonly headers: Record<string, string>; readonly hint: string | null } {
  const headers: Record<string, string> = { Allow: METHODS };
  const candidates = partnersThatAllow(worlds, header(request, 'origin') ?? '');
  const hint = allowOriginOf(candidates, request, headers);
  if (headers['Access-Control-Allow-Origin'] === undefined) return { headers, hint };
  delete headers['Access-Control-Expose-Headers'];
  headers.Vary = 'Origin, Access-Control-Request-Headers';
  headers['Access-Control-Allow-Methods'] = METHODS;
  headers['Access-Control-Allow-Headers'] =
    header(request, 'access-control-request-headers') ?? 'content-type, x-service-api-key, x-sandbox-fault';
  return { headers, hint };
}
