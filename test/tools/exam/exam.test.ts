import { expect, test } from 'vitest';
import { type RunPart, runExam } from '../../../src/tools/exam/exam.ts';
import type { FinishedRun } from '../../../src/tools/exam/judge.ts';
import type { Disturbance, Misbehaviour } from '../../../src/tools/exam/misbehaviour.ts';
import type { RunRecord } from '../../../src/tools/exam/run-record.ts';

/** The record of a command that every misbehaviour struck, and that created nothing. */
const record = {
  history: { called: [], usesLibrary: false },
  operations: 1,
  isUsed: true,
  created: [],
  strikesOf: () => 1,
  extrasOf: () => [],
  failedCallsOf: () => [],
  around: () => [],
} as unknown as RunRecord;

const misbehaviour = (id: string, disturbance: Disturbance): Misbehaviour => ({
  id,
  kind: 'benign',
  why: '',
  sound: '',
  disturb: () => disturbance,
});

/** Examines a command that fails under the disturbances of which `fails` is true. Returns verdicts and reasons by id. */
async function examine(
  group: readonly Misbehaviour[],
  fails: (disturbance: Disturbance) => boolean,
): Promise<Record<string, string>> {
  const run = async (parts: readonly RunPart[]): Promise<FinishedRun> => {
    const code = parts.some(({ disturbance }) => fails(disturbance)) ? 1 : 0;
    return { code, isTimedOut: false, output: '', durationMs: 1, record, records: [] };
  };
  const { results } = await runExam({
    misbehaviours: group,
    groups: [group.map(({ id }) => id)],
    parallel: 1,
    signal: new AbortController().signal,
    timeLimit: 3,
    run,
    now: () => 0,
    onBaseline: () => undefined,
    onRun: () => undefined,
    onFinding: () => undefined,
  });
  return Object.fromEntries(
    results.map(({ misbehaviour: { id }, verdict, reason }) => [id, `${verdict}: ${reason}`]),
  );
}

const COUNTS =
  'not-exercised: the tests fail as soon as there are two other cardholders with cards, so they count records';

const crowded = misbehaviour('crowded', { crowd: [{}] });
const others = misbehaviour('others', { fixture: {} });
const renamed = misbehaviour('renamed', { people: [{ firstName: 'Zoë', lastName: 'Li' }] });
const long = misbehaviour('long', { options: { idLength: 64 } });

test('every misbehaviour of a group under which tests fail that count records says so', async () => {
  const isCounting = ({ crowd, fixture }: Disturbance) => (crowd ?? fixture) !== undefined;
  expect(await examine([crowded, others], isCounting)).toEqual({ crowded: COUNTS, others: COUNTS });
});

test('what is left of a group without what tests fail under for their own reasons is examined', async () => {
  const isCounting = ({ crowd, fixture }: Disturbance) => (crowd ?? fixture) !== undefined;
  const passed = 'survived: the command passed';
  const rest = { renamed: passed, long: passed };
  expect(await examine([renamed, others, long, crowded], isCounting)).toEqual({
    ...rest,
    others: COUNTS,
    crowded: COUNTS,
  });
  const isBroken = (each: Disturbance) => isCounting(each) || each.options !== undefined;
  expect(await examine([renamed, others, long, crowded], isBroken)).toMatchObject({
    renamed: passed,
    others: COUNTS,
    crowded: COUNTS,
    long: 'broke: the command failed (exit code 1)',
  });
});
