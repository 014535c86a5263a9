import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMiddleware } from '@mswjs/http-middleware';
import express from 'express';
import { setupServer } from 'msw/node';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox, startServer } from '../../../src/index.ts';
import { handlers } from '../../../src/msw.ts';
import { START } from '../../support/sandbox.ts';
import { playStory, type StoryResponse } from './story.ts';

const OPTIONS = { fixtures: ['empty'], clock: START, freeze: true, seed: 7 } as const;

/** The responses over a real connection, which the others must equal. */
let overHttp: StoryResponse[];

beforeAll(async () => {
  await using sandbox = await startServer(OPTIONS);
  const { baseUrl, apiKey } = sandbox;
  overHttp = await playStory({ baseUrl, apiKey, fetch, advance: sandbox.clock.advance });
});

/** A sandbox in process, closed after the test. */
function embedded() {
  const sandbox = createSandbox(OPTIONS);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('the story has successes, refusals and pages', () => {
  const statuses = overHttp.map(({ status }) => status);
  expect(statuses).toEqual([
    201, 400, 200, 200, 409, 201, 200, 200, 200, 200, 410, 400, 404, 400, 400, 400, 401, 204, 503, 404,
  ]);
});

test('responses in process are the same as over HTTP', async () => {
  const { baseUrl, apiKey, fetch, clock } = embedded();
  expect(await playStory({ baseUrl, apiKey, fetch, advance: clock.advance })).toEqual(overHttp);
});

test('responses behind MSW are the same as over HTTP', async () => {
  const sandbox = embedded();
  const baseUrl = 'https://api.partner.test/v1';
  const server = setupServer(...handlers(sandbox, { baseUrl }));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const { apiKey, clock } = sandbox;
  expect(await playStory({ baseUrl, apiKey, fetch, advance: clock.advance })).toEqual(overHttp);
});

test('responses in an Express app are the same as over HTTP', async () => {
  const sandbox = embedded();
  const app = express();
  // The middleware is CommonJS, and expects the types of that build of MSW.
  const mounted = handlers(sandbox, { baseUrl: '/v1' }) as unknown as Parameters<typeof createMiddleware>;
  app.use(createMiddleware(...mounted));
  const origin = await listen(createServer(app));
  const { apiKey, clock } = sandbox;
  // Links lead to the sandbox's own address, which the app does not serve.
  const send = (url: string, init?: RequestInit) =>
    url.startsWith(sandbox.url) ? sandbox.fetch(url, init) : fetch(url, init);
  const responses = await playStory({ baseUrl: `${origin}/v1`, apiKey, fetch: send, advance: clock.advance });
  expect(responses).toEqual(overHttp);
});

test('behind MSW an app that has the key of a world reaches that world, wherever it runs', async () => {
  const served = await startServer({ fixtures: ['empty'] });
  onTestFinished(() => served.close());
  for (const sandbox of [embedded(), served, await connect({ url: served.url })]) {
    const world = await sandbox.worlds.create({ fixtures: ['starter'], kycDelay: '1h' });
    const server = setupServer(...handlers(world, { baseUrl: 'https://api.partner.test/v1' }));
    server.listen({ onUnhandledRequest: 'error' });
    const headers = { 'x-service-api-key': world.apiKey };
    const { status } = await fetch('https://api.partner.test/v1/partner/cards', { headers });
    const info = await (await fetch(`${world.url}/_sandbox/info`)).json();
    server.close();
    expect(status).toBe(200);
    expect(info).toMatchObject({ options: { kycDelay: '1h' } });
    expect(await world.requests.list()).toHaveLength(1);
    await world.close();
  }
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
