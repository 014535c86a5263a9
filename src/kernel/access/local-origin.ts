import { assumed, badRequest } from '../operation/errors.ts';
import { type ApiRequest, header } from '../request/http.ts';
import { shorten } from '../values/shorten.ts';
import { hostName, isLoopbackName } from './host-names.ts';

/**
 * Throws a 400 for a request of a web page that is neither local nor the sandbox's own. Keys are not for client-side
 * code (interface section 5.2), and those of built-in fixtures are public: a page must not be able to redirect webhooks.
 */
export function checkLocalOrigin(request: ApiRequest, ownNames: readonly string[]): void {
  const origin = header(request, 'origin');
  if (origin === undefined || isLocal(origin) || isOwn(origin, request, ownNames)) return;
  const page = JSON.stringify(shorten(origin));
  throw badRequest(
    assumed('webhook-config-origin'),
    `header Origin: a page of ${page} may not change the webhook configuration; send the request from a server, or from a page of a local origin (loopback, localhost, *.localhost, *.test)`,
  );
}

function isLocal(origin: string): boolean {
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return false;
  const name = hostName(new URL(origin).hostname);
  return isLoopbackName(name) || name.endsWith('.test');
}

/** The name must be known: beyond loopback, any name that resolves to the sandbox is answered. */
function isOwn(origin: string, request: ApiRequest, ownNames: readonly string[]): boolean {
  const host = header(request, 'host')?.toLowerCase() ?? '';
  return origin.toLowerCase() === `http://${host}` && ownNames.includes(hostName(host));
}
