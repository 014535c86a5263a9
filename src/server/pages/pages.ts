import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { ApiError } from '../../core/operation/errors.ts';
import { internalError } from '../../core/request/http.ts';
import { parseUrl } from '../../core/values/parse-url.ts';
import { shorten } from '../../core/values/text.ts';
import { MAIN_WORLD } from '../../core/world/world-state.ts';
import {
  API_PREFIX,
  CONTROL_PREFIX,
  PRIVATE_HEADERS,
  type SandboxCore,
  VERSION,
} from '../../sandbox/sandbox.ts';
import { openApiDocument, writeDocument } from '../openapi/document.ts';
import { createDashboard } from './dashboard.ts';
import { notFoundMessage } from './not-found-message.ts';

/** Serves what is neither API, control plane nor hosted page: dashboard, OpenAPI documents, an index, and a 404 with a hint. */
export function createPages(sandbox: Pick<SandboxCore, 'options' | 'onBug' | 'settingsOf'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/dashboard', createDashboard(sandbox.options.publicUrl ?? null));
  app.use((_request, response, next) => {
    response.set(PRIVATE_HEADERS);
    next();
  });
  app.get('/', (_request, response) => {
    response.json({
      name: 'card-sandbox',
      version: VERSION,
      api: API_PREFIX,
      control: CONTROL_PREFIX,
      dashboard: '/dashboard',
      keys: `${CONTROL_PREFIX}/info`,
      assumptions: `${CONTROL_PREFIX}/assumptions`,
      openapi: '/openapi.json',
    });
  });
  addOpenApi(app, sandbox);
  app.use((request, response) => {
    response.status(404).json({ success: false, error: notFoundMessage(request.path) });
  });
  app.use(handleError(sandbox.onBug));
  return app;
}

/** Responds with the simple error body, where Express would respond with a stack trace and print it. */
function handleError(onBug: SandboxCore['onBug']): ErrorRequestHandler {
  // Express passes errors to functions with four parameters.
  return (error, request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof URIError) {
      const message = `path: ${JSON.stringify(shorten(request.path))} is not valid percent-encoding`;
      response.status(400).json({ success: false, error: message });
      return;
    }
    if (error instanceof ApiError) {
      response.status(error.status).json(error.body);
      return;
    }
    onBug(error, 'the pages');
    response.status(500).json({ success: false, error: internalError().message });
  };
}

type DocumentSource = Pick<SandboxCore, 'options' | 'settingsOf'>;

const TYPES = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
} as const;

/**
 * Serves `/openapi.json` and `/openapi.yaml`: the document of the API, or with `?plane=control` that of the control
 * plane. That of the API has the names of the options, and the settings of `main` or of the world in `?world=`. Pages of
 * any origin may read the documents, which reveal nothing else about a world.
 */
function addOpenApi(app: Express, source: DocumentSource): void {
  app.get('/openapi.json', (request, response) => sendDocument(request, response, 'json', source));
  app.get('/openapi.yaml', (request, response) => sendDocument(request, response, 'yaml', source));
}

function sendDocument(
  request: Request,
  response: Response,
  format: 'json' | 'yaml',
  { options: { names, publicUrl }, settingsOf }: DocumentSource,
): void {
  const { plane = 'partner', world = MAIN_WORLD } = request.query;
  response.set('Access-Control-Allow-Origin', '*');
  if (plane !== 'partner' && plane !== 'control') {
    response.status(400).json({ success: false, error: 'query.plane: must be one of "partner", "control"' });
    return;
  }
  if (typeof world !== 'string') {
    response.status(400).json({ success: false, error: 'query.world: must be the id of one world' });
    return;
  }
  const assume = settingsOf(world);
  const document = openApiDocument(plane, originOf(request, publicUrl), names, assume);
  response.set('Content-Type', TYPES[format]).send(writeDocument(document, format));
}

/** The origin at which the caller reaches the sandbox, so that a generated client reaches it as well. */
function originOf(
  { protocol, headers: { host } }: Request,
  publicUrl: string | undefined,
): string | undefined {
  const name = host?.toLowerCase();
  if (name !== undefined && publicUrl?.endsWith(`://${name}`)) return publicUrl;
  const origin = `${protocol}://${name}`;
  return name !== undefined && parseUrl(origin)?.origin === origin ? origin : undefined;
}
