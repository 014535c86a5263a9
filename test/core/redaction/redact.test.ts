import { expect, test } from 'vitest';
import { passesLuhn } from '../../../src/core/redaction/card-numbers.ts';
import {
  dropLiveKeys,
  redactBody,
  redactData,
  redactQuery,
  redactText,
} from '../../../src/core/redaction/redact.ts';

const CARD = '4242424242424242';

test.each([
  ['a card number', `of ${CARD}, sold`, 'of ***, sold'],
  ['digits that are no card number', '4242424242424241', '4242424242424241'],
  ['twelve digits', '424242424242', '424242424242'],
  ['a card number in a longer run', `${CARD}${CARD}`, `${CARD}${CARD}`],
  ['a key', 'sk_test_acme_1-2, sk_live_x', '***, ***'],
  ['a bearer token', 'bearer abc.DEF-1/2+3~=, else', '***, else'],
  ['a JSON Web Token', 'eyJhbGci.eyJzdWIi.c2ln-_ end', '*** end'],
  [
    'a signature in a URL',
    `/reveal/x?expires=1&signature=${'0a'.repeat(32)}`,
    '/reveal/x?expires=1&signature=***',
  ],
  ['a short signature', '?signature=0a', '?signature=0a'],
])('in a text %s is shown as it should be', (_, text, shown) => expect(redactText(text)).toBe(shown));

test.each([
  ['4242424242424242', true],
  ['4242424242424241', false],
  ['5555555555554444', true],
  ['378282246310005', true],
  ['0', true],
  ['18', true],
  ['91', true],
  ['19', false],
])('%s ends in its check digit: %j', (digits, passes) => expect(passesLuhn(digits)).toBe(passes));

test('in data, every value whose name denotes a secret is masked, except booleans and null', () => {
  const names = [
    ...['secret', 'webhookSecret', 'clientsecret', 'idp1ShareToken', 'access_token', 'accesstoken', 'tokens'],
    ...['apiKey', 'api_key', 'APIKEY', 'x-service-api-key', 'x-auth-token', 'SECRETKEY', 'Authorization'],
    ...[
      'password',
      'newpassword',
      'passwd',
      'passcode',
      'passCode',
      'pass_code',
      'pin',
      'pinCode',
      'smsCode',
    ],
    ...['otp', 'OTP', 'oneTimeOTP', 'one_time_password', 'oneTimeCode', 'otpCode', 'otpcode', 'totp'],
    ...['cvv', 'CVC', 'cvc2', 'cvv2', 'CVV2', 'cvvCode', 'csc', 'securityCode', 'card_security_code'],
    ...['security-code', 'card_verification', 'cardVerificationValue', 'verification_code'],
    ...['pan', 'cardNumber', 'card_number', 'cardnumber', 'cardNo', 'card_num', 'primaryAccountNumber'],
  ];
  for (const name of names) {
    expect(redactData({ [name]: 'x' }), name).toEqual({ [name]: '***' });
    expect(redactData({ [name]: { deep: [1] } }), name).toEqual({ [name]: '***' });
    expect(redactData([{ [name]: 7 }]), name).toEqual([{ [name]: '***' }]);
    expect(redactBody(`{"${name}":"x","a":`), name).toBe(`{"${name}":"***","a":`);
  }
  const plain = {
    token: null,
    hasSecret: true,
    pinned: 'x',
    monkey: 'y',
    spinner: 1,
    keyboard: 'z',
    tokenize: 2,
    company: 'Panama',
    code: 'x',
    countryCode: 'DE',
    postalCode: '12345',
    kyc_verification: 1,
    verified: 'x',
    passed: 'y',
    kycSource: 'idp1',
    copyPan: true,
    amount: 12.5,
  };
  expect(redactData(plain)).toEqual(plain);
  expect(redactData([{ a: { pan: CARD } }, CARD, null, true, 1.5])).toEqual([
    { a: { pan: '***' } },
    '***',
    null,
    true,
    1.5,
  ]);
  expect(redactData({ [CARD]: 1 })).toEqual({ '***': 1 });
});

test('numbers that are, or may be, card numbers are masked', () => {
  expect(redactData([Number(CARD), 4242424242424241, 2 ** 53, 1e18, 1e19, 1e20, 0.5, -1])).toEqual([
    '***',
    4242424242424241,
    '***',
    '***',
    1e19,
    1e20,
    0.5,
    -1,
  ]);
  expect(redactData(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
});

test('values below the maximum depth are masked', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);
  expect(JSON.stringify(redactData(nested(100)))).toBe(JSON.stringify(nested(100)));
  expect(JSON.stringify(redactData(nested(101)))).toContain('***');
});

