import { assumed, badRequest } from '../operation/errors.ts';
import { type ApiRequest, header } from '../request/http.ts';
import { shorten } from '../values/shorten.ts';
import type { FenceOptions } from './fence.ts';
import { hostName, isLoopbackName } from './host-names.ts';
import { isOwnOrigin } from './own-origin.ts';

/**
 * Throws a 400 for a request of a web page that is neither local nor the sandbox's own. Keys are not for client-side
 * code (interface section 5.2), and those of built-in fixtures are public: a page must not be able to redirect webhooks.
 */
export function checkLocalOrigin(
  request: ApiRequest,
  fence: Pick<FenceOptions, 'ownNames' | 'isSecure'>,
): void {
  const origin = header(request, 'origin');
  if (origin === undefined || isLocal(origin) || isOwn(origin, request, fence)) return;
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
function isOwn(
  origin: string,
  request: ApiRequest,
  { ownNames, isSecure }: Pick<FenceOptions, 'ownNames' | 'isSecure'>,
): boolean {
  const host = header(request, 'host') ?? '';
  return isOwnOrigin(origin, host, isSecure) && ownNames.includes(hostName(host));
}
