import { timingSafeEqual } from 'node:crypto';
import { ApiError, assumed } from '../operation/errors.ts';
import { type ApiRequest, header } from '../request/http.ts';
import { isLoopback } from './ip-ranges.ts';

/** What the fence around the control plane knows of the sandbox's own address. */
export interface FenceOptions {
  /** Host names and addresses, besides the loopback ones, under which this sandbox is reached. */
  readonly ownNames: readonly string[];
  /** The token that every call needs; null when the sandbox listens on loopback only. */
  readonly token: string | null;
}

/** Throws unless a request may drive the sandbox: it is none of another site, and carries the control token where one is needed. */
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

/** Throws for a request that a page of another site has a browser make: its `Origin`, if any, must be our own. */
export function checkSite(request: ApiRequest, { ownNames }: Pick<FenceOptions, 'ownNames'>): void {
  checkHost(request, { ownNames });
  const origin = header(request, 'origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${header(request, 'host')?.toLowerCase()}`) {
    throw forbidden(
      `header Origin: a page of ${JSON.stringify(origin)} may not drive the sandbox; call it from a server, a test or the command line`,
    );
  }
}

/** Throws unless a request's `Host` is ours or a loopback name. A rebound DNS name is neither. */
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
  const [, given = ''] = /^bearer +(.*)$/i.exec(header(request, 'authorization') ?? '') ?? [];
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The name part of a Host header, without port and brackets, in lower case. */
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
