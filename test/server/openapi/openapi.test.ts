import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openApiDocument } from '../../../src/server/openapi/document.ts';
import { startSandbox } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, of which the tests read only some members
const read = async (url: string): Promise<any> => (await fetch(url)).json();

test('the document is served as JSON and YAML, with the address of this sandbox', async () => {
  const { origin } = await startSandbox();
  const json = await fetch(`${origin}/openapi.json`);
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const document = await read(`${origin}/openapi.json`);
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument('partner', origin))));
  expect(document.servers).toEqual([{ url: `${origin}/v1`, description: expect.any(String) }]);
  const yaml = await fetch(`${origin}/openapi.yaml`);
  expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
  expect(parse(await yaml.text())).toEqual(document);
});

test('the control plane has its own document', async () => {
  const { origin } = await startSandbox();
  const document = await read(`${origin}/openapi.json?plane=control`);
  expect(document.servers[0].url).toBe(`${origin}/_sandbox`);
  expect(document.paths['/clock/advance'].post.operationId).toBe('clock.advance');
  expect(document.paths['/partner/cards']).toBeUndefined();
  for (const path of ['/history/export', '/stream']) {
    const { headers, body } = await fetch(`${origin}/_sandbox${path}`);
    await body?.cancel();
    const [type] = Object.keys(document.paths[path].get.responses[200].content);
    expect(headers.get('content-type')).toMatch(new RegExp(`^${type}(;|$)`));
  }
  const unknown = await fetch(`${origin}/openapi.json?plane=none`);
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toEqual({
    success: false,
    error: 'query.plane: must be one of "partner", "control"',
  });
});

test('pages of any origin may read the document, and the journal does not record it', async () => {
  const { origin, control } = await startSandbox();
  const { headers } = await fetch(`${origin}/openapi.json`, {
    headers: { origin: 'https://editor.example' },
  });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect((await control('GET', '/requests')).body).toEqual([]);
});

test('the document states the format of what requests take', async () => {
  const { components, paths } = await read(`${(await startSandbox()).origin}/openapi.json`);
  const { schemas } = components;
  const [url] = schemas.WebhookConfigChange.properties.webhookUrl.anyOf;
  expect(url).toMatchObject({ format: 'uri', pattern: '^https://' });
  expect(schemas.CreateKycSession.properties.redirectUrl).toMatchObject({
    format: 'uri',
    pattern: '^https?://',
  });
  expect(schemas.IssueCard.properties.limit).toMatchObject({ minimum: 0, multipleOf: 0.01 });
  expect(schemas.CreateCardholderFromIdp1.properties.residenceCountryCode).toMatchObject({
    pattern: '^[A-Z]{2}$',
  });
  expect(schemas.Merchant.properties.country).toMatchObject({ pattern: '^[A-Z]{2}$' });
  const usage = paths['/partner/usage/records'].get.parameters;
  for (const name of ['from', 'to']) {
    expect(usage.find((each: { name: string }) => each.name === name).schema).toMatchObject({
      type: 'string',
      format: 'date-time',
    });
  }
});

test('requests are validated by their rules, and not by what the document states about floating-point numbers', async () => {
  const { api } = await startSandbox({ fixtures: ['starter'] });
  for (const limit of [19.99, 24.9, 0.57, 1.15, 0]) {
    const card = { cardholderId: 'ch_mia_approved', cardProgramId: 'prog_everyday', limit };
    const { status, body } = await api('POST', '/partner/cards', card);
    expect([status, body.limit]).toEqual([201, limit]);
  }
  expect((await api('GET', '/partner/usage/records?from=2026-01-01')).status).toBe(200);
});

test('the document says of input that is wider than its formats what becomes of it', async () => {
  const { origin, api } = await startSandbox();
  const webhookUrl = 'https://app.example/é/{x}';
  const stored = await api('PATCH', '/partner/webhooks/config', {
    webhookUrl,
    webhookSecret: 'whsec_0123456789abcdef',
  });
  expect(stored.body.webhookUrl).toBe(webhookUrl);
  const { components, paths } = await read(`${origin}/openapi.json`);
  expect(JSON.stringify(components.schemas.WebhookConfig.properties.webhookUrl)).not.toContain('"format"');
  const { parameters } = paths['/partner/usage/records'].get;
  const describe = (name: string) =>
    parameters.find((each: { name: string }) => each.name === name).description;
  expect(describe('from')).toContain('A date alone is its 00:00 UTC');
  expect((await api('GET', '/partner/usage/records?page=1000000000000001')).body.page).toBe(1e15);
  expect(describe('page')).toContain('One above the maximum counts as the maximum.');
});

test('the document marks the assumed value of kycSource', async () => {
  const { components, ...document } = await read(`${(await startSandbox()).origin}/openapi.json`);
  const { kycSource } = components.schemas.Cardholder.properties;
  expect(kycSource).toMatchObject({ 'x-assumed-values': { idp2: 'idp2-variant' } });
  expect(kycSource.enum).toContain('idp2');
  expect(document['x-assumptions'].map(({ id }: { id: string }) => id)).toContain('idp2-variant');
});
