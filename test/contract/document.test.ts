import { expect, test } from 'vitest';
import * as z from 'zod';
import { passesLuhn } from '../../src/core/redaction/card-numbers.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { openApiDocument } from '../../src/server/openapi/document.ts';
import { assumptions } from '../../src/service/assumptions/register.ts';
import { EVENT_TYPES } from '../../src/service/webhooks/event-types.ts';
import { createContract } from '../support/contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: OpenAPI documents, of which the tests read only some members
const documents: Record<string, any> = {
  partner: openApiDocument('partner'),
  control: openApiDocument('control'),
};
const planes = ['partner', 'control'] as const;

/** Every object in a document, with its path. */
function* parts(
  value: unknown,
  place: readonly string[] = [],
): Generator<[readonly string[], Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, { ...value }];
  for (const [key, member] of Object.entries(value)) yield* parts(member, [...place, key]);
}

const describe = (operation: (typeof operations)[number]) =>
  documents[operation.plane].paths[operation.path][operation.method.toLowerCase()];

test.each(operations)('$id is in the document of its plane, with its fidelity', operation => {
  const { id, fidelity, path, responses, errors } = operation;
  const described = describe(operation);
  expect(described).toMatchObject({ operationId: id, 'x-fidelity': fidelity.kind });
  if (fidelity.kind === 'documented') expect(described['x-section']).toBe(fidelity.section);
  else {
    const entry = assumptions.find(each => each.id === described['x-assumption']);
    expect(entry).toMatchObject({ id: fidelity.id, section: described['x-section'] });
  }
  const statuses = [
    ...Object.keys(responses),
    ...errors.map(({ status }) => String(status)),
    '400',
    '401',
    '500',
  ];
  expect(Object.keys(described.responses)).toEqual(expect.arrayContaining(statuses));
  const inPath = (described.parameters ?? []).filter((each: { in: string }) => each.in === 'path');
  expect(inPath.map(({ name }: { name: string }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
});

test('each response schema of the API allows only declared members, so that no internal field leaks', () => {
  for (const { id, plane, responses } of operations) {
    if (plane !== 'partner') continue;
    for (const schema of Object.values(responses)) {
      if (schema === null) continue;
      for (const [place, part] of parts(z.toJSONSchema(schema, { io: 'input' }))) {
        if (part.type === 'object')
          expect(part, `${id} ${place.join('.')}`).toHaveProperty('additionalProperties');
      }
    }
  }
});

test.each(planes)('the document of the %s plane has no operation that is not in the table', plane => {
  const listed = Object.values<Record<string, { operationId: string }>>(documents[plane].paths)
    .flatMap(item => Object.values(item))
    .map(({ operationId }) => operationId);
  const known = operations.filter(each => each.plane === plane).map(({ id }) => id);
  expect(listed.sort()).toEqual(known.sort());
});

test.each(operations.filter(({ plane }) => plane === 'partner'))(
  '$id has examples of its responses and its body (src/sandbox/valid-inputs.ts)',
  operation => {
    const { requestBody, responses } = describe(operation);
    for (const status of Object.keys(operation.responses)) {
      const { content } = responses[status];
      if (content !== undefined) expect(content['application/json'].examples, status).toBeDefined();
    }
    if (requestBody !== undefined) expect(requestBody.content['application/json'].examples).toBeDefined();
  },
);

test.each(planes)('every example of the %s plane matches its schema', plane => {
  const { problems } = createContract(documents[plane]);
  let count = 0;
  for (const [place, { schema, examples }] of parts(documents[plane])) {
    if (schema === undefined || examples === undefined) continue;
    for (const [name, { value }] of Object.entries(examples as Record<string, { value: unknown }>)) {
      count += 1;
      expect([...place, name, ...problems([...place, 'schema'], value)]).toEqual([...place, name]);
    }
  }
  expect(count).toBeGreaterThan(20);
});

test.each(planes)('every reference and every assumption id of the %s plane resolves', plane => {
  const document = documents[plane];
  const known = new Set<unknown>(assumptions.map(({ id }) => id));
  for (const [place, { $ref, 'x-assumption': assumption }] of parts(document)) {
    if (assumption !== undefined) expect([place, known.has(assumption)]).toEqual([place, true]);
    if (typeof $ref !== 'string') continue;
    expect($ref).toMatch(/^#\//);
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((part, key) => part?.[key], document);
    expect([$ref, typeof target]).toEqual([$ref, 'object']);
  }
  expect(document['x-assumptions']).toMatchObject(assumptions);
});

test.each(planes)('no key, secret, token or card number is in the document of the %s plane', plane => {
  const text = JSON.stringify(documents[plane]);
  expect(text).not.toMatch(/sk_(?:test|live)_\w|whsec_|Bearer ey|v1=[0-9a-f]{64}"/);
  for (const digits of text.match(/(?<!\d)\d{13,19}(?!\d)/g) ?? [])
    expect([digits, passesLuhn(digits)]).toEqual([digits, false]);
  for (const [place, { otp, cvv }] of parts(documents[plane])) {
    if (typeof otp === 'string' || typeof cvv === 'string')
      expect([place, otp ?? cvv]).toEqual([place, '***']);
  }
});

test('all event types are described, with their headers and a distinct body', () => {
  const { webhooks, components } = documents.partner;
  expect(Object.keys(webhooks).sort()).toEqual([...EVENT_TYPES].sort());
  for (const type of EVENT_TYPES) {
    const { parameters, requestBody, security } = webhooks[type].post;
    expect(security).toEqual([]);
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      'X-Service-Event',
      'X-Service-Signature',
    ]);
    const { $ref } = requestBody.content['application/json'].schema;
    const { properties, required } = components.schemas[$ref.split('/').at(-1)];
    expect(required).toEqual(['id', 'eventType', 'createdAt', 'data']);
    expect(properties.eventType.const).toBe(type);
  }
});

test('the two conflicts differ by their code', () => {
  const { error } = documents.partner.components.schemas.CardholderConflict.properties;
  expect(error.discriminator).toEqual({
    propertyName: 'code',
    mapping: {
      EMAIL_ALREADY_REGISTERED: '#/components/schemas/EmailAlreadyRegistered',
      CARDHOLDER_KYC_LOCKED: '#/components/schemas/CardholderKycLocked',
    },
  });
  const { examples } =
    documents.partner.paths['/partner/cardholders'].post.responses[409].content['application/json'];
  const codes = Object.values<{ value: { error: { code: string } } }>(examples).map(
    ({ value }) => value.error.code,
  );
  expect(codes.sort()).toEqual(['CARDHOLDER_KYC_LOCKED', 'EMAIL_ALREADY_REGISTERED']);
});

test('page and limit are numbers with a range and a default', () => {
  const { parameters } = documents.partner.paths['/partner/cards'].get;
  const schemas = Object.fromEntries(
    parameters.map(({ name, schema }: { name: string; schema: unknown }) => [name, schema]),
  );
  expect(schemas).toMatchObject({
    page: { type: 'integer', minimum: 1, default: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  });
  expect(parameters.find(({ name }: { name: string }) => name === 'status')).toMatchObject({
    'x-fidelity': 'assumed',
    'x-assumption': 'card-status-parameter',
  });
});

test('a document built twice is identical', () => {
  expect(JSON.stringify(openApiDocument('partner'))).toBe(JSON.stringify(documents.partner));
});
