import { expect, test } from 'vitest';
import * as z from 'zod';
import { membersOf } from '../../src/sandbox/operation-members.ts';

/** The members of a body with one member, without what most of them lack. */
function membersOfOne(schema: z.ZodType) {
  return membersOf(z.object({ member: schema })).map(({ path, kind, choices }) => [
    path.join('.'),
    kind,
    ...(choices === null ? [] : [choices.join(' or ')]),
  ]);
}

test.each([
  ['a text', z.string(), [['member', 'text']]],
  ['a number', z.number(), [['member', 'number']]],
  ['a whole number', z.int(), [['member', 'number']]],
  ['a flag', z.boolean(), [['member', 'flag']]],
  ['a flag that is always set', z.literal(true), [['member', 'flag']]],
  ['one of several texts', z.enum(['a', 'b']), [['member', 'text', 'a or b']]],
  ['one text', z.literal('a'), [['member', 'text', 'a']]],
  ['a list of texts', z.array(z.string()), [['member', 'texts']]],
  ['a list of other values', z.array(z.number()), [['member', 'json']]],
  ['names with values', z.record(z.string(), z.string()), [['member', 'pairs']]],
  ['anything', z.unknown(), [['member', 'json']]],
  ['a text or null', z.string().nullable(), [['member', 'text']]],
  ['a text or another text', z.union([z.email(), z.url()]), [['member', 'text']]],
  ['a number or another number', z.union([z.int(), z.number().max(0)]), [['member', 'number']]],
  ['a text or a number', z.union([z.string(), z.number()]), [['member', 'json']]],
  ['a text of some form or a number', z.union([z.email(), z.int()]), [['member', 'json']]],
  ['a text of some form or null', z.email().nullable(), [['member', 'text']]],
  ['an object or null', z.object({ one: z.int() }).nullable(), [['member.one', 'number']]],
  ['a schema with a name', z.enum(['a', 'b']).meta({ id: 'Named' }), [['member', 'text', 'a or b']]],
  [
    'an object',
    z.object({ one: z.string(), two: z.object({ three: z.int() }) }),
    [
      ['member.one', 'text'],
      ['member.two.three', 'number'],
    ],
  ],
  [
    'a text or an object',
    z.union([z.string(), z.object({ one: z.int() })]),
    [
      ['member', 'text'],
      ['member.one', 'number'],
    ],
  ],
  [
    'one of several objects, told apart by a member',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), one: z.int() }),
      z.object({ kind: z.literal('b'), two: z.int() }),
    ]),
    [
      ['member.kind', 'text', 'a or b'],
      ['member.one', 'number'],
      ['member.two', 'number'],
    ],
  ],
  [
    'one of several objects with a number in common',
    z.union([z.object({ one: z.int(), two: z.int() }), z.object({ one: z.int() })]),
    [
      ['member.one', 'number'],
      ['member.two', 'number'],
    ],
  ],
])('%s is read from the schema of a body', (_, schema, expected) => {
  expect(membersOfOne(schema)).toEqual(expected);
});

test('a member is required if each object that contains it is, and it has no default', () => {
  const schema = z.object({
    required: z.string(),
    optional: z.string().optional(),
    preset: z.string().default('x'),
    inner: z.object({ required: z.string(), optional: z.string().optional() }),
    optionalInner: z.object({ required: z.string() }).optional(),
    either: z.union([
      z.object({ both: z.int(), first: z.int() }),
      z.object({ both: z.int(), second: z.int() }),
    ]),
  });
  const required = membersOf(schema).filter(({ isRequired }) => isRequired);
  expect(required.map(({ path }) => path.join('.'))).toEqual(['required', 'inner.required', 'either.both']);
});

test('a member has its description and its default', () => {
  const schema = z.object({ limit: z.int().default(20).describe('How many.'), page: z.int() });
  expect(membersOf(schema)).toMatchObject([
    { about: 'How many.', defaultValue: 20 },
    { about: null, defaultValue: undefined },
  ]);
});

test('a text alone has no members, and a schema that contains itself ends', () => {
  expect(membersOf(z.string())).toEqual([]);
  const Tree = z
    .object({
      name: z.string(),
      get child() {
        return Tree.optional();
      },
    })
    .meta({ id: 'Tree' });
  expect(membersOf(Tree).map(({ path, kind }) => [path.join('.'), kind])).toEqual([
    ['name', 'text'],
    ['child', 'json'],
  ]);
});
