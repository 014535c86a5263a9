import { expect, test } from 'vitest';
import { catalogue } from '../../../src/tools/exam/catalogue/catalogue.ts';
import {
  BASELINE,
  detailOf,
  type ExamPlan,
  jsonReport,
  type Result,
  runExam,
} from '../../../src/tools/exam/exam.ts';
import type { FinishedRun } from '../../../src/tools/exam/judge.ts';
import type { Disturbance } from '../../../src/tools/exam/misbehaviour.ts';
import { RunRecord } from '../../../src/tools/exam/run-record.ts';
import { DELIVERY, ISSUE } from './log-entries.ts';

/** A run with these changes, in which a card was issued. `notes` adds what else happened. */
function runWith(
  changes: Partial<FinishedRun> = {},
  notes: (record: RunRecord) => void = record => record.addRequest(ISSUE, false, null),
): FinishedRun {
  const record = new RunRecord();
  notes(record);
  return { code: 0, isTimedOut: false, output: '', durationMs: 7, record, ...changes };
}

const isDisturbed = (disturbance: Disturbance) => Object.keys(disturbance).length > 0;

/** Examines misbehaviours, in the order of these ids, with runs that depend on the disturbance. */
function examine(
  ids: readonly string[],
  run: (disturbance: Disturbance, limitMs: number) => FinishedRun,
  plan: Partial<ExamPlan> = {},
) {
  return runExam({
    misbehaviours: ids.flatMap(id => catalogue.find(each => each.id === id) ?? []),
    combinations: 0,
    parallel: 1,
    stopsAfter: () => false,
    limitOf: () => 30_000,
    now: () => 0,
    run: async (disturbance, limitMs) => run(disturbance, limitMs),
    ...plan,
  });
}

test('nothing is tried when the undisturbed run fails, and the report says so', async () => {
  const subjects: string[] = [];
  const findings = await examine(['ids-long'], () => runWith({ code: 3 }), {
    onRun: async (_, subject) => void subjects.push(subject),
  });
  expect(subjects).toEqual([BASELINE]);
  expect(findings.results).toEqual([]);
  expect(jsonReport(findings)).toMatchObject({ baseline: 'failed', results: [], causes: [] });
});

test('the undisturbed run may take a quarter of an hour, and the others what is chosen by it', async () => {
  const limits: number[] = [];
  const run = (_: Disturbance, limitMs: number) => {
    limits.push(limitMs);
    return runWith({ durationMs: 11 });
  };
  await examine(['ids-long'], run, { limitOf: ({ durationMs }) => durationMs * 2 });
  expect(limits).toEqual([900_000, 22]);
});

test('the exam takes from its start until its last result', async () => {
  let now = 100;
  const run = () => {
    now += 40.4;
    return runWith();
  };
  expect((await examine(['ids-long'], run, { now: () => now })).durationMs).toBe(81);
  expect((await examine(['ids-long'], run, { now: () => now })).results[0]?.durationMs).toBe(7);
  const failing = () => {
    now += 40.4;
    return runWith({ code: 1 });
  };
  expect((await examine(['ids-long'], failing, { now: () => now })).durationMs).toBe(40);
});

test('how many runs follow is known beforehand, without those that cannot be triggered', async () => {
  const counts: (number | string)[] = [];
  const { results } = await examine(['webhooks-twice', 'ids-long', 'error-500-before'], () => runWith(), {
    onBaseline: ({ durationMs }, runs) => counts.push(durationMs, runs),
    onCombinations: runs => counts.push(runs),
    onResult: ({ misbehaviour }) => counts.push(misbehaviour.id),
  });
  expect(counts).toEqual([7, 2, 'ids-long', 'error-500-before', 0]);
  expect(results.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['not-exercised', 'no webhook was sent to a receiver'],
    ['survived', 'the command passed'],
    ['not-exercised', 'not triggered; the command passed'],
  ]);
});

