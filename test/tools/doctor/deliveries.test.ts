import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../src/client/verify-webhook.ts';
import { probes } from '../../../src/tools/doctor/doctor.ts';
import { createDelivery } from '../../../src/tools/forgeries.ts';

const SECRET = 'a-secret-of-some-length';
const NOW = 1_800_000_000;
const MISMATCH = 'the signature does not match the body and the secret';
const MALFORMED =
  'X-Service-Signature is malformed; it must be t=<Unix seconds>,v1=<64 lower-case hex digits>';

function sent(id: string, run = 'r1') {
  const probe = probes.find(each => each.id === id);
  if (probe === undefined) throw new Error(`there is no probe ${id}`);
  return createDelivery(probe, { secret: SECRET, now: NOW, run });
}

/** What a receiver that verifies as the interface says finds wrong; null for nothing. */
function problemOf(id: string, run?: string): string | null {
  const { body, signature } = sent(id, run);
  const verified = verifyWebhook(body, signature, SECRET, { now: NOW * 1_000 });
  return verified.valid ? null : verified.reason;
}

test('a receiver that verifies as the interface says accepts and refuses what each probe expects', () => {
  expect(Object.fromEntries(probes.map(({ id, expected }) => [id, [expected, problemOf(id)]]))).toEqual({
    valid: ['accept', null],
    duplicate: ['accept', null],
    spelling: ['accept', null],
    reserialized: ['refuse', MISMATCH],
    tampered: ['refuse', MISMATCH],
    'wrong-secret': ['refuse', MISMATCH],
    prefix: ['refuse', MISMATCH],
    short: ['refuse', MISMATCH],
    stale: ['refuse', 'the timestamp is too old: 3600 s'],
    missing: ['refuse', 'X-Service-Signature is missing'],
    malformed: ['refuse', MALFORMED],
    old: ['refuse', 'the timestamp is too old: 600 s'],
    future: ['refuse', 'the timestamp is 600 s in the future'],
    'unknown-type': ['accept', null],
    large: ['accept', null],
    afterwards: ['accept', null],
  });
});

test('only the reactions to times within an hour, unknown types and large bodies are optional', () => {
  const optional = probes.filter(({ isRequired }) => !isRequired).map(({ id }) => id);
  expect(optional).toEqual(['old', 'future', 'unknown-type', 'large']);
});

test('every probe but the repetition is a whole event with an id of its own', () => {
  const genuine = probes.filter(({ id }) => id !== 'duplicate');
  const ids = genuine.map(({ id }) => {
    const { eventType, body } = sent(id, 'r7');
    const event = JSON.parse(body);
    expect(event).toMatchObject({ eventType, data: { id: 'card_doctor', last4: '4242' } });
    return event.id;
  });
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^evt_doctor_r7_/);
  expect(sent('duplicate', 'r7')).toEqual(sent('valid', 'r7'));
});

test('other white space and escapes mean the same event', () => {
  const { body, eventType } = sent('spelling');
  const { id: _, ...genuine } = JSON.parse(sent('valid').body);
  const { id: _id, ...spelled } = JSON.parse(body);
  expect(spelled).toEqual(genuine);
  expect(body).toContain('"nameOnCard": "Zo\\u00eb Doctor"');
  expect(body).toMatch(/^\{\n {2}"id"/);
  expect(eventType).toBe('card.issued');
});

test('a forgery is signed like the genuine event but for what it tests', () => {
  const signed = (id: string) => String(sent(id).signature);
  const { body: indented, signature: compactSignature } = sent('reserialized');
  expect(indented).toMatch(/^\{\n {2}"id"/);
  const compact = JSON.stringify(JSON.parse(indented));
  expect(verifyWebhook(compact, compactSignature, SECRET, { now: NOW * 1_000 }).valid).toBe(true);

  const { body: tampered, signature } = sent('tampered');
  expect(JSON.parse(tampered).data.limit).toBe(9_999_999);
  const untampered = tampered.replace('9999999', '1000');
  expect(verifyWebhook(untampered, signature, SECRET, { now: NOW * 1_000 }).valid).toBe(true);

  const other = sent('wrong-secret');
  const withOther = verifyWebhook(other.body, other.signature, `not-${SECRET}`, { now: NOW * 1_000 });
  expect(withOther.valid).toBe(true);
  expect(signed('short')).toMatch(new RegExp(`^t=${NOW},v1=[0-9a-f]{6}$`));
  expect(sent('missing').signature).toBeNull();
  expect(signed('malformed')).toBe('t=soon,v1');
});

test('the wrong last digit differs from the right one whatever that is', () => {
  const ends = new Set<string>();
  for (let run = 0; run < 60; run++) {
    const { body, signature } = sent('prefix', `r${run}`);
    expect(problemOf('prefix', `r${run}`)).toBe(MISMATCH);
    const right = [...'0123456789abcdef'].find(
      digit => verifyWebhook(body, `${signature?.slice(0, -1)}${digit}`, SECRET, { now: NOW * 1_000 }).valid,
    );
    expect(right).toBeDefined();
    ends.add(String(right));
  }
  expect(ends).toContain('0');
});

test('the large event has 256 KiB in one field, and the unknown type is in the body too', () => {
  const large = JSON.parse(sent('large').body);
  expect(large.data.nameOnCard).toMatch(/^x+$/);
  expect(large.data.nameOnCard).toHaveLength(256 * 1024);
  const { eventType, body } = sent('unknown-type');
  expect([eventType, JSON.parse(body).eventType]).toEqual([
    'card.doctor.unheard_of',
    'card.doctor.unheard_of',
  ]);
  expect(sent('large').eventType).toBe('card.issued');
});
