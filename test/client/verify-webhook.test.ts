import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { signWebhook } from '../../src/core/values/signature.ts';
import { verifyWebhook } from '../../src/index.ts';
import { size } from '../support/proof/proof-size.ts';

const SECRET = 'whsec_0123456789abcdef';
const AT = 1_773_568_800;
const NOW = { now: AT * 1_000 };
const BODY = '{"id":"evt_1","name":"Zoë 🎉"}';
const MISMATCH = { valid: false, reason: 'the signature does not match the body and the secret' };
const MALFORMED = {
  valid: false,
  reason: 'X-Service-Signature is malformed; it must be t=<Unix seconds>,v1=<64 lower-case hex digits>',
};
const header = signWebhook(BODY, SECRET, AT);
const hmac = header.slice(header.indexOf('v1=') + 3);

/** The outside judge of signatures, and the only use of its package: the scheme is the one that Stripe made common. */
const stripe = new Stripe('sk_test_unused');
const theirs = (body: string | Buffer, header: string) =>
  stripe.webhooks.signature?.verifyHeader(body, header, SECRET, 300, undefined, NOW.now);

/**
 * Text that UTF-8 can encode: no lone surrogates. It has no byte order mark at the start, which the other verifier drops.
 */
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 200 })
  .filter(each => !each.startsWith('\uFEFF'));

test('the signature is the HMAC-SHA256 of time, dot and body, in lower-case hex', () => {
  const expected = createHmac('sha256', SECRET).update(`${AT}.${BODY}`, 'utf8').digest('hex');
  expect(header).toBe(`t=${AT},v1=${expected}`);
  expect(signWebhook(Buffer.from(BODY), SECRET, AT)).toBe(header);
});

test('an independent verifier accepts random UTF-8 payloads, as does verifyWebhook', () => {
  fc.assert(
    fc.property(text, body => {
      const signed = signWebhook(body, SECRET, AT);
      expect(theirs(body, signed)).toBe(true);
      expect(theirs(Buffer.from(body), signed)).toBe(true);
      expect(verifyWebhook(body, signed, SECRET, NOW)).toEqual({ valid: true, timestamp: AT });
      expect(verifyWebhook(Buffer.from(body), signed, SECRET, NOW).valid).toBe(true);
    }),
    { numRuns: size(1_000, 10_000) },
  );
});

test('both refuse a flipped bit in the body or the signature', () => {
  const isRefused = (body: Buffer, header: string) => {
    expect(verifyWebhook(body, header, SECRET, NOW).valid).toBe(false);
    expect(() => theirs(body, header)).toThrow();
  };
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(63), fc.nat(3), (body, at, digit, bit) => {
      const signed = signWebhook(body, SECRET, AT);
      const bytes = Buffer.from(body);
      const index = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << (at % 8)), index);
      isRefused(bytes, signed);
      const start = signed.indexOf('v1=') + 3 + digit;
      const flipped = (Number.parseInt(signed.charAt(start), 16) ^ (1 << bit)).toString(16);
      isRefused(Buffer.from(body), signed.slice(0, start) + flipped + signed.slice(start + 1));
    }),
    { numRuns: 1_000 },
  );
});

test('another secret, timestamp or body is refused', () => {
  expect(verifyWebhook(BODY, header, `${SECRET}x`, NOW)).toEqual(MISMATCH);
  expect(verifyWebhook(BODY, `t=${AT + 1},v1=${hmac}`, SECRET, NOW)).toEqual(MISMATCH);
  expect(verifyWebhook(`${BODY} `, header, SECRET, NOW)).toEqual(MISMATCH);
});

test.each([
  ['exactly as old as allowed', 300, null],
  ['a second older', 301, 'the timestamp is too old: 301 s'],
  ['exactly as far ahead as allowed', -300, null],
  ['a second further ahead', -301, 'the timestamp is 301 s in the future'],
])('a signature %s: %s s, %j', (_, age, reason) => {
  const result = verifyWebhook(BODY, header, SECRET, { now: (AT + age) * 1_000 });
  expect(result).toEqual(reason === null ? { valid: true, timestamp: AT } : { valid: false, reason });
});

test('the tolerance is configurable, and NaN refuses everything', () => {
  const at = (age: number, toleranceSeconds: number) =>
    verifyWebhook(BODY, header, SECRET, { now: (AT + age) * 1_000, toleranceSeconds }).valid;
  expect([at(0, 0), at(1, 0), at(10, 10), at(1e9, Number.POSITIVE_INFINITY), at(0, Number.NaN)]).toEqual([
    ...[true, false, true, true, false],
  ]);
});

test('now defaults to wall time', () => {
  const fresh = signWebhook(BODY, SECRET, Math.floor(Date.now() / 1_000));
  expect(verifyWebhook(BODY, fresh, SECRET).valid).toBe(true);
  expect(verifyWebhook(BODY, header, SECRET).valid).toBe(false);
});

