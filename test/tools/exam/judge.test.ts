import { expect, test } from 'vitest';
import { judge } from '../../../src/tools/exam/judge.ts';
import { ATTEMPT, recordOf } from './records.ts';

/** A run that passed, in which the receiver answered a forged webhook with this status. */
function runWith(status: number | null) {
  const record = recordOf([
    { attempt: { ...ATTEMPT, fault: 'other_secret', extra: true, status, struck: ['it'] } },
  ]);
  return { code: 0, isTimedOut: false, output: '', durationMs: 1, record };
}

test.each([
  [200, 'accepted', 'the receiver answered 1 forged webhook with 2xx'],
  [204, 'accepted', 'the receiver answered 1 forged webhook with 2xx'],
  [302, 'broke', 'the receiver answered 302 instead of a 4xx'],
  [399, 'broke', 'the receiver answered 399 instead of a 4xx'],
  [400, 'survived', 'the command passed; triggered 1 time'],
  [499, 'survived', 'the command passed; triggered 1 time'],
  [500, 'broke', 'the receiver answered 500 instead of a 4xx'],
  [null, 'not-exercised', 'not triggered; the command passed'],
])('an answer %s to a forged webhook: %s', (status, verdict, reason) => {
  expect(judge('forged', runWith(status))).toEqual({ verdict, reason });
});

test.each([
  [302, 'survived'],
  [404, 'survived'],
  [500, 'broke'],
])('an answer %s to an additional webhook of an unknown type: %s', (status, verdict) => {
  expect(judge('benign', runWith(status)).verdict).toBe(verdict);
});

test.each([
  [
    0,
    'applied-twice',
    /^2 cards of ada: req_1 created card_1, and req_2 created card_2; the command passed$/,
  ],
  [3, 'applied-twice', /; the command failed \(exit code 3\)$/],
])('a record that exists twice is a verdict whatever the exit code, %d', (code, verdict, reason) => {
  const double = {
    kind: 'card',
    ownerName: 'ada',
    calls: ['req_1', 'req_2'],
    records: ['card_1', 'card_2'],
  } as const;
  const found = judge('benign', { ...runWith(204), code }, [double]);
  expect(found).toEqual({ verdict, reason: expect.stringMatching(reason) });
});

test('a run that took too long names the flag that gives it more time', () => {
  const run = { ...runWith(204), code: 137, isTimedOut: true, durationMs: 75_000 };
  const reason = 'the command failed (stopped after 75 s); --time-limit gives it more time';
  expect(judge('benign', run)).toEqual({ verdict: 'broke', reason });
});
