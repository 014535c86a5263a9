import { BuiltFixture } from '../../../sandbox/fixtures/define/built-fixture.ts';
import { DEFAULT_FIXTURE } from '../../../sandbox/fixtures/file/source.ts';
import { Attendance } from '../../../tools/exam/attendance.ts';
import { EXAM_VARIABLE, placeOrder } from '../../../tools/exam/exam-order.ts';
import type { FinishedRun } from '../../../tools/exam/judge.ts';
import type { Disturbance } from '../../../tools/exam/misbehaviour.ts';
import { RunRecord } from '../../../tools/exam/run-record.ts';
import { startOwnSandbox } from '../../sandbox/lent-sandbox.ts';
import type { ServeFlags } from '../../sandbox/sandbox-flags.ts';
import { childEnvironment } from '../exec/run-child.ts';
import { runCaptured } from './run-captured.ts';

/** The name of the fixture of a disturbance, in messages. */
const FIXTURE = 'the records of the exam';

/** Runs a command in a sandbox of its own, under a disturbance. Rejects when the sandbox cannot be started. */
export async function runExamined(
  words: readonly string[],
  flags: ServeFlags,
  disturbance: Disturbance,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<FinishedRun> {
  const record = new RunRecord();
  if (flags.clock !== undefined) record.addOwnClock();
  const attendance = new Attendance(disturbance, record);
  const { fixtures = [DEFAULT_FIXTURE] } = flags;
  const { fixture } = disturbance;
  const added = fixture === undefined ? [] : [new BuiltFixture(FIXTURE, fixture)];
  const sandbox = await startOwnSandbox(
    { ...flags, ...disturbance.options, allowHttpWebhooks: true, fixtures: [...fixtures, ...added] },
    null,
    attendance,
  );
  const order = await placeOrder(disturbance);
  try {
    const startedAt = performance.now();
    const variables = { ...sandbox.variables, [EXAM_VARIABLE]: order.file };
    const run = await runCaptured(words, childEnvironment(process.env, variables), limitMs, signal);
    const durationMs = performance.now() - startedAt;
    await order.readInto(record);
    return { ...run, durationMs, record };
  } finally {
    await Promise.all([sandbox.release(), order.remove()]);
  }
}