test('one matching signature of several is enough, and parts with other names are ignored', () => {
  const valid = { valid: true, timestamp: AT };
  const wrong = '0'.repeat(64);
  expect(verifyWebhook(BODY, `t=${AT},v1=${wrong},v1=${hmac}`, SECRET, NOW)).toEqual(valid);
  expect(verifyWebhook(BODY, `v0=x,v1=${hmac},t=${AT},v2=y`, SECRET, NOW)).toEqual(valid);
  expect(verifyWebhook(BODY, `t=${AT},v1=${wrong},v0=${hmac}`, SECRET, NOW)).toEqual(MISMATCH);
});

test.each([undefined, null, ''])('a header that is %j is missing', header => {
  expect(verifyWebhook(BODY, header, SECRET, NOW)).toEqual({
    valid: false,
    reason: 'X-Service-Signature is missing',
  });
});

test('a header is taken as Node.js and frameworks have it', () => {
  const valid = { valid: true, timestamp: AT };
  // Compiles in strict mode, too.
  const { headers }: Pick<IncomingMessage, 'headers'> = { headers: { 'x-service-signature': header } };
  expect(verifyWebhook(BODY, headers['x-service-signature'], SECRET, NOW)).toEqual(valid);
  expect(
    verifyWebhook(
      BODY,
      new Headers({ 'x-service-signature': header }).get('x-service-signature'),
      SECRET,
      NOW,
    ),
  ).toEqual(valid);
  expect(verifyWebhook(BODY, [header], SECRET, NOW)).toEqual(valid);
  expect(verifyWebhook(BODY, [header, header], SECRET, NOW)).toEqual(MALFORMED);
  expect(verifyWebhook(BODY, [], SECRET, NOW)).toEqual({
    valid: false,
    reason: 'X-Service-Signature is missing',
  });
});

test('a body is taken as text or as bytes of any view and realm', () => {
  const bytes = Buffer.from(BODY);
  const padded = new Uint8Array([0, ...bytes, 0]);
  const foreign = runInNewContext('({ Uint8Array, ArrayBuffer })');
  const foreignBytes = foreign.Uint8Array.from(bytes);
  for (const body of [
    BODY,
    bytes,
    new Uint8Array(bytes),
    new Uint8Array(bytes).buffer,
    padded.subarray(1, -1),
    new DataView(padded.buffer, 1, bytes.length),
    foreignBytes,
    foreignBytes.buffer,
  ]) {
    expect(verifyWebhook(body, header, SECRET, NOW)).toEqual({ valid: true, timestamp: AT });
  }
});

test('a secret with white space at an end is said where the signature does not match', () => {
  const reasonWith = (secret: string) => verifyWebhook(BODY, header, secret, NOW);
  expect(reasonWith(`${SECRET}\n`)).toEqual({
    valid: false,
    reason: `${MISMATCH.reason}, which has white space at an end and matches without it`,
  });
  expect(reasonWith(' another-secret-entirely')).toEqual({
    valid: false,
    reason: `${MISMATCH.reason}, which has white space at an end`,
  });
  const spaced = `${SECRET} `;
  expect(verifyWebhook(BODY, signWebhook(BODY, spaced, AT), spaced, NOW)).toEqual({
    valid: true,
    timestamp: AT,
  });
});

test.each([
  'nonsense',
  `t=${AT}`,
  `v1=${hmac}`,
  `t=,v1=${hmac}`,
  `t=soon,v1=${hmac}`,
  `t=-${AT},v1=${hmac}`,
  `t=${AT}.5,v1=${hmac}`,
  `t=${AT},t=${AT},v1=${hmac}`,
  `t=${AT}, v1=${hmac}`,
  `t=1${'0'.repeat(15)},v1=${hmac}`,
])('the header %s is malformed', header => {
  expect(verifyWebhook(BODY, header, SECRET, NOW)).toEqual(MALFORMED);
});

test.each(['', hmac.toUpperCase(), hmac.slice(1), `${hmac}0`, `${hmac}=`, ` ${hmac}`, 'ü'.repeat(32)])(
  'the signature %j does not match',
  signature => {
    expect(verifyWebhook(BODY, `t=${AT},v1=${signature}`, SECRET, NOW)).toEqual(MISMATCH);
  },
);

test('any text as a header is refused without an error', () => {
  fc.assert(
    fc.property(fc.string(), header => {
      expect(verifyWebhook(BODY, header, SECRET, NOW).valid).toBe(false);
    }),
  );
});

test('a parsed body, an empty secret, all headers and a time that is none throw a TypeError', () => {
  // As a caller without types could.
  const verify = verifyWebhook as (...args: unknown[]) => unknown;
  expect(() => verify({ id: 'evt_1' }, header, SECRET)).toThrow(/before any parsing/);
  expect(() => verify(BODY, header, '')).toThrow(/secret/);
  expect(() => verify(BODY, header, undefined)).toThrow(/secret/);
  expect(() => verify(BODY, new Headers(), SECRET)).toThrow(/headers\.get\('X-Service-Signature'\)/);
  expect(() => verify(BODY, header, SECRET, { now: 'x' })).toThrow(/now must be/);
});
