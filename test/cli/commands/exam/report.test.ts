import { expect, test } from 'vitest';
import { prettyReport } from '../../../../src/cli/commands/exam/report.ts';
import { jsonReport, type Result } from '../../../../src/tools/exam/exam.ts';
import type { Verdict } from '../../../../src/tools/exam/judge.ts';
import { RunRecord } from '../../../../src/tools/exam/run-record.ts';

/** A finding about a write that was sent again. */
function repeated(
  id: string,
  operation: string,
  verdict: Verdict,
  repeatStatus: number,
  reason: string,
): Result {
  return {
    misbehaviour: { id, kind: 'benign', why: 'Networks fail.', sound: 'Look it up.', disturb: () => ({}) },
    disturbance: { faults: [{ drop: true, when: 'after' }] },
    verdict,
    reason,
    remarks: [],
    lines: [],
    file: null,
    happenings: [],
    durationMs: 1,
    failedCalls: [{ operation, repeatStatus, request: 'POST /', isFollowed: true, happenings: [] }],
  };
}

test('a cause shows one result in full, that which is new, and the records of each double', () => {
  const results = [
    repeated('lost.create', 'cardholders.create', 'broke', 400, 'the command failed (exit code 1)'),
    repeated('lost.freeze', 'cards.freeze', 'broke', 400, 'the command failed (exit code 2)'),
    repeated(
      'lost.issue',
      'cards.issue',
      'applied-twice',
      201,
      '2 cards of one: req_1 created a, and req_2 created b',
    ),
  ];
  const baseline = { code: 0, isTimedOut: false, output: '', durationMs: 1, record: new RunRecord([], 0) };
  const findings = { baseline, results, durationMs: 1 };
  const text = prettyReport(findings, jsonReport(findings), {
    command: 'true',
    repeat: id => `exam --only ${id}`,
    isKnown: ({ misbehaviour }) => misbehaviour.id === 'lost.create',
  });
  expect(text).toContain('  broke lost.create (known)\n  broke lost.freeze\n');
  expect(text).toContain(
    '  applied-twice lost.issue: 2 cards of one: req_1 created a, and req_2 created b\n',
  );
  expect(text).toContain('  lost.freeze: the command failed (exit code 2)\n');
  expect(text).not.toContain('exit code 1');
  expect(text).toContain('  Try it alone: exam --only lost.freeze\n');
});
