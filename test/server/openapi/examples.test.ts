import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/server/openapi/document.ts';
import type { Assume } from '../../../src/service/assumptions/assume.ts';
import { type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

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
function documentedCalls(): Call[] {
  const { paths } = openApiDocument('partner') as {
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

/** Sends calls one after the other, each to what `before` prepares. Returns those that did not succeed, with their statuses. */
async function refusedOf(
  calls: readonly Call[],
  before: (sandbox: TestSandbox) => Promise<unknown> = async () => null,
): Promise<string[]> {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const refused: string[] = [];
  for (const { method, path, body } of calls) {
    await before(sandbox);
    const { status } = await sandbox.api(method, path, body);
    if (status >= 300) refused.push(`${method} ${path.replace(/evt_\w+/, 'evt')}: ${status}`);
  }
  return refused;
}

/** A new sandbox has no events. */
const NO_EVENT = ['GET /partner/webhooks/events/evt: 404', 'POST /partner/webhooks/events/evt/retry: 404'];

test('every documented call succeeds against a fresh sandbox with the fixture starter', async () => {
  const calls = documentedCalls();
  expect(calls.length).toBeGreaterThan(25);
  expect(await refusedOf(calls, ({ control }) => control('POST', '/reset'))).toEqual(NO_EVENT);
});

test('all documented calls succeed one after the other, in the order of the document', async () => {
  expect(await refusedOf(documentedCalls())).toEqual(NO_EVENT);
});

test('the text of a webhook body in an example follows the settings, as what is sent does', () => {
  const payloadUnder = (assume: Assume) => {
    const document = openApiDocument('partner', undefined, {}, assume) as Json;
    const { responses } = document.paths['/partner/webhooks/events/{eventId}'].get;
    const [example] = Object.values<Json>(responses['200'].content['application/json'].examples);
    return JSON.parse(example.value.payload);
  };
  const { data, ...envelope } = payloadUnder({});
  expect(envelope).toMatchObject({ id: expect.stringMatching(/^evt_/), eventType: 'card.issued' });
  const minor = payloadUnder({ 'amount-unit': 'minor', 'webhook-envelope': 'data' });
  expect(minor).toMatchObject({ id: data.id, limit: data.limit * 100 });
});
