import type { RecordAttempt, RecordEntry, RecordLine } from '../../../src/control/history/record/format.ts';
import type { WorldRecord } from '../../../src/control/history/record/read.ts';
import { RunRecord } from '../../../src/tools/exam/run-record.ts';

export type Line = RecordLine;

const AT = '2026-03-15T10:00:00.000Z';

/** A request that issued a card, as a record has it. */
export const ISSUE: RecordEntry = {
  id: 'ent_1',
  requestId: 'req_1',
  plane: 'partner',
  at: AT,
  method: 'POST',
  path: '/v1/partner/cards',
  query: '',
  headers: {},
  body: '{}',
  remoteAddress: '127.0.0.1',
  status: 201,
  response: { headers: {}, body: '{}' },
  summary: 'Issue a card',
};

/** A webhook that was accepted at once, as a record has it. */
export const ATTEMPT: RecordAttempt = {
  event: 'evt_1',
  eventType: 'card.issued',
  startedAt: AT,
  at: AT,
  url: 'http://127.0.0.1:1/',
  status: 204,
  cause: null,
  durationMs: 1,
  requestHeaders: {},
  responseBody: null,
  fault: null,
};

/** What a command did in one world, whose record has these lines. */
export function recordOf(lines: readonly Line[], mode: 'running' | 'frozen' = 'running'): RunRecord {
  const options = { kycDelay: '2s' };
  const record = {
    file: 'main.record.jsonl',
    header: { options, start: { clock: { now: AT, mode } } },
    lines: lines.map((line, index) => ({ line, number: index + 2 })),
    end: null,
    // The exam reads no more of a header.
  } as unknown as WorldRecord;
  return new RunRecord([record], Date.parse(AT));
}
