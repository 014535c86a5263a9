import express, { type Express } from 'express';
import { API_PREFIX, CONTROL_PREFIX, type SandboxCore, VERSION } from '../../sandbox/sandbox.ts';
import { createDashboard } from './dashboard.ts';
import { notFoundMessage } from './not-found-message.ts';
import { addOpenApi } from './openapi-pages.ts';

/** Serves what is neither API, control plane nor hosted page: dashboard, OpenAPI documents, an index, and a 404 with a hint. */
export function createPages(sandbox: Pick<SandboxCore, 'refuseForeignHost' | 'options'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Against DNS rebinding: a page of another site could otherwise read the dashboard and control the sandbox.
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
