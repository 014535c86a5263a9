import { expect, test } from 'vitest';
import {
  type Assessment,
  assess,
  findingOf,
  type ProbeResponse,
  probes,
} from '../../../src/tools/doctor/doctor.ts';

type Responses = Readonly<Record<string, Partial<ProbeResponse>>>;

function find(id: string, response: Partial<ProbeResponse>) {
  const probe = probes.find(each => each.id === id);
  if (probe === undefined) throw new Error(`there is no probe ${id}`);
  return findingOf(probe, { status: 200, cause: null, durationMs: 12, ...response });
}

/** Assesses a receiver that responds to these probes like this, and as it should to all others. */
function assessed(responses: Responses): Assessment {
  const findings = probes.map(({ id, expected }) =>
    find(id, responses[id] ?? { status: expected === 'accept' ? 200 : 401 }),
  );
  return assess(findings);
}

const accepted = (...ids: readonly string[]): Responses =>
  Object.fromEntries(ids.map(id => [id, { status: 200 }]));
const refused = (...ids: readonly string[]): Responses =>
  Object.fromEntries(ids.map(id => [id, { status: 401, cause: 'HTTP 401' }]));

test.each<[id: string, response: Partial<ProbeResponse>, verdict: string, outcome: string]>([
  ['valid', { status: 199 }, 'failed', 'answered with 199'],
  ['valid', { status: 200 }, 'passed', 'accepted with 200'],
  ['valid', { status: 299 }, 'passed', 'accepted with 299'],
  ['valid', { status: 300 }, 'failed', 'answered with 300'],
  ['valid', { status: null, cause: 'timed out' }, 'failed', 'no response: timed out'],
  ['valid', { durationMs: 5_000 }, 'passed', 'accepted with 200'],
  ['valid', { durationMs: 5_060 }, 'doubtful', 'accepted with 200 after 5.1 s'],
  ['stale', { status: 200 }, 'failed', 'accepted with 200'],
  ['stale', { status: 399 }, 'failed', 'answered with 399'],
  ['stale', { status: 400 }, 'passed', 'refused with 400'],
  ['stale', { status: 499 }, 'passed', 'refused with 499'],
  ['stale', { status: 500 }, 'failed', 'answered with 500'],
  ['stale', { status: 401, durationMs: 7_000 }, 'doubtful', 'refused with 401 after 7.0 s'],
  ['stale', { status: null, cause: 'connection reset' }, 'failed', 'no response: connection reset'],
  ['large', { status: 413 }, 'doubtful', 'refused with 413'],
  ['large', { status: 204 }, 'passed', 'accepted with 204'],
])('a response to %s of %j is %s', (id, response, verdict, outcome) => {
  expect(find(id, response)).toMatchObject({ verdict, outcome });
});

test('the grade falls with doubts, with failures, and to F with a forgery that anyone can send', () => {
  const gradeOf = (responses: Responses) => assessed(responses).grade;
  expect(gradeOf({})).toBe('A');
  expect(gradeOf(refused('large'))).toBe('B');
  expect(gradeOf(refused('large', 'unknown-type'))).toBe('C');
  expect(gradeOf(accepted('old', 'future'))).toBe('A');
  expect(gradeOf({ ...accepted('old', 'future'), ...refused('large') })).toBe('B');
  expect(gradeOf({ old: { status: 500, cause: 'HTTP 500' } })).toBe('B');
  for (const id of ['stale', 'reserialized']) expect(gradeOf(accepted(id)), id).toBe('D');
  for (const id of ['duplicate', 'spelling']) expect(gradeOf(refused(id)), id).toBe('D');
  for (const id of ['tampered', 'wrong-secret', 'prefix', 'short', 'missing', 'malformed'])
    expect(gradeOf(accepted(id)), id).toBe('F');
  for (const id of ['valid', 'afterwards']) expect(gradeOf(refused(id)), id).toBe('F');
  for (const status of [302, 500, null]) expect(gradeOf({ tampered: { status } }), `${status}`).toBe('D');
  expect(gradeOf({ ...accepted('stale'), ...accepted('prefix') })).toBe('F');
});

const UNVERIFIED = 'It does not verify signatures: anyone who knows its URL can send it events.';
const MISMATCH = 'It accepts signatures that do not match the body and the secret.';
const UNSIGNED = 'It accepts deliveries without a signature.';
const PARTIAL =
  'It compares only part of the signature: compare all of it, in constant time (timingSafeEqual).';
