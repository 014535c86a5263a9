import { runInNewContext } from 'node:vm';
import { Request as OtherRequest } from 'undici';
import { expect, test } from 'vitest';
import { connect, createSandbox, startServer } from '../../../src/index.ts';

test('fetch takes the Request of another implementation, with its method, headers and body', async () => {
  await using sandbox = createSandbox();
  await using server = await startServer();
  const world = await (await connect({ url: server.url })).worlds.create();
  for (const each of [sandbox, server, world]) {
    const request = new OtherRequest(`${each.url}/v1/partner/kyc-sessions`, {
      method: 'POST',
      headers: { 'x-service-api-key': each.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ externalUserId: 'mia' }),
    });
    // Its type differs from the global one, as it does for a caller who imports both.
    const response = await each.fetch(request as unknown as Request);
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ externalUserId: 'mia' }),
    ]);
  }
});

test('fetch takes a Request whose signal is null, as some libraries have it', async () => {
  await using sandbox = createSandbox();
  const headers = new Headers({ 'x-service-api-key': sandbox.apiKey });
  const request = {
    url: `${sandbox.baseUrl}/partner/balance`,
    method: 'GET',
    headers,
    body: null,
    signal: null,
  };
  const { status } = await sandbox.fetch(request as unknown as Request);
  expect(status).toBe(200);
});

test('fixtures and options are taken from another realm', async () => {
  const options = runInNewContext(`({
    fixtures: ['empty', { cardholders: [{ id: 'ch_x', kycStatus: 'approved' }] }],
    assume: { 'list-order': 'oldest' },
    names: { idp1: 'checkly' },
  })`);
  await using sandbox = createSandbox(options);
  const { total } = await sandbox.api.cardholders.list();
  expect(total).toBe(1);
});

test('the type of a file is the type of the request, as over HTTP', async () => {
  await using sandbox = createSandbox();
  const body = new Blob(['{"webhookSecret":"0123456789abcdef"}'], { type: 'application/json' });
  const headers = { 'x-service-api-key': sandbox.apiKey };
  const { status } = await sandbox.fetch('/v1/partner/webhooks/config', { method: 'PATCH', headers, body });
  expect(status).toBe(200);
});

test('a member of the second argument that is undefined leaves that of the request', async () => {
  await using sandbox = createSandbox();
  const request = new Request(`${sandbox.baseUrl}/partner/cards`, { method: 'POST', body: '{}' });
  const { status } = await sandbox.fetch(request, { method: undefined } as object);
  expect(status).toBe(401);
});
