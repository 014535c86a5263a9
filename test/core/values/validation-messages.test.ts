import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeIssue } from '../../../src/core/values/schemas/validation-messages.ts';

const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b') }),
]);

const CASES: readonly [what: string, schema: z.ZodType, value: unknown, message: string][] = [
  ['nothing', z.string(), undefined, 'is required'],
  ['no text', z.string(), 1, 'must be a text'],
  ['no number', z.number(), 'x', 'must be a number'],
  ['no whole number', z.int(), 1.5, 'must be a whole number'],
  ['no boolean', z.boolean(), 'x', 'must be true or false'],
  ['no list', z.array(z.string()), 'x', 'must be a list'],
  ['no object', z.object({}), 'x', 'must be an object'],
  ['a type without a name', z.date(), 'x', 'must be date'],
  ['the only value missing', z.literal('a'), undefined, 'is required and must be "a"'],
  ['not the only value', z.literal('a'), 'x', 'must be "a"'],
  ['none of the values', z.enum(['a', 'b']), 'x', 'must be one of "a", "b"'],
  ['one of the values missing', z.enum(['a', 'b']), undefined, 'is required and must be one of "a", "b"'],
  ['a format without a rule', z.uuid(), 'x', 'must be a valid uuid'],
  ['an empty text', z.string().min(1), '', 'must have at least 1 character'],
  ['a short text', z.string().min(2), 'x', 'must have at least 2 characters'],
  ['a long text', z.string().max(1), 'xx', 'must have at most 1 character'],
  ['an empty list', z.array(z.string()).min(1), [], 'must have at least 1 item'],
  ['a long list', z.array(z.string()).max(2), ['', '', ''], 'must have at most 2 items'],
  ['a small number', z.number().min(5), 4, 'must be at least 5'],
  ['a big number', z.number().max(5), 6, 'must be at most 5'],
  ['unknown members', z.strictObject({}), { a: 1, b: 2 }, 'has unknown members: a, b'],
  [
    'many unknown members',
    z.strictObject({}),
    Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`a${index}`, 1])),
    `has unknown members: ${Array.from({ length: 20 }, (_, index) => `a${index}`).join(', ')}, … and 2 more`,
  ],
  ['no kind', kinds, {}, 'is required and must be one of "a", "b"'],
  ['no object at all', kinds, 'x', 'must be an object'],
  ['an unknown kind', kinds, { kind: 'c' }, 'must be one of "a", "b"'],
  ['none of several shapes', z.union([z.string(), z.number()]), true, 'matches none of the possible shapes'],
  ['anything else', z.number().multipleOf(2), 3, 'is not valid'],
];

test.each(CASES)('the message for %s is plain English', (_, schema, value, message) => {
  const result = schema.safeParse(value, { error: describeIssue });
  expect(result.error?.issues.map(issue => issue.message)).toEqual([message]);
});
