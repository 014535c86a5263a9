import express, { type Express } from 'express';
import {
  API_PREFIX,
  CONTROL_PREFIX,
  PRIVATE_HEADERS,
  type SandboxCore,
  VERSION,
} from '../../sandbox/sandbox.ts';
import { createDashboard } from './dashboard.ts';
import { notFoundMessage } from './not-found-message.ts';
import { addOpenApi } from './openapi-pages.ts';

/** Serves what is neither API, control plane nor hosted page: dashboard, OpenAPI documents, an index, and a 404 with a hint. */
export function createPages(sandbox: Pick<SandboxCore, 'options'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/dashboard', createDashboard());
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
  addOpenApi(app, sandbox.options);
  app.use((request, response) => {
    response.status(404).json({ success: false, error: notFoundMessage(request.path) });
  });
  return app;
}
