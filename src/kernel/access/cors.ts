import { type ApiRequest, header } from '../request/http.ts';
import type { World } from '../world/world.ts';
import { type Partner, partners } from './partners.ts';

const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Sandbox-Request';
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS';

/**
 * Writes the CORS headers for a browser's request into `headers`; a request without `Origin` gets none. An
 * empty list answers every origin (interface section 5.5). A preflight, or a request whose key opens no
 * partner, names no partner: it is held against the lists of all of them together.
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
  const asked = partner === null ? [...world.table(partners).all()] : [partner];
  const allowed = asked.flatMap(({ settings }) => settings.allowedOrigins);
  if (allowed.length > 0 && !allowed.includes(origin)) return;
  headers['Access-Control-Allow-Origin'] = origin;
  headers['Access-Control-Expose-Headers'] = EXPOSED;
}

/** Headers of the answer to a preflight (interface section 5.5): 204, no key needed. */
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
