import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedDocuments } from '../../src/build/documents/documents.ts';
import { format } from '../../src/build/format.js';
import { generatedFiles } from '../../src/build/generation/generated-files.ts';

test('the generated sources are up to date (npm run generate)', async () => {
  const files = Object.entries(await generatedFiles());
  const stale = files.filter(([path, source]) => readFileSync(path, 'utf8') !== format(path, source));
  expect(stale.map(([path]) => path)).toEqual([]);
});

test('the generated documents are up to date (npm run docs)', async () => {
  const documents = Object.entries(await generatedDocuments());
  const stale = documents.filter(([path, text]) => readFileSync(path, 'utf8') !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
});
