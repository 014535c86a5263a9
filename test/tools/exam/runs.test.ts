import { expect, test } from 'vitest';
import { catalogue } from '../../../src/tools/exam/catalogue/catalogue.ts';
import { runExam, timeLimit } from '../../../src/tools/exam/exam.ts';
import type { FinishedRun } from '../../../src/tools/exam/judge.ts';
import type { Disturbance } from '../../../src/tools/exam/misbehaviour.ts';
import type { RunRecord } from '../../../src/tools/exam/run-record.ts';
import { ATTEMPT, ISSUE, type Line, recordOf } from './records.ts';

/** An exam of one run after the other. */
const PLAN = { parallel: 1, stopsAfter: () => false, limitOf: () => 1, now: () => 0 };

/** A run that passed and took this long. `struck` says whether the misbehaviour affected its webhook. */
function passed(struck: boolean, durationMs = 1): FinishedRun {
  return run([{ entry: ISSUE }, { attempt: { ...ATTEMPT, ...(struck && STRUCK) } }], durationMs);
}

const STRUCK = { struck: ['it'] };

/** A run that passed, of which the record has these lines. */
function run(lines: readonly Line[], durationMs = 1): FinishedRun {
  return { code: 0, isTimedOut: false, output: '', durationMs, record: recordOf(lines) };
}

/** The record of a run that listed cardholders, struck, and read a pending one twice, on a frozen clock. */
const WAITING: RunRecord = recordOf(
  [
    { entry: { ...ISSUE, method: 'GET', path: '/v1/partner/cardholders', status: 200, ...STRUCK } },
    ...[1, 2].map(() => ({
      entry: {
        ...ISSUE,
        method: 'GET',
        path: '/v1/partner/cardholders/ch_1',
        status: 200,
        response: { headers: {}, body: '{"id":"ch_1","kycStatus":"pending"}' },
      },
    })),
  ],
  'frozen',
);

/** Resolves with the result of one misbehaviour, and with how often the command was run under it. */
async function tryOne(id: string, strikesInRun: number) {
  let runs = 0;
  const run = async (_id: string, disturbance: Disturbance) => {
    if (Object.keys(disturbance).length === 0) return passed(false);
    runs += 1;
    return passed(runs === strikesInRun);
  };
  const { results } = await runExam({
    misbehaviours: catalogue.filter(each => each.id === id),
    ...PLAN,
    run,
  });
  return { verdict: results[0]?.verdict, runs };
}

test('a command that ended before its receiver had got the webhook is run again', async () => {
  expect(await tryOne('webhooks-twice', 1)).toEqual({ verdict: 'survived', runs: 1 });
  expect(await tryOne('webhooks-twice', 3)).toEqual({ verdict: 'survived', runs: 3 });
  expect(await tryOne('webhooks-twice', 0)).toEqual({ verdict: 'not-exercised', runs: 3 });
});

test('what fails requests is not tried again, because the command waits for their responses', async () => {
  expect(await tryOne('error-500-before', 0)).toEqual({ verdict: 'not-exercised', runs: 1 });
});

test('what makes a command wait the longest is tried first, and reported in its place', async () => {
  const ids = ['ids-long', 'rate-limited', 'responses-late', 'webhooks-late'];
  const tried: string[] = [];
  const { results } = await runExam({
    ...PLAN,
    misbehaviours: catalogue.filter(({ id }) => ids.includes(id)),
    run: async () => passed(true),
    onResult: ({ misbehaviour }) => tried.push(misbehaviour.id),
  });
  const exercised = results
    .filter(({ verdict }) => verdict === 'survived')
    .map(({ misbehaviour }) => misbehaviour.id);
  expect(tried).toEqual(['responses-late', 'webhooks-late', 'rate-limited', 'ids-long']);
  expect(exercised).toEqual(['rate-limited', 'responses-late', 'webhooks-late', 'ids-long']);
});

