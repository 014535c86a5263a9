import { expect, test } from 'vitest';
import { JsonSplitter } from '../../../../src/sandbox/state/document/json-splitter.ts';
import { StateSyntaxError } from '../../../../src/sandbox/state/document/state-error.ts';

/** The values of a text that arrives in pieces; lists and objects at its top are entered. */
function split(...pieces: (string | Uint8Array)[]) {
  const values: unknown[] = [];
  const splitter = new JsonSplitter({
    enters: path => path.length === 0,
    value: (path, value) => void values.push([path.join('.'), value]),
  });
  for (const piece of pieces) splitter.write(Buffer.from(piece));
  splitter.end();
  return values;
}

const problemOf = (...pieces: (string | Uint8Array)[]) => {
  try {
    return split(...pieces);
  } catch (error) {
    if (error instanceof StateSyntaxError) return error.message;
    throw error;
  }
};

test('values may have any space between them', () => {
  const values = [
    ['0', 1],
    ['1', true],
    ['2', null],
  ];
  for (const space of ['', ' ', '\n', '\t', '\r', ' \r\n\t ']) {
    expect(split(`[1${space},${space}true${space},${space}null${space}]`)).toEqual(values);
  }
});

test.each([
  ['[tru , 1]', 1],
  ['[1, nul\n]', 4],
  ['{"a": 1 2}', 8],
  ['[1,, 2]', 3],
  ['{"a" 1}', 5],
  ['[1}', 2],
  ['[1] 2', 4],
])('the error of %j is where its first wrong value begins', (text, at) => {
  expect(problemOf(text)).toBe(`is not valid JSON (at character ${at})`);
});

test.each([
  ['alone', '\\ud83d'],
  ['in capitals', '\\UD83D'.replace('U', 'u')],
  ['in the wrong order', '\\ude00\\ud83d'],
  ['before text', '\\ud83d and more'],
])('half a character %s is refused', (_, half) => {
  expect(problemOf(`["${half}"]`)).toBe(
    'contains a lone surrogate, which is not a character; send whole characters',
  );
  expect(split('["\\ud83d\\ude00", "\\u00e9", "\\ud7ff"]')).toEqual([
    ['0', '😀'],
    ['1', 'é'],
    ['2', '\ud7ff'],
  ]);
});

test('bytes that are not UTF-8 are refused', () => {
  expect(problemOf(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d))).toBe('must be UTF-8');
});
