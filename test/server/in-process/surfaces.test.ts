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

test('links lead to the sandbox of the response where two of them have a public URL behind one MSW', async () => {
  const names = ['a', 'b'];
  const sandboxes = names.map(name => createSandbox({ publicUrl: `https://links.${name}.test` }));
  const mocked = sandboxes.flatMap((each, index) =>
    handlers(each, { baseUrl: `https://${names[index]}.test/v1` }),
  );
  const server = setupServer(...mocked);
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  for (const [index, { apiKey, url }] of sandboxes.entries()) {
    const card = `https://${names[index]}.test/v1/partner/cards/card_mia_active`;
    const init = { method: 'POST', headers: { 'x-service-api-key': apiKey } };
    const body = await (await fetch(`${card}/reveal-html`, init)).json();
    const { accessUrl } = body as { accessUrl: string };
    expect(accessUrl).toMatch(`${url}/reveal/`);
    const opened = await Promise.all([fetch(accessUrl), fetch(accessUrl)]);
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 410]);
  }
});

test.each([
  ['https://api.partner.test:443/v1', 'https://api.partner.test/v1'],
  ['HTTPS://API.Partner.test/v1/', 'https://api.partner.test/v1'],
  ['https://bücher.test/v1', 'https://bücher.test/v1'],
  ['https://api.partner.test/card issuing/v1', 'https://api.partner.test/card%20issuing/v1'],
  ['https://api.partner.test/', 'https://api.partner.test'],
  ['/v1', 'https://any.partner.test/v1'],
])('the base URL %s is the one of requests below %s', async (baseUrl, called) => {
  const sandbox = embedded();
  const server = setupServer(...handlers(sandbox, { baseUrl }));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const headers = { 'x-service-api-key': sandbox.apiKey };
  expect((await fetch(`${called}/partner/balance`, { headers })).status).toBe(200);
});

test('paths below a base URL are told apart by their case, as over HTTP', async () => {
  const sandbox = embedded();
  const server = setupServer(...handlers(sandbox, { baseUrl: 'https://api.partner.test/v1' }));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  await expect(fetch('https://api.partner.test/V1/partner/balance')).rejects.toThrow();
});

test.each([
  '',
  '/',
  'api.partner.test/v1',
  'ftp://api.partner.test/v1',
  'https://api.partner.test/v1?x=1',
  null,
])('the base URL %j, which no request has or every one, is refused', baseUrl => {
  // JavaScript may pass anything.
  const options = { baseUrl } as { baseUrl: string };
  expect(() => handlers(embedded(), options)).toThrow(
    'baseUrl: must be an http(s) URL without a query, or a path below /, for example https://api.partner.test/v1 or /v1',
  );
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
