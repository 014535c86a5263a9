import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { TOOLS } from './nodes.js';

const require = createRequire(join(TOOLS, 'index.js'));
const EXAMPLE = join(import.meta.dirname, '../../../examples/kubernetes/sandbox.yaml');
const manifests = parseAllDocuments(readFileSync(EXAMPLE, 'utf8')).map(document => document.toJS());

/** Checks a manifest by the schema of its kind. Throws what differs. */
function validate(manifest: { readonly apiVersion: string; readonly kind: string }): void {
  const Model = require(`kubernetes-models/${manifest.apiVersion}`)[manifest.kind];
  new Model(manifest).validate();
}

test.each(manifests.map(manifest => [manifest.kind, manifest]))(
  '%s fits the schema of Kubernetes',
  (_, manifest) => {
    expect(() => validate(manifest)).not.toThrow();
  },
);

test('what does not fit a schema is reported', () => {
  const [deployment] = manifests;
  expect(() => validate({ ...deployment, spec: { ...deployment.spec, replicas: 'one' } })).toThrow(
    /replicas/,
  );
});
