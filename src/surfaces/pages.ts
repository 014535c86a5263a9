import express, { type Express } from 'express';
import { API_PREFIX, CONTROL_PREFIX, VERSION } from '../sandbox.ts';

/** What is served beside the API: for now a signpost for people, and a 404 that says where things are. */
export function createPages(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/', (_request, response) => {
    response.json({
      name: 'card-sandbox',
      version: VERSION,
      api: API_PREFIX,
      control: CONTROL_PREFIX,
      keys: `${CONTROL_PREFIX}/info`,
      assumptions: `${CONTROL_PREFIX}/assumptions`,
    });
  });
  app.use((request, response) => {
    const error = `nothing is served at ${request.path}: the API is below ${API_PREFIX}, the control plane below ${CONTROL_PREFIX}${hintFor(request.path)}`;
    response.status(404).json({ success: false, error });
  });
  return app;
}

function hintFor(path: string): string {
  if (path.startsWith('/partner')) return `; did you mean ${API_PREFIX}${path}?`;
  if (path === '/dashboard') return '; this version has no dashboard yet';
  const session = /^\/kyc\/([^/]+)$/.exec(path)?.[1];
  if (session === undefined) return '';
  const decide = `${CONTROL_PREFIX}/kyc-sessions/${session}`;
  return `; this version has no hosted KYC page, decide the session with POST ${decide}/approve or ${decide}/reject`;
}
