import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import { type ApiRequest, header } from '../request/http.ts';
import { parseUrl } from '../values/parse-url.ts';
import { shorten } from '../values/text.ts';
import { isLoopback } from './ip-ranges.ts';
import type { Partner } from './partners.ts';

export interface AccessGuard {
  /** The origin under which clients reach it, in lower case, where that is not the one it listens on; otherwise null. */
  readonly publicUrl: string | null;
  /** Host names and addresses of this sandbox besides the loopback ones, in lower case. */
  readonly ownNames: readonly string[];
  /** The control token; null when the control plane needs none. */
  readonly token: string | null;
  /** The header of a webhook's signature, by each of its names, in lower case. */
  readonly signatureHeaders: readonly string[];
}

const OWN_USER_AGENT = /^card-sandbox(?:-doctor)?(?:\/|$)/i;

/** Throws unless a request may come from where it does: it is neither cross-site nor a webhook. */
export function checkSender(request: ApiRequest, guard: AccessGuard): void {
  checkOrigin(request, guard);
  checkFetchSite(request);
  checkNoWebhook(request, guard.signatureHeaders);
}

/** Throws a 401 unless a request has the control token, where one is needed. */
export function checkToken(request: ApiRequest, { token }: Pick<AccessGuard, 'token'>): void {
  if (token === null) return;
  const [, sent = ''] = /^bearer +(.*)$/i.exec(header(request, 'authorization') ?? '') ?? [];
  if (equals(sent, token)) return;
  throw new ApiError(
    401,
    assumed('control-fence'),
    'header Authorization: this control plane needs "Bearer <token>", the control token that is printed at start',
  );
}

/** Throws for a request of another site's page: the `Origin`, if any, must be the sandbox's own. */
export function checkOrigin(request: ApiRequest, { publicUrl }: Pick<AccessGuard, 'publicUrl'>): void {
  const origin = header(request, 'origin');
  if (origin !== undefined && !isOwnOrigin(origin, header(request, 'host'), publicUrl)) {
    throw forbidden(
      `header Origin: a page of ${JSON.stringify(shorten(origin))} may not control the sandbox; call it from a server, a test or the command line`,
    );
  }
}

/** Browsers send this header without an `Origin` for images, scripts and links of another site. */
function checkFetchSite(request: ApiRequest): void {
  if (header(request, 'sec-fetch-site') !== 'cross-site') return;
  throw forbidden(
    'header Sec-Fetch-Site: a page of another site may not load the control plane; enter the address yourself, or call it from a server, a test or the command line',
  );
}

/** A webhook URL that leads to a control plane, by way of a proxy for example, must not let webhooks drive it. */
function checkNoWebhook(request: ApiRequest, signatureHeaders: readonly string[]): void {
  const signature = signatureHeaders.find(name => request.headers[name] !== undefined);
  const isOwnAgent = OWN_USER_AGENT.test(header(request, 'user-agent') ?? '');
  if (signature === undefined && !isOwnAgent) return;
  throw forbidden(
    `header ${signature ?? 'User-Agent'}: a webhook may not control a sandbox; configure the URL of your receiver instead`,
  );
}

function equals(sent: string, token: string): boolean {
  const [actual, expected] = [Buffer.from(sent), Buffer.from(token)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function forbidden(message: string): ApiError {
  return new ApiError(403, assumed('control-fence'), message);
}

/**
 * Whether an `Origin` is the sandbox's own, for a request with this `Host`. A page of the public host is its own only
 * with the scheme of the public URL.
 */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  publicUrl: AccessGuard['publicUrl'],
): boolean {
  const sent = origin.toLowerCase();
  const name = host?.toLowerCase();
  if (publicUrl !== null && (sent === publicUrl || publicUrl.endsWith(`://${name}`)))
    return sent === publicUrl;
  return sent === `http://${name}`;
}

const BELOW_LOCALHOST = /^[\w.-]+\.localhost$/;

/** Returns the name in a `Host` header or in a URL, without port and brackets, in lower case. */
export function hostName(host: string): string {
  return host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

/** Whether a name always means this machine: a loopback address, `localhost`, or a name below `localhost`. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || BELOW_LOCALHOST.test(name) || isLoopback(name);
}

/**
 * Throws a 400 for a request of a web page that is neither local, nor the sandbox's own, nor of an allowed origin of the
 * partner. Keys are not for client-side code (interface section 5.2), and the keys of built-in fixtures are public: a page
 * must not be able to redirect webhooks.
 */
export function checkPageOrigin(
  request: ApiRequest,
  { settings: { allowedOrigins } }: Partner,
  guard: Pick<AccessGuard, 'ownNames' | 'publicUrl'>,
): void {
  const origin = header(request, 'origin');
  if (origin === undefined || allowedOrigins.includes(origin)) return;
  if (isLocal(origin) || isOwn(origin, request, guard)) return;
  const page = JSON.stringify(shorten(origin));
  throw badRequest(
    assumed('webhook-config-origin'),
    `header Origin: a page of ${page} may not change the webhook configuration; send the request from a server or a page of a local origin (loopback, localhost, *.localhost, *.test), or add the origin to allowedOrigins with PATCH /_sandbox/partners/{id}/settings`,
  );
}

function isLocal(origin: string): boolean {
  const url = parseUrl(origin);
  if (url === null || !/^https?:\/\//i.test(origin)) return false;
  const name = hostName(url.hostname);
  return isLoopbackName(name) || name.endsWith('.test');
}

/** The name must be known: beyond loopback, any name that resolves to the sandbox is answered. */
function isOwn(
  origin: string,
  request: ApiRequest,
  { ownNames, publicUrl }: Pick<AccessGuard, 'ownNames' | 'publicUrl'>,
): boolean {
  if (origin.toLowerCase() === publicUrl) return true;
  const host = header(request, 'host') ?? '';
  return isOwnOrigin(origin, host, publicUrl) && ownNames.includes(hostName(host));
}
