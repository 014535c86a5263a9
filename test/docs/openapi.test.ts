import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiDocument, writeDocument } from '../../src/server/openapi/document.ts';

const DOCS = join(import.meta.dirname, '../../docs');

test.each([
  ['partner', 'openapi.json'],
  ['control', 'openapi-control.json'],
] as const)(
  'the committed OpenAPI document of the %s plane is up to date (npm run docs)',
  async (plane, file) => {
    const text = writeDocument(openApiDocument(plane), 'json');
    await expect(text).toMatchFileSnapshot(join(DOCS, file));
  },
);