test.each([
  ['JSON', '{ "otp": "123456", "a": 1 }', '{"otp":"***","a":1}'],
  ['JSON that was cut', '{"a":"b","secret":"abc', '{"a":"b","secret":"***"'],
  ['a secret with an escape', '{"webhookSecret":"a\\"hidden","a":1', '{"webhookSecret":"***","a":1'],
  ['a secret under an escaped name', '{"\\u006ftp":"123456","a":1', '{"otp":"***","a":1'],
  [
    'secrets among other members',
    '{"a":{"otp":98765,"b":[{"pin" : 12}],"c":1},"token":{"x":"secret one"},"d":"secret tw',
    '{"a":{"otp":"***","b":[{"pin":"***"}],"c":1},"token":"***"',
  ],
  [
    'a form',
    'page=1&access_token=x; pin=98765 card[number]=42',
    'page=1&access_token=***; pin=*** card[number]=***',
  ],
  ['a secret that is not a text', '{"pin": 1234, "a": 1', '{"pin":"***", "a": 1'],
  ['a secret list, and all after it', '{"a":1,"tokens":["x","y"],"b":', '{"a":1,"tokens":"***"'],
  ['a secret object', '{"a":1,"secrets":{"x":1},"b":', '{"a":1,"secrets":"***"'],
  ['pairs', 'a=1&client_secret=abc&b=2', 'a=1&client_secret=***&b=2'],
  [
    'pairs in a URL in JSON',
    '{"url":"https://x.test/cb?token=abc&x=1"}',
    '{"url":"https://x.test/cb?token=***&x=1"}',
  ],
  ['pairs in a list in JSON', '["password=hunter2 is wrong","a=b"]', '["password=*** is wrong","a=b"]'],
  ['pairs in JSON that was cut in JSON', '{"a":"{\\"b\\":\\"pin=1234\\""}', '{"a":"{\\"b\\":\\"pin=***\\""}'],
  ['a text', `card ${CARD}`, 'card ***'],
])('a body of %s is masked', (_, body, shown) => expect(redactBody(body)).toBe(shown));

test.each([
  ['a=1&token=abc&b', 'a=1&token=***&b'],
  ['%74oken=abc', '%74oken=***'],
  [`a=${CARD}`, 'a=***'],
  ['a=%34242424242424242', 'a=***'],
  ['a=sk%5Ftest%5Fx', 'a=***'],
  ['a=%ff%20sk%5Ftest%5Fx', 'a=***'],
  ['a=%2', 'a=%2'],
  ['', ''],
])('the query %j is shown as %j', (query, shown) => expect(redactQuery(query)).toBe(shown));

test.each([
  ['{ "amount": 50.000, "rate": 1e2 }', '{ "amount": 50.000, "rate": 1e2 }'],
  ['{ "amount": 50.000, "pin": 1 }', '{"amount":50,"pin":"***"}'],
  ['{ "pin" : "1", "pin": null }', '{"pin":null}'],
])('the body %s is shown as it was sent, unless it has a secret: %s', (body, shown) =>
  expect(redactBody(body)).toBe(shown),
);

test('live keys are removed, percent-encoded or not, and nothing else changes', () => {
  expect(dropLiveKeys('a sk_live_abc, b')).toBe('a *** b');
  expect(dropLiveKeys('a=sk%5Flive%5fabc&b=%41')).toBe('a=***&b=%41');
  expect(dropLiveKeys('a=%41&sk_test_b')).toBe('a=%41&sk_test_b');
});

test.each([
  [
    '{"a":{"b":"{\\"token\\":\\"inner\\", \\"id\\": 1}"}}',
    '{"a":{"b":"{\\"token\\":\\"***\\",\\"id\\":1}"}}',
  ],
  ['{"echo":"{\\"id\\": 1}"}', '{"echo":"{\\"id\\": 1}"}'],
  ['{"echo":"{\\"token\\":\\"inner"}', '{"echo":"{\\"token\\":\\"***\\""}'],
  ['password: hunter2\ntoken = xyz\nid: 7', 'password: ***\ntoken = ***\nid: 7'],
])('a receiver that repeats %s, in JSON in JSON or in lines, repeats no secret', (body, shown) =>
  expect(redactBody(body)).toBe(shown),
);
