import express, { type Express } from 'express';
import { API_PREFIX, CONTROL_PREFIX, type SandboxCore, VERSION } from '../../sandbox/sandbox.ts';
import { createDashboard } from './dashboard.ts';
import { notFoundMessage } from './not-found-message.ts';
import { addOpenApi } from './openapi-pages.ts';

/** What is served around the API and the sandbox's pages: a signpost for people, and a 404 that says where things are. */
export function createPages(sandbox: Pick<SandboxCore, 'refuseForeignHost' | 'options'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Under a name that is rebound to this machine, a page of another site could read it and drive the sandbox with it.
  app.use('/dashboard', (request, response, next) => {
    const refusal = sandbox.refuseForeignHost(request);
    if (refusal === null) next();
    else response.status(refusal.status).set(refusal.headers).end(refusal.body);
  });
  app.use('/dashboard', createDashboard());
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
  addOpenApi(app, sandbox.options.names);
  app.use((request, response) => {
    response.status(404).json({ success: false, error: notFoundMessage(request.path) });
  });
  return app;
}