/** Examines a command that fails under some disturbances. Resolves with the only result, and the disturbances it ran under. */
async function examineOne(id: string, failsUnder: (disturbance: Disturbance) => boolean) {
  const ran: Disturbance[] = [];
  const run = async (_id: string, disturbance: Disturbance): Promise<FinishedRun> => {
    ran.push(disturbance);
    const code = failsUnder(disturbance) ? 1 : 0;
    return { code, isTimedOut: false, output: '', durationMs: 1, record: WAITING };
  };
  const { results } = await runExam({
    misbehaviours: catalogue.filter(each => each.id === id),
    ...PLAN,
    run,
  });
  return { verdict: results[0]?.verdict, reason: results[0]?.reason, ran };
}

test('other records say nothing about an app whose tests fail with two of them', async () => {
  const { verdict, reason, ran } = await examineOne(
    'lists-longer-than-a-page',
    ({ fixture }) => fixture !== undefined,
  );
  expect(verdict).toBe('not-exercised');
  expect(reason).toContain('they count records');
  expect(ran).toHaveLength(3);
});

test.each([
  ['not-exercised', '2500ms'],
  ['broke', '6s'],
])('slow KYC is %s for tests that fail from %s on', async (verdict, fails) => {
  const result = await examineOne('kyc-slow', ({ kycDelay }) => kycDelay === '6s' || kycDelay === fails);
  expect(result.verdict).toBe(verdict);
});

test('an app that fails with many other records, but not with two, breaks', async () => {
  const { verdict } = await examineOne('lists-longer-than-a-page', ({ crowd = [] }) => crowd.length > 2);
  expect(verdict).toBe('broke');
});

/** What node:test prints when these tests fail. */
const failing = (...names: readonly string[]) =>
  names.map(name => `test at ${name}.test.js:1:1\n✖ ${name} (2.5ms)\n  Error: ${name}`).join('\n');

test('a test that fails with many other records, and not with two, is a finding beside tests that count records', async () => {
  const examineWith = async (many: string) => {
    const run = async (_id: string, { fixture = {} }: Disturbance): Promise<FinishedRun> => {
      const isMany = JSON.stringify(fixture).includes('generate');
      const output = isMany ? many : 'usage' in fixture ? failing('count', 'first') : '';
      const code = output === '' ? 0 : 1;
      return { code, isTimedOut: false, output, durationMs: 1, record: WAITING };
    };
    const { results } = await runExam({
      ...PLAN,
      misbehaviours: catalogue.filter(({ id }) => id === 'lists-longer-than-a-page'),
      run,
    });
    return results[0];
  };
  expect((await examineWith(failing('count')))?.verdict).toBe('not-exercised');
  const found = await examineWith(failing('count', 'copy'));
  expect(found?.verdict).toBe('broke');
  expect(found?.lines[0]).toBe('test at copy.test.js:1:1');
});

test('what remains of a misbehaviour is tried without the part that says nothing', async () => {
  const counts = await examineOne('names-unusual', ({ fixture }) => fixture !== undefined);
  expect(counts.verdict).toBe('survived');
  const [, , , last] = counts.ran;
  expect(Object.keys(last ?? {})).toEqual(['people']);
  const isUnusual = ({ people = [] }: Disturbance) => people.some(({ lastName }) => lastName.includes('Д'));
  expect((await examineOne('names-unusual', isUnusual)).verdict).toBe('broke');
  const isZone = ({ environment }: Disturbance) => environment !== undefined;
  expect((await examineOne('clock-leap-day', isZone)).verdict).toBe('survived');
});

test('a run may take 5 times as long as the undisturbed one, and longer for retries', () => {
  // 15 s, and 3 s for the operation.
  expect(timeLimit(passed(false, 2_000), 5)).toBe(28_000);
  expect(timeLimit(passed(false, 2_000), 1)).toBe(20_000);
});