test('an exam that stops at a finding says of the others that they were not run', async () => {
  const run = (disturbance: Disturbance) => runWith({ code: isDisturbed(disturbance) ? 1 : 0 });
  let combinations = 0;
  const { results } = await examine(['ids-long', 'key-rotated', 'responses-in-pieces'], run, {
    combinations: 5,
    stopsAfter: ({ verdict }) => verdict === 'broke',
    onCombinations: runs => {
      combinations += runs;
    },
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['broke', 'not-exercised', 'not-exercised']);
  expect(results[1]?.reason).toBe('not run, because the exam stopped at the first finding');
  expect(combinations).toBe(0);
});

test('a misbehaviour that cannot be set up is not exercised, and the reason is shown', async () => {
  const run = (disturbance: Disturbance) => {
    if (isDisturbed(disturbance)) throw new Error('the fixture is invalid');
    return runWith();
  };
  const { results } = await examine(['ids-long'], run);
  expect(results).toMatchObject([
    {
      verdict: 'not-exercised',
      reason: 'it could not be set up: the fixture is invalid',
      disturbance: {},
      remarks: [],
      lines: [],
      file: null,
      failedCalls: [],
      happenings: [],
      next: [],
      durationMs: 0,
      isHarmless: false,
    },
  ]);
});

test('combinations are tried after what was survived alone, and no more than are asked for', async () => {
  const run = () => runWith({}, record => record.addRequest(ISSUE, true, null));
  const lost = 'connection-lost-after.cards.issue';
  const ids = async (combinations: number) => {
    const { results } = await examine([lost, 'error-503-before'], run, { combinations });
    return results.map(({ misbehaviour }) => misbehaviour.id);
  };
  expect(await ids(0)).toEqual([lost, 'error-503-before']);
  expect(await ids(2)).toEqual([
    lost,
    'error-503-before',
    `${lost}+${lost}`,
    `error-503-before.cards.issue+${lost}`,
  ]);
});

test('as many runs as are allowed go on at once', async () => {
  const waiting: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const run = async (disturbance: Disturbance) => {
    if (!isDisturbed(disturbance)) return runWith();
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>(resolve => {
      waiting.push(resolve);
      setImmediate(() => {
        for (const next of waiting.splice(0)) next();
      });
    });
    running -= 1;
    return runWith();
  };
  await examine(['ids-long', 'key-rotated', 'responses-in-pieces'], () => runWith(), { run, parallel: 2 });
  expect(most).toBe(2);
});

test('requests of sandbox.api are spared only where the app has its own', async () => {
  const spared = async (usesLibrary: boolean, isReplayed = false) => {
    const ran: Disturbance[] = [];
    const run = (disturbance: Disturbance) => {
      ran.push(disturbance);
      return runWith({}, record => {
        record.addRequest(ISSUE, false, null);
        if (usesLibrary) record.addRequest(ISSUE, false, null, true);
      });
    };
    await examine(['error-500-before'], run, { isReplayed });
    return ran.map(({ sparesLibrary }) => sparesLibrary);
  };
  expect(await spared(false)).toEqual([undefined, undefined]);
  expect(await spared(true)).toEqual([undefined, true]);
  expect(await spared(true, true)).toEqual([undefined, undefined]);
});

test('a run that is replayed later has no control runs, so what fails is a finding', async () => {
  const subjects: string[] = [];
  const run = (disturbance: Disturbance) =>
    runWith({ code: isDisturbed(disturbance) ? 1 : 0 }, record => {
      record.addRequest({ ...ISSUE, operation: 'cardholders.list' }, false, null);
    });
  const { results } = await examine(['lists-longer-than-a-page'], run, {
    isReplayed: true,
    onRun: async (_, subject) => void subjects.push(subject),
  });
  expect(results[0]?.verdict).toBe('broke');
  expect(subjects).toEqual([BASELINE, 'lists-longer-than-a-page']);
});

test('a write that failed and was not sent again is a remark when the command passes', async () => {
  const remarks = async (id: string, method: string, notes: (record: RunRecord) => void, code = 0) => {
    const run = (disturbance: Disturbance) =>
      isDisturbed(disturbance)
        ? runWith({ code }, record => {
            record.addRequest({ ...ISSUE, method, status: 503 }, true, 'failure_1');
            notes(record);
          })
        : runWith({}, record => record.addRequest({ ...ISSUE, method }, false, null));
    return (await examine([id], run)).results[0]?.remarks;
  };
  const nothing = () => undefined;
  const lost = 'POST /v1/partner/cards failed and was not sent again; the command passed without its effect';
  expect(await remarks('error-503-before', 'POST', nothing)).toEqual([lost]);
  expect(await remarks('error-503-before', 'POST', nothing, 1)).toEqual([]);
  expect(await remarks('error-503-before', 'GET', nothing)).toEqual([]);
  expect(await remarks('error-503-after', 'POST', nothing)).toEqual([]);
  const again = (record: RunRecord) => record.addRequest(ISSUE, false, 'failure_1');
  expect(await remarks('error-503-before', 'POST', again)).toEqual([]);
  const early = (record: RunRecord) => {
    again(record);
    record.addEarlyRepeat('POST', '/v1/partner/cards');
  };
  expect(await remarks('rate-limited', 'POST', early)).toEqual([
    'POST /v1/partner/cards was sent again sooner than Retry-After says',
  ]);
});

test('a finding shows the failing lines, their file and what happened around the request that tells the cause', async () => {
  const output = ' FAIL  cards.test.ts > one card\nError: two cards\n ❯ cards.test.ts:3:4\n';
  const run = (disturbance: Disturbance) =>
    isDisturbed(disturbance)
      ? runWith({ code: 1, output }, record => {
          record.addRequest({ ...ISSUE, url: '/first' }, true, null);
          for (let count = 0; count < 9; count += 1) record.addRequest(ISSUE, false, null);
          record.addRequest({ ...ISSUE, url: '/lost', status: 500 }, true, 'failure_1');
        })
      : runWith();
  const { results } = await examine(['error-500-before'], run);
  expect(results[0]).toMatchObject({
    verdict: 'broke',
    file: 'cards.test.ts',
    next: [{ operation: 'cards.issue', place: 2 }],
  });
  const [result] = results as [Result];
  expect(result.lines[0]).toBe('FAIL  cards.test.ts > one card');
  expect(result.happenings.map(({ text }) => text).at(-1)).toBe('POST /lost -> 500');
  expect(result.happenings).toHaveLength(4);
});

test('what was survived shows neither lines nor happenings', async () => {
  const run = () => runWith({ output: 'Error: handled' }, record => record.addRequest(ISSUE, true, null));
  const { results } = await examine(['error-500-before'], run);
  expect(results[0]).toMatchObject({ verdict: 'survived', lines: [], file: null, happenings: [] });
});

test('a forged webhook that is accepted is a finding with what happened around it', async () => {
  const run = () =>
    runWith({}, record => {
      record.addDelivery(DELIVERY, false);
      record.addDelivery({ ...DELIVERY, fault: 'other_secret', isExtra: true }, true);
    });
  const { results } = await examine(['signature-other-secret'], run);
  expect(results[0]).toMatchObject({
    verdict: 'accepted',
    happenings: [
      { text: 'webhook card.issued -> 204', isAffected: false },
      { text: 'additional webhook of card.issued [other_secret] -> 204', isAffected: true },
    ],
  });
});

test('the details of a result are its reason, the lines of the command and what the sandbox saw', () => {
  const happenings = [
    { text: 'GET / -> 200', isAffected: false },
    { text: 'POST / -> 503', isAffected: true },
  ];
  expect(detailOf({ reason: 'It failed', lines: ['FAIL a', '  Error'], happenings })).toEqual([
    'It failed',
    'the command printed:',
    '    FAIL a',
    '      Error',
    'the sandbox saw:',
    '    GET / -> 200',
    '  > POST / -> 503',
  ]);
  expect(detailOf({ reason: 'It passed', lines: [], happenings: [] })).toEqual(['It passed']);
});

test('the JSON report counts the verdicts, and has each result with its details and its cause', async () => {
  const run = ({ options }: Disturbance) =>
    options === undefined ? runWith() : runWith({ code: 2, output: 'Error: no' });
  const findings = await examine(['webhooks-twice', 'key-rotated', 'ids-long'], run);
  const report = jsonReport(findings);
  expect(report.baseline).toBe('passed');
  expect(report.summary).toEqual({
    survived: 1,
    broke: 1,
    appliedTwice: 0,
    accepted: 0,
    notExercised: 1,
    durationMs: 0,
  });
  expect(report.results[2]).toEqual({
    id: 'ids-long',
    kind: 'benign',
    verdict: 'broke',
    detail: [
      'the command failed (exit code 2)',
      'the command printed:',
      '    Error: no',
      'the sandbox saw:',
      '    POST /v1/partner/cards -> 201',
    ].join('\n'),
    remarks: [],
  });
  expect(report.causes).toEqual([
    { title: 'ids-long breaks the command', results: ['ids-long'], lines: ['Error: no'] },
  ]);
});
