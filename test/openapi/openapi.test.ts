import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openApiDocument } from '../../src/openapi/document.ts';
import { startSandbox } from '../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, of which the tests read only some members
const read = async (url: string): Promise<any> => (await fetch(url)).json();

test('the document is served as JSON and YAML, with the address of this sandbox', async () => {
  const { origin } = await startSandbox();
  const json = await fetch(`${origin}/openapi.json`);
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const document = await read(`${origin}/openapi.json`);
  expect(document).toEqual(JSON.parse(JSON.stringify(await openApiDocument('partner', origin))));
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
