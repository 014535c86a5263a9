import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashText, Random, RandomStream } from '../../../src/core/values/random.ts';

const five = (stream: RandomStream) => Array.from({ length: 5 }, () => stream.next());

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the hash of %j is the one that everybody gets by FNV-1a', (text, hash) => {
  expect(hashText(text)).toBe(hash);
});

test('equal seeds give equal streams, now and in every release', () => {
  expect(five(new RandomStream(42, 'card'))).toEqual([
    3571827122, 1481280993, 4158202518, 613959114, 199175684,
  ]);
  expect(five(new RandomStream(2 ** 40 + 42, 'card'))).toEqual([
    127617538, 1829962286, 3407233279, 1127747864, 3295092121,
  ]);
  expect(new Random(42).id('ch')).toBe('ch_c0nr5v10jdpcvmzb');
});

test('another seed or another purpose gives another stream', () => {
  const streams = [
    [42, 'card'],
    [43, 'card'],
    [42, 'cards'],
    [2 ** 32 + 42, 'card'],
  ] as const;
  expect(new Set(streams.map(([seed, purpose]) => new RandomStream(seed, purpose).next())).size).toBe(4);
});

test('streams continue from their state, and reading one does not change another', () => {
  const random = new Random(42);
  random.id('ch');
  random.stream('otp').digits(6);
  const again = new Random(42, random.states());
  expect([...again.states()]).toEqual([...random.states()]);
  expect(five(again.stream('ch'))).toEqual(five(random.stream('ch')));
  const other = new Random(42);
  five(other.stream('else'));
  expect(other.id('ch')).toBe(new Random(42).id('ch'));
});

test('states stay those of their moment, whatever is drawn later', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat(40), { maxLength: 6 }), (seed, draws) => {
      const random = new Random(seed, [['ch', new RandomStream(seed, 'other').state]]);
      const moments = draws.map((count, index) => {
        random.stream(index % 2 === 0 ? 'ch' : 'otp').digits(count);
        return { states: random.states(), copy: [...random.states()] };
      });
      for (const { states, copy } of moments) expect([...states]).toEqual(copy);
    }),
  );
});

test('texts have the requested length and contain only unambiguous letters', () => {
  const stream = new RandomStream(1, 'x');
  for (let count = 0; count < 40; count++) {
    expect(stream.letters(count)).toMatch(new RegExp(`^[0-9a-hjkmnp-tv-z]{${count}}$`));
    expect(stream.digits(count)).toMatch(new RegExp(`^[0-9]{${count}}$`));
  }
  expect(new Set(stream.letters(2_000)).size).toBe(32);
  expect(new Set(stream.digits(500)).size).toBe(10);
  const drawn = new RandomStream(1, 'x');
  drawn.letters(12);
  const two = new RandomStream(1, 'x');
  two.next();
  two.next();
  expect(drawn.state, 'a number is good for six letters').toEqual(two.state);
});