/** A run in which cards were issued to users, so many to each. */
function issued(counts: readonly number[], isStruck: boolean): FinishedRun {
  const cards = counts.flatMap((count, user) =>
    Array.from({ length: count }, (_, card) => ({
      kind: 'card',
      id: `card_${user}_${card}`,
      owner: `ch_${user}`,
      ownerName: `user${user}`,
      content: { type: 'virtual' },
    })),
  );
  return run([
    { entry: { ...ISSUE, ...(isStruck && STRUCK) } },
    ...cards.map(card => ({ entry: { ...ISSUE, created: [card] } })),
  ]);
}

test.each([
  { again: [], verdict: 'applied-twice', runs: 4 },
  { again: [[2, 1]], verdict: 'survived', runs: 2 },
  {
    again: [
      [1, 1],
      [1, 1],
      [1, 2],
    ],
    verdict: 'survived',
    runs: 4,
  },
])(
  'one card more is $verdict when further undisturbed runs issue $again',
  async ({ again, verdict, runs }) => {
    const rest = [[1, 1], ...again];
    let undisturbed = 0;
    const { results } = await runExam({
      ...PLAN,
      misbehaviours: catalogue.filter(({ id }) => id === 'connection-lost-after.cards.issue'),
      run: async (_id, { faults }) => {
        if (faults !== undefined) return issued([1, 2], true);
        undisturbed += 1;
        return issued(rest.shift() ?? [1, 1], false);
      },
    });
    expect([results[0]?.verdict, undisturbed]).toEqual([verdict, runs]);
    expect(results[0]?.remarks).toEqual(
      verdict === 'survived'
        ? ['more records than in the undisturbed run, which creates another number each time']
        : [],
    );
  },
);

test('a write that failed and was not sent again, and a repeat that came too early, are remarks', async () => {
  const remarks = async (id: string, method: string, ...after: readonly Line[]) => {
    const failed = { ...ISSUE, method, status: 503, fault: 'it', ...STRUCK };
    const { results } = await runExam({
      ...PLAN,
      misbehaviours: catalogue.filter(each => each.id === id),
      run: async (_id, disturbance) =>
        Object.keys(disturbance).length === 0 ? passed(false) : run([{ entry: failed }, ...after]),
    });
    return results[0]?.remarks;
  };
  expect(await remarks('error-503-before', 'POST')).toEqual([
    'POST /v1/partner/cards failed and was not sent again; the command passed without its effect',
  ]);
  expect(await remarks('error-503-before', 'GET')).toEqual([]);
  expect(await remarks('error-503-after', 'POST')).toEqual([]);
  expect(await remarks('error-503-before', 'POST', { entry: ISSUE })).toEqual([]);
  expect(await remarks('rate-limited', 'POST', { entry: { ...ISSUE, early: true } })).toEqual([
    'POST /v1/partner/cards was sent again sooner than Retry-After says',
  ]);
});

test('a run that took too long beside a control that fails cannot be compared, so the rest is tried', async () => {
  const examineWith = async (isTimedOut: boolean) => {
    const run = async (_id: string, { fixture = {} }: Disturbance): Promise<FinishedRun> => {
      const isMany = JSON.stringify(fixture).includes('generate');
      const output = isMany ? failing('count', 'copy') : 'usage' in fixture ? failing('count') : '';
      const code = output === '' ? 0 : 1;
      return { code, isTimedOut: isTimedOut && isMany, output, durationMs: 1, record: WAITING };
    };
    const misbehaviours = catalogue.filter(({ id }) => id === 'lists-longer-than-a-page');
    const { results } = await runExam({ ...PLAN, misbehaviours, run });
    return results[0];
  };
  expect(await examineWith(false)).toMatchObject({ verdict: 'broke' });
  expect((await examineWith(false))?.reason).toMatch(/they count records; the one below passes then$/);
  expect(await examineWith(true)).toMatchObject({ verdict: 'not-exercised' });
});

test('webhooks that are to be repeated are not exercised until one is', async () => {
  expect(await tryOne('webhooks-repeated-later', 0)).toEqual({ verdict: 'not-exercised', runs: 3 });
  expect(await tryOne('webhooks-repeated-later', 2)).toEqual({ verdict: 'survived', runs: 2 });
});
