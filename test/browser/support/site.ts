import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** The content of a site, by path. A string is HTML. */
export type SiteContent = Readonly<
  Record<string, string | { readonly type: string; readonly body: string | Uint8Array }>
>;

/** A web site that is cross-origin to the sandbox. */
export interface Site {
  /** `localhost` with the port of the site. The sandbox is `127.0.0.1`. */
  readonly origin: string;
  /** The paths that were requested. */
  readonly visited: string[];
  /** Adds content. */
  serve(content: SiteContent): void;
}

/** Starts a site on a free port. It stops when the test ends. */
export async function startSite(first: SiteContent = {}): Promise<Site> {
  let content = first;
  const visited: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    // The browser requests it, not the page.
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    visited.push(path);
    const found = content[path.split('?')[0] ?? ''];
    const { type, body } = typeof found === 'object' ? found : { type: 'text/html', body: found ?? '' };
    // Fonts are loaded with CORS.
    const headers = { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' };
    response.writeHead(found === undefined ? 404 : 200, headers);
    response.end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    origin: `http://localhost:${address.port}`,
    visited,
    serve(more) {
      content = { ...content, ...more };
    },
  };
}

/** Returns a page of a partner's app that shows a URL in a frame. */
export function framing(url: string, attributes = ''): string {
  const source = url.replaceAll('&', '&amp;');
  return `<!doctype html><html lang="en"><title>App</title><h1>App</h1>
<iframe title="Card" src="${source}" width="420" height="320" ${attributes}></iframe><textarea aria-label="Notes"></textarea>`;
}