const AGELESS =
  'It does not check the age of the timestamp, so a recorded delivery can be replayed: allow 5 minutes.';
const OLD =
  'It accepts a delivery that was signed 10 minutes ago. The interface states no tolerance; 5 minutes is usual.';
const FUTURE =
  'It accepts a delivery whose timestamp is 10 minutes ahead of its clock. The interface states no tolerance; 5 minutes in either direction is usual.';
const PARSED = 'It parses the body before it verifies it: verify the raw bytes as received, then parse.';
const REFUSES =
  'It refuses genuine deliveries: check that it verifies with this --secret and that the path of the URL is right.';
const ENDED =
  'It accepts no genuine delivery any more after the others: none of them may end it or lock others out.';
const DUPLICATE = 'It refuses an event that it has already processed: respond with 2xx and do nothing.';

test.each<[what: string, responses: Responses, diagnoses: string[]]>([
  ['that does everything right', {}, []],
  ['without verification', accepted('tampered', 'wrong-secret', 'missing', 'stale', 'short'), [UNVERIFIED]],
  [
    'without verification that refuses an event again',
    { ...accepted('tampered', 'wrong-secret', 'missing'), ...refused('duplicate', 'large') },
    [UNVERIFIED, DUPLICATE, 'It does not accept: "genuine, 256 KiB long".'],
  ],
  ['that ignores the body', accepted('tampered'), [MISMATCH]],
  ['that ignores the secret', accepted('wrong-secret'), [MISMATCH]],
  ['that verifies only what is signed', accepted('missing'), [UNSIGNED]],
  ['that ignores the secret and a missing header', accepted('wrong-secret', 'missing'), [MISMATCH, UNSIGNED]],
  ['that accepts a malformed header', accepted('malformed'), ['It accepts a malformed signature header.']],
  ['that compares a prefix', accepted('prefix'), [PARTIAL]],
  ['that compares what was sent', accepted('short'), [PARTIAL]],
  ['that ignores the body and compares a prefix', accepted('tampered', 'prefix'), [MISMATCH]],
  ['that ignores the secret and what is cut off', accepted('wrong-secret', 'short'), [MISMATCH]],
  ['that accepts old events', accepted('stale'), [AGELESS]],
  ['that accepts events of any time', accepted('stale', 'old', 'future'), [AGELESS]],
  ['with a tolerance of its own for old events', accepted('old'), [OLD]],
  ['with a tolerance of its own for the future', accepted('future'), [FUTURE]],
  ['that verifies serialized JSON', accepted('reserialized'), [PARSED]],
  ['that refuses other white space', refused('spelling'), [PARSED]],
  ['that refuses an event again', refused('duplicate'), [DUPLICATE]],
  ['that refuses everything', refused('valid', 'spelling', 'duplicate', 'afterwards'), [REFUSES]],
  [
    'that a forged delivery ends',
    { missing: { status: null, cause: 'connection reset' }, afterwards: { status: null, cause: 'refused' } },
    [ENDED, 'It does not refuse with a 4xx: "no signature". Respond with 401.'],
  ],
  [
    'that refuses what is genuine, and serializes',
    { ...refused('valid'), ...accepted('reserialized') },
    [REFUSES, PARSED],
  ],
])('a receiver %s is diagnosed', (_, responses, diagnoses) => {
  expect(assessed(responses).diagnoses).toEqual(diagnoses);
});

test('doubtful responses are warnings, after what is wrong, with the titles of what was sent', () => {
  const responses: Responses = {
    ...accepted('stale'),
    short: { status: 500, cause: 'HTTP 500' },
    malformed: { status: null, cause: 'connection reset', durationMs: 8_000 },
    missing: { status: 401, cause: 'HTTP 401', durationMs: 6_000 },
    prefix: { status: 302, cause: 'HTTP 302' },
    duplicate: { status: 200, durationMs: 5_001 },
    large: { status: 413, cause: 'HTTP 413' },
    'unknown-type': { status: null, cause: 'timed out', durationMs: 10_000 },
  };
  const { diagnoses, grade } = assessed(responses);
  expect(grade).toBe('D');
  expect(diagnoses).toEqual([
    AGELESS,
    'It does not refuse with a 4xx: "signature with a wrong last digit", "truncated signature", "malformed signature". Respond with 401.',
    'It responds late: "the same event again", "no signature". A delivery times out after 10 s, so acknowledge first and process later.',
    'It does not accept: "genuine, of an unknown event type", "genuine, 256 KiB long".',
  ]);
});
