import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/server/openapi/document.ts';
import { startSandbox } from '../../support/sandbox.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

interface OperationObject {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
      };
    };
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Every call that the document shows: the path with its examples, and each example of a body. */
async function documentedCalls(): Promise<Call[]> {
  const { paths } = (await openApiDocument('partner')) as {
    paths: Record<string, Record<string, OperationObject>>;
  };
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([name, { parameters = [], requestBody }]) => {
      const inPath = parameters.filter(parameter => parameter.in === 'path');
      if (inPath.some(({ example }) => example === undefined)) return [];
      const path = inPath.reduce(
        (text, each) => text.replace(`{${each.name}}`, each.example ?? ''),
        template,
      );
      const method = name.toUpperCase();
      if (requestBody === undefined) return [{ method, path }];
      const bodies = Object.values(requestBody.content['application/json'].examples ?? {});
      return bodies.map(({ value }) => ({ method, path, body: value }));
    }),
  );
}

test('every documented call succeeds against a fresh sandbox with the fixture starter', async () => {
  const calls = await documentedCalls();
  expect(calls.length).toBeGreaterThan(20);
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const refusals: string[] = [];
  for (const { method, path, body } of calls) {
    await sandbox.control('POST', '/reset');
    const response = await sandbox.api(method, path, body);
    if (response.status >= 300) refusals.push(`${method} ${path}: ${JSON.stringify(response.body)}`);
  }
  expect(refusals).toEqual([]);
});

test('all documented calls succeed one after the other, in the order of the document', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const refusals: string[] = [];
  for (const { method, path, body } of await documentedCalls()) {
    const response = await sandbox.api(method, path, body);
    if (response.status >= 300) refusals.push(`${method} ${path}: ${JSON.stringify(response.body)}`);
  }
  expect(refusals).toEqual([]);
});
