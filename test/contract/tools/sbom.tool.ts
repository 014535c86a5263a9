import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { ROOT } from '../../package/installed.ts';
import { TOOLS } from './nodes.js';

const SCHEMAS = join(TOOLS, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns what is wrong with a document by the schema of CycloneDX 1.6, licence ids of SPDX included; null for nothing. */
function problemsOf(document: unknown): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(read(join(SCHEMAS, file)), `http://cyclonedx.org/schema/${file}`);
  }
  const validate = ajv.compile(read(join(SCHEMAS, 'bom-1.6.SNAPSHOT.schema.json')));
  return validate(document) ? null : validate.errors;
}

test('sbom.cdx.json is a document of CycloneDX 1.6', () => {
  const bom = read(join(ROOT, 'sbom.cdx.json'));
  expect(bom.specVersion).toBe('1.6');
  expect(problemsOf(bom)).toBeNull();
});

test('the schema refuses a licence that SPDX does not have', () => {
  const bom = read(join(ROOT, 'sbom.cdx.json'));
  bom.components[0].licenses = [{ license: { id: 'Free' } }];
  expect(problemsOf(bom)).not.toBeNull();
});
