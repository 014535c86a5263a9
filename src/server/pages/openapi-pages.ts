import type { Express, Request, Response } from 'express';
import type { ResolvedOptions } from '../../sandbox/options.ts';
import { openApiDocument, writeDocument } from '../openapi/document.ts';

type DocumentNames = Pick<ResolvedOptions, 'names' | 'assume'>;

const TYPES = {
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
} as const;

/**
 * Serves `/openapi.json` and `/openapi.yaml`: the document of the API, or with `?plane=control` that of the control
 * plane. That of the API has the names and the settings of the options. Pages of any origin may read the documents, which reveal nothing about
 * the world.
 */
export function addOpenApi(app: Express, options: DocumentNames): void {
  app.get('/openapi.json', (request, response) => sendDocument(request, response, 'json', options));
  app.get('/openapi.yaml', (request, response) => sendDocument(request, response, 'yaml', options));
}

async function sendDocument(
  request: Request,
  response: Response,
  format: 'json' | 'yaml',
  { names, assume }: DocumentNames,
): Promise<void> {
  const { plane = 'partner' } = request.query;
  response.set('Access-Control-Allow-Origin', '*');
  if (plane !== 'partner' && plane !== 'control') {
    response.status(400).json({ success: false, error: 'query.plane: must be one of "partner", "control"' });
    return;
  }
  const document = await openApiDocument(plane, originOf(request), names, assume);
  response.set('Content-Type', TYPES[format]).send(writeDocument(document, format));
}

/** The origin at which the caller reaches the sandbox, so that a generated client reaches it as well. */
function originOf({ protocol, headers: { host } }: Request): string | undefined {
  const origin = `${protocol}://${host}`;
  return host !== undefined && URL.canParse(origin) && new URL(origin).origin === origin ? origin : undefined;
}
