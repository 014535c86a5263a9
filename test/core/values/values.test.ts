import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passesLuhn } from '../../../src/core/redaction/card-numbers.ts';
import { redactBody } from '../../../src/core/redaction/redact.ts';
import { parseDuration } from '../../../src/core/values/duration.ts';
import { toAmount, toHundredths } from '../../../src/core/values/money.ts';
import { onAbort } from '../../../src/core/values/on-abort.ts';
import { parseHttpUrl } from '../../../src/core/values/parse-url.ts';
import { messageOf } from '../../../src/core/values/read-thrown.ts';
import { parseTimestamp } from '../../../src/core/values/timestamp.ts';

test.each([
  [new Error('gone'), 'gone'],
  [{ name: 'Error', message: 'of another realm' }, 'of another realm'],
  [{ name: 'Mia' }, "{ name: 'Mia' }"],
  [{ message: 'Hello' }, "{ message: 'Hello' }"],
  ['a text', 'a text'],
  [null, 'null'],
])('the message of what was thrown, %j, is %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});

describe('money', () => {
  test('hundredths convert to an amount and back without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e14 }), hundredths => {
        expect(toHundredths(toAmount(hundredths))).toBe(hundredths);
      }),
    );
  });

  test('the decimals as written are counted', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(99), (whole, cents) => {
        const text = `${whole}.${String(cents).padStart(2, '0')}`;
        expect(toHundredths(Number(text))).toBe(whole * 100 + cents);
      }),
    );
  });

  test.each([0.001, 1.005, 10.999, 1e-7, -1, -0.01, 1e12 + 1, 1e21, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d is not an amount',
    amount => expect(toHundredths(amount)).toBeNull(),
  );
});

test.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['1.5m', 90_000],
  ['24h', 86_400_000],
  ['36525d', 3_155_760_000_000],
  ['36525.001d', null],
  ['0s', 0],
  ['90', null],
  ['-1s', null],
  ['1w', null],
  ['', null],
  ['1e3s', null],
  ['999999999999d', null],
])('the duration %j is %j ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.5+02:00', '2026-01-31T10:00:00.500Z'],
  ['2026-01-31T12:00:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00+0230', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T12:00-05', '2026-01-31T17:00:00.000Z'],
])('the timestamp %j is %j', (text, iso) =>
  expect(new Date(parseTimestamp(text) ?? 0).toISOString()).toBe(iso),
);

test.each([
  '2026-01-31T25:00Z',
  '2026-01-31T',
  '2026-01-31T12',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '31.01.2026',
  '2026-01-31 12:00',
  '1769860800',
  'now',
  '',
])('%j is not a timestamp', text => expect(parseTimestamp(text)).toBeNull());

test('a URL with letters beyond ASCII is one, however many have been parsed before', () => {
  for (let count = 0; count < 100_000; count++) parseHttpUrl('https://app.example/hook');
  expect(parseHttpUrl('https://bücher.example/hook')?.hostname).toBe('xn--bcher-kva.example');
});

test('a redacted JSON text is JSON', () => {
  fc.assert(
    fc.property(fc.json(), text => {
      expect(() => JSON.parse(redactBody(text))).not.toThrow();
    }),
  );
});

test('one of ten check digits passes Luhn', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{12,18}$/), digits => {
      const valid = [...'0123456789'].filter(check => passesLuhn(digits + check));
      expect(valid).toHaveLength(1);
    }),
  );
});

test('a task for the end of a signal runs once, and not after it was cancelled', async () => {
  const ran: string[] = [];
  const [first, second] = [new AbortController(), new AbortController()];
  onAbort([first.signal, second.signal], () => ran.push('waited'));
  onAbort([first.signal], () => ran.push('cancelled'))();
  first.abort();
  second.abort();
  onAbort([first.signal, second.signal], () => ran.push('at once'));
  onAbort([first.signal], () => ran.push('cancelled at once'))();
  await Promise.resolve();
  expect(ran).toEqual(['waited', 'at once']);
});
