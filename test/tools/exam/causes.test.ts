import { expect, test } from 'vitest';
import { findCauses, type Symptoms } from '../../../src/tools/exam/causes.ts';
import type { FailedCall } from '../../../src/tools/exam/run-record.ts';

const lostAfter = { faults: [{ drop: true, when: 'after' }] } as const;
const lostBefore = { faults: [{ drop: true, when: 'before' }] } as const;

/** A finding about an app whose call to issue a card failed. `repeatStatus` is what it got when it sent the call again. */
function finding(repeatStatus: number | null, members: Partial<Symptoms> = {}): Symptoms {
  const call = { by: 'lost', operation: 'cards.issue', repeatStatus } as FailedCall;
  return {
    misbehaviour: { id: 'lost', sound: 'Look it up.' },
    disturbance: lostAfter,
    verdict: 'broke',
    reason: 'the command failed (exit code 1)',
    lines: [],
    failedCalls: [call],
    ...members,
  };
}

const titlesOf = (...results: readonly Symptoms[]) => findCauses(results).map(({ title }) => title);

const SENT_AGAIN = 'A write that was applied is sent again: POST /partner/cards';
const NOT_SENT_AGAIN = 'A request that failed is not sent again: POST /partner/cards';

test('a write that was applied and creates a second record when it is sent again is the cause of the double', () => {
  expect(titlesOf(finding(201, { verdict: 'applied-twice' }))).toEqual([SENT_AGAIN]);
  // What created nothing, or left no double, is not.
  expect(titlesOf(finding(200, { verdict: 'applied-twice' }))).toEqual([
    'Under lost, a write is applied twice',
  ]);
  expect(titlesOf(finding(201))).toEqual(['lost breaks the command']);
});

test('a write that was applied and is refused when it is sent again is the cause, unless it only came too often', () => {
  for (const status of [400, 404, 409, 499]) expect(titlesOf(finding(status))).toEqual([SENT_AGAIN]);
  for (const status of [200, 399, 429, 500, 503])
    expect(titlesOf(finding(status))).toEqual(['lost breaks the command']);
});

test('a request that failed and is not sent again is the cause, unless the app may have looked up what was applied', () => {
  expect(titlesOf(finding(null, { disturbance: lostBefore }))).toEqual([NOT_SENT_AGAIN]);
  expect(titlesOf(finding(null))).toEqual(['lost breaks the command']);
  expect(titlesOf(finding(409, { disturbance: lostBefore }))).toEqual(['lost breaks the command']);
});

test('findings with one cause are one, and what was survived has none', () => {
  const results = [
    finding(409),
    finding(201, { verdict: 'applied-twice' }),
    finding(409, { verdict: 'survived' }),
  ];
  expect(findCauses(results)).toMatchObject([{ title: SENT_AGAIN, results: results.slice(0, 2) }]);
});
