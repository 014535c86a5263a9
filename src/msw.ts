import { URL } from 'node:url';
import * as msw from 'msw';
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Sandbox } from './client/handle.ts';
import { parseUrl } from './core/values/parse-url.ts';

/** The requests that the handlers handle. */
export interface HandlerOptions {
  /**
   * The base URL that the app calls, version segment included, such as `https://api.partner.test/v1`. A path alone (`/v1`)
   * matches every host. Default: the sandbox's own `baseUrl`. Throws a TypeError for one that no request can have.
   */
  readonly baseUrl?: string | undefined;
}

/** The oldest Node.js that MSW 3 runs on; on others each request fails with `fetch failed`. */
const [MSW_3_MAJOR, MSW_3_MINOR] = [22, 12];

/** Throws when the installed MSW does not run on this Node.js. */
function checkNode(): void {
  // MSW 3 moved it to msw/graphql.
  if ('graphql' in msw) return;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > MSW_3_MAJOR || (major === MSW_3_MAJOR && minor >= MSW_3_MINOR)) return;
  throw new Error(
    `MSW 3 needs Node.js ${MSW_3_MAJOR}.${MSW_3_MINOR} or later, and this is ${process.versions.node}; update Node.js, or install msw@2`,
  );
}

/**
 * Request handlers for MSW 2 and 3. They pass requests below `baseUrl` to a sandbox, which responds as its server would,
 * and also those below its own address, to which links in its responses lead. Two sandboxes behind one MSW need addresses
 * of their own: create each with its `publicUrl`. Throws when the installed MSW does not run on this Node.js.
 *
 * @example
 * const server = setupServer(...handlers(sandbox, { baseUrl: 'https://api.partner.test/v1' }));
 */
export function handlers(
  sandbox: Pick<Sandbox, 'url' | 'baseUrl' | 'fetch'>,
  { baseUrl = sandbox.baseUrl }: HandlerOptions = {},
): HttpHandler[] {
  checkNode();
  const appUrl = readBaseUrl(baseUrl);
  const appPath = appUrl.startsWith('/') ? appUrl : new URL(appUrl).pathname.replace(/\/$/, '');
  const ownPath = new URL(sandbox.baseUrl).pathname;
  const respond = async (request: Request, from: string, to: string): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? null : await request.arrayBuffer();
    const target = sandbox.url + to + pathname.slice(from.length) + search;
    const { method, headers, signal } = request;
    try {
      return await sandbox.fetch(target, { method, headers, body, signal, redirect: 'manual' });
    } catch (error) {
      // MSW turns this into the error of a lost connection. Any other error is a bug and must surface.
      if (error instanceof TypeError && error.message === 'fetch failed') return HttpResponse.error();
      throw error;
    }
  };
  const own = http.all(below(sandbox.url), ({ request }) => respond(request, '', ''));
  if (appUrl === sandbox.baseUrl) return [own];
  return [http.all(below(appUrl), ({ request }) => respond(request, appPath, ownPath)), own];
}

/** Returns a base URL as it stands in the URL of a request, without a slash at its end. Throws a TypeError. */
function readBaseUrl(baseUrl: unknown): string {
  const text = String(baseUrl);
  const isPath = /^\/[^/]/.test(text);
  const url = parseUrl(text, isPath ? 'http://any-host' : undefined);
  const hasMore = url === null || url.search + url.hash + url.username + url.password !== '';
  if (hasMore || !/^https?:$/.test(url.protocol)) {
    const rule =
      'must be an http(s) URL without a query, or a path below /, for example https://api.partner.test/v1 or /v1';
    throw new TypeError(`baseUrl: ${rule}`);
  }
  return (isPath ? url.pathname : url.href).replace(/\/+$/, '');
}

/** Matches a URL that equals the base or is below it. A base without an origin matches every origin. */
function below(base: string): RegExp {
  const origin = base.startsWith('/') ? 'https?://[^/]+' : '';
  return new RegExp(`^${origin}${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:[/?#]|$)`);
}
