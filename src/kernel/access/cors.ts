import { type ApiRequest, header } from '../request/http.ts';
import type { World } from '../world/world.ts';
import { type Partner, partners } from './partners.ts';

const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Sandbox-Request';
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS';

/**
 * Writes the CORS headers for a browser's request into `headers`; a request without `Origin` gets none. An empty list
 * allows every origin (interface section 5.5). A preflight or a request without a valid key has no partner: it is
 * checked against the lists of all partners together.
 */
export function allowOrigin(
  world: World,
  partner: Partner | null,
  request: ApiRequest,
  headers: Record<string, string>,
): void {
  const origin = header(request, 'origin');
  if (origin === undefined) return;
  headers.Vary = 'Origin';
  const candidates = partner === null ? [...world.table(partners).all()] : [partner];
  const allowed = candidates.flatMap(({ settings }) => settings.allowedOrigins);
  if (allowed.length > 0 && !allowed.includes(origin)) return;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = EXPOSED;
}

/** Headers of the 204 to a preflight request, which needs no key (interface section 5.5). */
export function preflightHeaders(world: World, request: ApiRequest): Record<string, string> {
  const headers: Record<string, string> = { Allow: METHODS };
  allowOrigin(world, null, request, headers);
  if (headers['Access-Control-Allow-Origin'] === undefined) return headers;
  delete headers['Access-Control-Expose-Headers'];
  headers.Vary = 'Origin, Access-Control-Request-Headers';
  headers['Access-Control-Allow-Methods'] = METHODS;
  headers['Access-Control-Allow-Headers'] =
    header(request, 'access-control-request-headers') ?? 'content-type, x-service-api-key, x-sandbox-fault';
  return headers;
}
