import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passesLuhn } from '../../../src/core/redaction/card-numbers.ts';
import { redactBody, redactPath, redactQuery, redactText } from '../../../src/core/redaction/redact.ts';
import type { RequestLogEntry } from '../../../src/sandbox/log-entries.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const BEGINNINGS = [
  ...['4', '51', '55', '2221', '2720', '34', '37', '6011', '6221', '644', '65', '300', '3095', '36', '38'],
  ...['3528', '3589', '50', '56', '6304', '6759', '2200', '2204', '81', '424242', '555555'],
];
const SEPARATORS = ['', ' ', '-', '\u00a0', '\u2009', '\u202f', '\u2010', '\u2013', '\u2212'];

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map(all => all.join(''));

/** The digits with the check digit that makes them pass. */
function withCheckDigit(account: string): string {
  const check = [...'0123456789'].find(digit => passesLuhn(account + digit));
  return account + check;
}

const cardNumber = fc
  .tuple(fc.constantFrom(...BEGINNINGS), fc.integer({ min: 15, max: 19 }))
  .chain(([start, length]) => digits(length - 1 - start.length).map(rest => withCheckDigit(start + rest)));

/** A card number with separators at any places. */
const groupedNumber = cardNumber.chain(number =>
  fc
    .array(fc.constantFrom(...SEPARATORS), { minLength: number.length - 1, maxLength: number.length - 1 })
    .map(separators => [...number].map((digit, index) => digit + (separators[index] ?? '')).join('')),
);

/** A phone number of E.164, of which half pass Luhn, and many begin like a card. */
const phone = fc
  .tuple(fc.constantFrom('1', '34', '37', '4', '49', '50', '6', '86'), fc.integer({ min: 7, max: 15 }))
  .chain(([start, length]) => fc.tuple(digits(length - 1 - start.length), fc.boolean(), fc.constant(start)))
  .map(([rest, passes, start]) => `+${passes ? withCheckDigit(start + rest) : `${start + rest}0`}`);

test('a phone number of any length is shown as it is, in texts, bodies, paths and queries', () => {
  fc.assert(
    fc.property(phone, number => {
      const body = JSON.stringify({ phoneNumber: number, payload: JSON.stringify({ phoneNumber: number }) });
      expect(redactText(`call ${number}, please`)).toBe(`call ${number}, please`);
      expect(redactBody(body)).toBe(body);
      expect(redactBody(body.slice(0, -1))).toBe(body.slice(0, -1));
      const encoded = encodeURIComponent(number);
      expect(redactPath(`/a/${encoded}`)).toBe(`/a/${encoded}`);
      for (const query of [`q=${encoded}&b=1`, `q=${number}`, `phoneNumber=${number.slice(1)}`])
        expect(redactQuery(query)).toBe(query);
      expect(redactBody(`a=1&phone=${encoded}`)).toBe(`a=1&phone=${encoded}`);
      expect(redactBody(JSON.stringify({ phone_number: number.slice(1) }))).toContain(number.slice(1));
    }),
    { numRuns: 300 },
  );
});

test('a card number is masked in any grouping, wherever it stands', () => {
  fc.assert(
    fc.property(groupedNumber, number => {
      expect(redactText(`card ${number}.`)).toBe('card ***.');
      expect(redactText(`+49151234567 ${number}`)).toBe('+49151234567 ***');
      expect(JSON.parse(redactBody(JSON.stringify({ note: number, [number]: [number] })))).toEqual({
        note: '***',
        '***': ['***'],
      });
      expect(redactBody(`{"note":"${number}"`)).toBe('{"note":"***"');
      const encoded = encodeURIComponent(number);
      expect(redactPath(`/a/${encoded}`)).toBe('/a/***');
      expect(redactQuery(`q=${encoded}&b=1`)).toBe('q=***&b=1');
      expect(redactQuery(encoded)).toBe('***=***');
      expect(redactText(`${'4242 '.repeat(4)}${number}`)).toBe('***');
    }),
    { numRuns: 300 },
  );
});

test.each(['4242424242424242', '4111111111111111', '5555555555554444', '378282246310005'])(
  'the example number %s is shown after +, in an id, an amount and a phone number, and masked elsewhere',
  number => {
    const data = { phoneNumber: `+${number}`, id: number, amount: Number(number), note: `call +${number}` };
    expect(JSON.parse(redactBody(JSON.stringify(data)))).toEqual(data);
    expect(redactText(`txn_${number}`)).toBe(`txn_${number}`);
    expect(redactText(`card ${number}`)).toBe('card ***');
  },
);

test('ids and amounts are shown as they are, except the numbers of the sandbox itself', () => {
  const id = '4111111111111111';
  const data = { id, externalUserId: id, card_id: id, userIds: [id], amount: Number(id), user: `user_${id}` };
  expect(JSON.parse(redactBody(JSON.stringify(data)))).toEqual(data);
  expect(redactQuery(`externalUserId=${id}`)).toBe(`externalUserId=${id}`);
  const big = '{"externalUserId":6304000000000000000}';
  expect(redactBody(big)).toBe(big);
  const own = { cardId: '4242420000000000', userId: '5555-5500-0000-0002', phoneNumber: '+4242420000000000' };
  expect(JSON.parse(redactBody(JSON.stringify(own)))).toEqual({
    cardId: '***',
    userId: '***',
    phoneNumber: '+***',
  });
  expect(redactBody('{"userId":"card 4111 1111 1111 1111","paid":"4111111111111111"}')).not.toContain('1111');
});

test('a number of the sandbox is masked among more digits too, such as its expiry date', () => {
  const number = '4242420000000000';
  for (const text of [`${number}0330`, `0${number}`, `${number}${number}`, `42${number}0330999`]) {
    expect(redactText(text)).not.toContain(number);
    expect(redactBody(JSON.stringify({ userId: text, note: text }))).not.toContain(number);
  }
  expect(redactText(`${number}0330`)).toBe('***0330');
});

test.each([
  ['14 digits', '30569309025904'],
  ['13 digits', '4222222222222'],
  ['20 digits', '42424242424242424242'],
  ['a beginning of no scheme', '1111111111111117'],
  ['a wrong check digit', '4242 4242 4242 4241'],
  ['two separators in a row', '4242  4242  4242  4242'],
  ['the parts of a date', '2026-03-15T10:00:00.000Z'],
])('digits with %s are not a card number', (_what, text) => expect(redactText(text)).toBe(text));

test('a phone number with a valid check digit is the same in the journal, the log and webhooks', async () => {
  const log: RequestLogEntry[] = [];
  const options = { fixtures: ['starter'], forwardTo: 'http://127.0.0.1:1/' };
  const sandbox = await startSandbox(options, { onResponse: entry => log.push(entry) });
  const phones = ['+4915123456789', '+4242424242426', '+378282246310005'];
  expect(phones.map(each => passesLuhn(each.slice(1)))).toContain(true);
  for (const phoneNumber of phones) {
    const { status } = await sandbox.api('POST', '/partner/cardholders', {
      ...newCardholder(),
      phoneNumber,
    });
    expect(status).toBe(201);
    await sandbox.api('GET', `/partner/cardholders?email=x&q=${encodeURIComponent(phoneNumber)}`);
  }
  const { body: requests } = await sandbox.control('GET', '/requests');
  const { body: deliveries } = await sandbox.control('GET', '/deliveries?eventType=cardholder.created');
  const text = JSON.stringify({ requests, log, deliveries });
  expect(text).not.toMatch(/(?:\+|%2B|phoneNumber\\*":\\*")\*/);
  for (const each of phones) expect(text.split(each).length).toBeGreaterThan(4);
});
