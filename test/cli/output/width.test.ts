import fc from 'fast-check';
import { expect, test } from 'vitest';
import { show } from '../../../src/cli/output/show.ts';
import { cutTo, piecesOf, widthOf } from '../../../src/cli/output/width.ts';

const SCRIPTS = [
  'Zażółć gęślą jaźń',
  'Анастасия Иванова-Петровская',
  'محمد عبد الرحمن السيد',
  'Nguyễn Thị Phương Thảo',
  'O’Connor — “Łódź” …',
  'अनुष्का क्षत्रिय',
  'ภาษาไทย กรุงเทพ',
  '鈴木美咲ガギグ',
  '한국어 한글',
  '👩‍👩‍👧🏽🇵🇱🏴󠁧󠁢󠁥󠁮󠁧󠁿1️⃣',
  'é̂̃ \t‍‌￿\ud83c',
];
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...SCRIPTS), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })),
  )
  .map(parts => parts.join(''));
const columns = fc.integer({ min: 0, max: 40 });

test('a text of any script is cut to at most the columns it may take, and only where it is too wide', () => {
  fc.assert(
    fc.property(text, columns, (whole, width) => {
      const cut = cutTo(whole, width);
      expect(widthOf(cut)).toBeLessThanOrEqual(width);
      if (widthOf(whole) <= width) expect(cut).toBe(whole);
      else expect(whole.startsWith(cut.replace(/…$/, ''))).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(cutTo('Zażółć gęślą jaźń', 8)).toBe('Zażółć …');
  expect(cutTo('Анастасия', 9)).toBe('Анастасия');
});

test('the pieces of a text of any script fit their line, but for one character that is wider', () => {
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(text, columns, (whole, width) => {
      const pieces = piecesOf(whole, width);
      expect(pieces.join('')).toBe(whole);
      for (const piece of pieces.filter(each => widthOf(each) > width)) {
        const wide = [...characters.segment(piece)].filter(({ segment }) => widthOf(segment) > 0);
        expect(wide).toHaveLength(1);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a list of people shows names of any script in a terminal of any width', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), fc.integer({ min: 1, max: 80 }), (names, width) => {
      const rows = names.map((name, index) => ({ id: `ch_${index}`, name, email: 'a@example.com' }));
      expect(() => show(rows, undefined, width)).not.toThrow();
    }),
  );
});
