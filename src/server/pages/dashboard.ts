import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { packagePath } from '../../sandbox/fixtures/file/source.ts';
import { isOwnOrigin } from '../../sandbox/sandbox.ts';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/**
 * Serves the built page at `/dashboard` and `/dashboard/{world}`, with its presenter at `present/{story}` below them, and
 * its assets. The names of assets contain a hash of their content. `publicUrl` is the origin under which clients reach
 * the sandbox, where that is another one.
 */
export function createDashboard(publicUrl: string | null): Router {
  const router = express.Router();
  const folder = builtFolder();
  router.use((request, response, next) => {
    response.set(HEADERS);
    const { origin, host } = request.headers;
    if (origin === undefined || isOwnOrigin(origin, host, publicUrl)) return next();
    const error = `header Origin: a page of ${JSON.stringify(origin)} must not load the dashboard`;
    response.status(403).json({ success: false, error });
  });
  if (folder !== null) {
    router.get('/assets/:file', sendCompressed(join(folder, 'assets')));
    router.use('/assets', express.static(join(folder, 'assets'), ASSET_OPTIONS));
  }
  // The page reads the world from its address, and says so when there is none.
  router.get('/', (_request, response) => sendPage(response, folder));
  router.get('/:world', ({ params }, response, next) => {
    if (WORLD_ID.test(params.world)) sendPage(response, folder);
    else next();
  });
  router.get('/present/:story', (_request, response) => sendPage(response, folder));
  router.get('/:world/present{/:story}', ({ params }, response, next) => {
    if (WORLD_ID.test(params.world)) sendPage(response, folder);
    else next();
  });
  return router;
}

/** Ids of worlds; other paths are assets that do not exist. */
const WORLD_ID = /^(?!assets$)[a-z\d][\w-]*$/i;

const ASSET_OPTIONS = {
  etag: false,
  lastModified: false,
  immutable: true,
  maxAge: '365d',
  redirect: false,
  index: false,
};

/** The assets that are texts. Fonts are compressed already. */
const TEXT_ASSET = /^[\w-]+\.(js|css|svg)$/;

/** Sends texts compressed to clients that accept it: a third of the bytes. Each is compressed once. */
function sendCompressed(assets: string): RequestHandler<{ file: string }> {
  const bodies = new Map<string, Buffer>();
  return (request, response, next) => {
    const { file } = request.params;
    const [, type] = TEXT_ASSET.exec(file) ?? [];
    const path = join(assets, file);
    if (type === undefined || !existsSync(path)) return next();
    response.vary('Accept-Encoding');
    if (!request.acceptsEncodings('gzip')) return next();
    const body = bodies.get(file) ?? gzipSync(readFileSync(path));
    bodies.set(file, body);
    response.set({ 'Content-Encoding': 'gzip', 'Cache-Control': 'public, max-age=31536000, immutable' });
    response.type(type).send(body);
  };
}

function sendPage(response: Response, folder: string | null): void {
  response.set('Cache-Control', 'no-store');
  if (folder === null) {
    const error = 'the dashboard of this installation is not built; run npm run build';
    response.status(404).json({ success: false, error });
    return;
  }
  response.type('html').send(readFileSync(join(folder, 'index.html')));
}

/** The folder of the built page, or null when it was not built. */
function builtFolder(): string | null {
  try {
    return dirname(packagePath('dist/dashboard/index.html'));
  } catch {
    return null;
  }
}
