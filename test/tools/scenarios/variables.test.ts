import { expect, test } from 'vitest';
import { fill, referencesIn, UndefinedVariableError } from '../../../src/tools/scenarios/file/variables.ts';

const variables = new Map<string, unknown>([
  ['id', 'card_1'],
  ['amount', 12.5],
  ['list', [1, 2]],
  ['none', null],
]);

test.each([
  ['${id}', 'card_1'],
  ['${amount}', 12.5],
  ['${list}', [1, 2]],
  ['${none}', null],
  ['/cards/${id}/x', '/cards/card_1/x'],
  ['${id}${amount}', 'card_112.5'],
  ['${amount} of ${list}', '12.5 of [1,2]'],
  ['$${id}', '${id}'],
  ['a $${id} ${id}', 'a ${id} card_1'],
  ['$id {id}', '$id {id}'],
  ['x${id}', 'xcard_1'],
])('%j is filled with the values of variables', (text, value) => {
  expect(fill(text, variables)).toEqual(value);
});

test('values are filled in lists and objects, and others stay what they are', () => {
  expect(fill({ a: ['${id}', { b: '${amount}' }], c: 1, d: null, e: true }, variables)).toEqual({
    a: ['card_1', { b: 12.5 }],
    c: 1,
    d: null,
    e: true,
  });
});

test('a variable without a value is an error that names it', () => {
  const error = new UndefinedVariableError('lost');
  expect([error.name, error.variable, error.message]).toEqual([
    'UndefinedVariableError',
    'lost',
    '${lost} has no value',
  ]);
  expect(() => fill('${lost}', variables)).toThrow(error);
  expect(() => fill({ a: ['x ${lost}'] }, variables)).toThrow(error);
});

test('references are found with the path of their text', () => {
  expect(referencesIn({ a: ['${x} and ${y}', 1], b: { c: '$${z}' }, d: null, e: '${}' })).toEqual([
    { name: 'x', path: ['a', 0] },
    { name: 'y', path: ['a', 0] },
    { name: '', path: ['e'] },
  ]);
});
