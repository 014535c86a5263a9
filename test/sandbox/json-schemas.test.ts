import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/sandbox/config-schema.ts';
import { OPTIONS } from '../../src/sandbox/options.ts';
import { assumptions } from '../../src/service/assumptions/register.ts';
import type { Json } from '../support/sandbox.ts';

const decisionOf = (id: string) => assumptions.find(each => each.id === id)?.decision;

test('the schema of configuration files has each setting with its decision, its values and its default', () => {
  const { properties }: Json = configJsonSchema();
  const { assume, names } = properties;
  expect([names.type, assume.type, assume.additionalProperties]).toEqual(['object', 'object', false]);
  const settable = assumptions.flatMap(each => ('setting' in each ? [each.id] : []));
  expect(Object.keys(assume.properties)).toEqual(settable);
  expect(assume.properties['list-order']).toEqual({
    description: decisionOf('list-order'),
    enum: ['newest', 'oldest'],
    default: 'newest',
  });
  expect(assume.properties['authorization-ttl']).toEqual({
    description: decisionOf('authorization-ttl'),
    anyOf: [{ type: 'string', pattern: expect.any(String) }, { const: 'never' }],
    default: '7d',
  });
});

test('a choice that is not a text may be written as one', () => {
  const { properties }: Json = configJsonSchema();
  const { enum: values } = properties.assume.properties['invalid-input-status'];
  expect(values).toEqual([400, 422, '400', '422']);
});

test('the schema of configuration files has each option by its long name, with what its flag says', () => {
  const { title, properties, additionalProperties }: Json = configJsonSchema();
  expect([title, additionalProperties]).toEqual(['card-sandbox configuration', false]);
  expect(properties['kyc-delay']).toMatchObject({ description: OPTIONS.kycDelay.flag, type: 'string' });
  expect(properties.assume.description).toBe(OPTIONS.assume.flag);
  expect(properties.config).toBeUndefined();
  expect(properties.port).toEqual({ type: 'integer', minimum: 0, maximum: 65_535 });
});
