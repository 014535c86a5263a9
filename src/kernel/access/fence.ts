import { timingSafeEqual } from 'node:crypto';
import { ApiError, assumed } from '../operation/errors.ts';
import { type ApiRequest, header } from '../request/http.ts';
import { isLoopback } from './ip-ranges.ts';

/** The sandbox's own address, as the checks on the control plane need it. */
export interface FenceOptions {
  /** Host names and addresses of this sandbox besides the loopback ones. */
  readonly ownNames: readonly string[];
  /** The token that every request needs; null when the sandbox listens on loopback only. */
  readonly token: string | null;
}

/** Throws unless a request may control the sandbox: it is not cross-site, and it carries the control token if one is needed. */
export function checkFence(request: ApiRequest, { ownNames, token }: FenceOptions): void {
  checkSite(request, { ownNames });
  if (token !== null && !carries(request, token)) {
    throw new ApiError(
      401,
      assumed('control-fence'),
      'header Authorization: this sandbox listens beyond loopback, so its control plane needs "Bearer <control token>"; the token is printed at start',
    );
  }
}

/** Throws for a cross-site request of a browser: the `Origin`, if any, must be the sandbox's own. */
export function checkSite(request: ApiRequest, { ownNames }: Pick<FenceOptions, 'ownNames'>): void {
  checkHost(request, { ownNames });
  const origin = header(request, 'origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${header(request, 'host')?.toLowerCase()}`) {
    throw forbidden(
      `header Origin: a page of ${JSON.stringify(origin)} may not control the sandbox; call it from a server, a test or the command line`,
    );
  }
}

/** Throws unless the `Host` is one of the sandbox's own names or a loopback name. Guards against DNS rebinding. */
export function checkHost(
  request: Pick<ApiRequest, 'headers'>,
  { ownNames }: Pick<FenceOptions, 'ownNames'>,
): void {
  const host = header(request, 'host') ?? '';
  const name = hostName(host);
  if (!isLoopbackName(name) && !ownNames.includes(name)) {
    throw forbidden(
      `header Host: ${JSON.stringify(host)} is not a name of this sandbox; call it as localhost or by the address it listens on`,
    );
  }
}

function carries(request: ApiRequest, token: string): boolean {
  const [, sent = ''] = /^bearer +(.*)$/i.exec(header(request, 'authorization') ?? '') ?? [];
  const [actual, expected] = [Buffer.from(sent), Buffer.from(token)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The name in a `Host` header, without port and brackets, in lower case. */
function hostName(host: string): string {
  return host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

function forbidden(message: string): ApiError {
  return new ApiError(403, assumed('control-fence'), message);
}
