import { type HttpHandler, http } from 'msw';
import type { Sandbox } from './client/sandbox-handle.ts';

/** Which requests the handlers answer. */
export interface HandlerOptions {
  /**
   * Base URL that the app calls, version segment included: `https://api.partner.test/v1`. A path alone (`/v1`) counts
   * for every host. Default: the sandbox's own `baseUrl`.
   */
  readonly baseUrl?: string | undefined;
}

/**
 * Request handlers for MSW 2 and 3 that have a sandbox answer whatever is asked below `baseUrl`, as its server would;
 * and what is below its own address, where the pages are that its answers link to.
 */
export function handlers(
  sandbox: Pick<Sandbox, 'url' | 'baseUrl' | 'fetch'>,
  { baseUrl = sandbox.baseUrl }: HandlerOptions = {},
): HttpHandler[] {
  const below = baseUrl.replace(/\/+$/, '');
  const path = /^https?:/i.test(below) ? new URL(below).pathname.replace(/\/$/, '') : below;
  const version = new URL(sandbox.baseUrl).pathname;
  const answer = async (request: Request, from: string, to: string): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? null : await request.arrayBuffer();
    const target = sandbox.url + to + pathname.slice(from.length) + search;
    const { method, headers, signal } = request;
    try {
      return await sandbox.fetch(target, { method, headers, body, signal, redirect: 'manual' });
    } catch (error) {
      // What a lost connection gives is given by MSW too; anything else is a mistake that wants to be seen.
      if (error instanceof TypeError && error.message === 'fetch failed') return Response.error();
      throw error;
    }
  };
  const own = http.all(under(sandbox.url), ({ request }) => answer(request, '', ''));
  if (below === sandbox.baseUrl) return [own];
  return [http.all(under(below), ({ request }) => answer(request, path, version)), own];
}

/** What a URL matches that is the given one or below it; one without an origin is below any. */
function under(base: string): RegExp {
  const origin = /^https?:/i.test(base) ? '' : 'https?://[^/]+';
  return new RegExp(`^${origin}${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:[/?#]|$)`, 'i');
}
