import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiOperations } from '../../../src/tools/exam/catalogue/catalogue.ts';
import type { CreatedRecord } from '../../../src/tools/exam/doubles.ts';
import { detailOf, type ExamPlan, jsonReport, runExam } from '../../../src/tools/exam/exam.ts';
import type { FinishedRun } from '../../../src/tools/exam/judge.ts';
import type { Disturbance, DisturbancePlan, Misbehaviour } from '../../../src/tools/exam/misbehaviour.ts';
import type { ExtraAttempt, FailedCall, RunRecord } from '../../../src/tools/exam/run-record.ts';

/** What a run of an imitated command leaves. What is left out is as in a run that nothing disturbs. */
interface Run {
  readonly code?: number;
  readonly isTimedOut?: boolean;
  readonly output?: string;
  readonly created?: readonly CreatedRecord[];
  /** The ids of what did not strike. */
  readonly missed?: readonly string[];
  readonly extras?: readonly ExtraAttempt[];
  readonly failedCalls?: readonly FailedCall[];
  /** How many webhooks the receiver refused of three that a misbehaviour struck. */
  readonly refused?: number;
  /** How many attempts of a type receivers refused. */
  readonly refusals?: number;
  /** The operations that it called. */
  readonly called?: readonly string[];
}

function misbehaviour(id: string, members: Partial<Misbehaviour> & { disturbance?: Disturbance } = {}) {
  const { disturbance = { rotatesKeys: true }, ...more } = members;
  return { id, kind: 'benign', why: '', sound: '', disturb: () => disturbance, ...more } as Misbehaviour;
}

/** A card of the cardholder of that name. */
const card = (owner: string, id: string, by: string | null = null): CreatedRecord => ({
  ...{ kind: 'card', id, call: `req_${id}`, by, scope: 'main', owner, ownerName: owner },
  ...{ content: {}, shape: owner, isUndone: false },
});

/** Examines an imitated command, of which `run` says what it does under misbehaviours. */
async function examine(
  misbehaviours: readonly Misbehaviour[],
  run: (ids: readonly string[], parts: DisturbancePlan) => Run,
  plan: Partial<ExamPlan> = {},
) {
  const runs: string[][] = [];
  const limits = new Set<number>();
  const found: string[] = [];
  const report = await runExam({
    misbehaviours,
    groups: [misbehaviours.map(({ id }) => id)],
    parallel: 1,
    signal: new AbortController().signal,
    timeLimit: 3,
    run: async (parts, limitMs): Promise<FinishedRun> => {
      const ids = parts.map(({ id }) => id);
      runs.push(ids);
      limits.add(limitMs);
      const { code = 0, isTimedOut = false, output = '', created = [], ...record } = run(ids, parts);
      const { missed = [], extras = [], failedCalls = [], refused = 0, called = [], refusals = 0 } = record;
      return {
        ...{ code, isTimedOut, output, durationMs: 2_000, records: [] },
        record: {
          history: {
            called: apiOperations.filter(({ id }) => called.includes(id)),
            ...{ usesLibrary: false, acceptedWebhooks: [] },
          },
          ...{ operations: 2, isUsed: true, created },
          strikesOf: (id: string) => Number(ids.includes(id) && !missed.includes(id)),
          extrasOf: () => extras,
          webhooksOf: () => ({ all: 3, refused }),
          refusalsOf: () => refusals,
          failedCallsOf: (id: string) => failedCalls.filter(({ by }) => by === id),
          around: () => [],
        } as unknown as RunRecord,
      };
    },
    now: () => 0,
    onBaseline: () => undefined,
    onRun: () => undefined,
    onFinding: name => found.push(name),
    ...plan,
  });
  const { results } = report;
  const verdicts = Object.fromEntries(results.map(each => [each.misbehaviour.id, each.verdict]));
  const reasons = Object.fromEntries(results.map(each => [each.misbehaviour.id, each.reason]));
  return { report, results, verdicts, reasons, runs, limits: [...limits], found };
}

/** `hidden` strikes only alone, and breaks the command then. */
const VERDICTS = {
  sound: 'survived',
  breaks: 'broke',
  doubles: 'applied-twice',
  silent: 'not-exercised',
  hidden: 'broke',
} as const;
type Trait = keyof typeof VERDICTS;

/** A command with a trait for each misbehaviour, and a pair that only breaks it together. */
function commandOf(traits: ReadonlyMap<string, Trait>, pair: readonly string[] = []) {
  return (ids: readonly string[]): Run => {
    const are = (trait: Trait) => ids.filter(id => traits.get(id) === trait);
    const isHidden = ids.length === 1 && are('hidden').length === 1;
    const isPaired = pair.length > 0 && pair.every(id => ids.includes(id));
    return {
      code: are('breaks').length > 0 || isPaired || isHidden ? 1 : 0,
      missed: [...are('silent'), ...(isHidden ? [] : are('hidden'))],
      created: [...traits.keys()].flatMap(id =>
        are('doubles').includes(id) ? [card(id, `${id}-1`, id), card(id, `${id}-2`)] : [card(id, id)],
      ),
    };
  };
}

/** Misbehaviours with what a command does under each, in the groups in which they strike. */
const anyCommand = fc
  .array(
    fc.tuple(fc.constantFrom<Trait>('sound', 'sound', 'breaks', 'doubles', 'silent', 'hidden'), fc.nat(2)),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .map(all => ({
    traits: new Map(all.map(([trait], index) => [`m${index}`, trait])),
    groups: [0, 1, 2].map(group => all.flatMap(([, own], index) => (own === group ? [`m${index}`] : []))),
  }));

test('in any groups, a misbehaviour gets the verdict that it gets alone', async () => {
  await fc.assert(
    fc.asyncProperty(anyCommand, fc.integer({ min: 1, max: 3 }), async ({ traits, groups }, parallel) => {
      const command = commandOf(traits);
      const all = [...traits.keys()].map(id => misbehaviour(id));
      const { verdicts, found, runs } = await examine(all, command, { groups, parallel });
      const expected = Object.fromEntries([...traits].map(([id, trait]) => [id, VERDICTS[trait]]));
      expect(verdicts).toEqual(expected);
      const findings = [...traits].filter(([, trait]) => trait !== 'sound' && trait !== 'silent');
      expect(found.toSorted()).toEqual(findings.map(([id]) => id).toSorted());
      const isSound = [...traits.values()].every(trait => trait === 'sound');
      // One undisturbed run, and one for each group.
      if (isSound) expect(runs).toHaveLength(1 + groups.filter(group => group.length > 0).length);
    }),
    { numRuns: 100 },
  );
});

test('two misbehaviours of any group that break a command only together are found as a pair', async () => {
  const sized = fc.integer({ min: 2, max: 9 }).chain(size =>
    fc.record({
      size: fc.constant(size),
      pair: fc.uniqueArray(fc.nat(size - 1), { minLength: 2, maxLength: 2 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(sized, async ({ size, pair }) => {
      const ids = Array.from({ length: size }, (_, index) => `m${index}`);
      const together = pair.map(index => `m${index}`).toSorted();
      const traits = new Map(ids.map((id): [string, Trait] => [id, 'sound']));
      const { results } = await examine(
        ids.map(id => misbehaviour(id)),
        commandOf(traits, together),
      );
      for (const { misbehaviour: own, verdict, reason, together: found } of results) {
        const isOfPair = together.includes(own.id);
        expect([own.id, verdict]).toEqual([own.id, isOfPair ? 'broke' : 'survived']);
        expect(found?.toSorted()).toEqual(isOfPair ? together : undefined);
        if (isOfPair)
          expect(reason).toMatch(/^the command failed \(exit code 1\) under .* together, and passes/);
      }
    }),
    { numRuns: 50 },
  );
});

test('a pair that together takes too long for a command is a remark', async () => {
  const run = (ids: readonly string[]): Run =>
    ids.length === 2 ? { code: 1, output: 'Error: Timed out in waitFor' } : {};
  const { verdicts, results } = await examine([misbehaviour('slow'), misbehaviour('late')], run);
  expect(verdicts).toEqual({ slow: 'survived', late: 'survived' });
  const text = 'slow and late together take too long for the command';
  expect(results.map(({ remarks }) => remarks)).toEqual([[text], [text]]);
});

test('a pair under which a command failed once and passed in the next run survived with a remark', async () => {
  let failures = 0;
  const run = (ids: readonly string[]): Run => ({ code: ids.length === 2 && failures++ === 0 ? 1 : 0 });
  const { verdicts, results } = await examine([misbehaviour('one'), misbehaviour('other')], run);
  expect(verdicts).toEqual({ one: 'survived', other: 'survived' });
  const text = 'the command failed in one run under one and other together, and passed in the next';
  expect(results.map(({ remarks }) => remarks)).toEqual([[text], [text]]);
});

test('a command that failed in one run of several, and in none with fewer, survived with a remark', async () => {
  let failures = 0;
  const run = (ids: readonly string[]): Run => ({ code: ids.length === 3 && failures++ === 0 ? 1 : 0 });
  const { verdicts, results } = await examine(
    ['a', 'b', 'c'].map(id => misbehaviour(id)),
    run,
  );
  expect(verdicts).toEqual({ a: 'survived', b: 'survived', c: 'survived' });
  const text = 'the command failed in one run with others, and in none with fewer';
  expect(results.map(({ remarks }) => remarks)).toEqual([[text], [text], [text]]);
});

test('a double says how many more there are, and shows the failing lines only where the command failed', async () => {
  const output = ' FAIL  app.test.js > a card is issued once\nAssertionError: expected 2 to be 1\n';
  const created = ['Mia', 'Lena', 'Omar'].map(name => card(name, `only_${name}`));
  const twice = created.flatMap(each => [each, card(each.owner, `more_${each.owner}`)]);
  const run = (code: number) => (ids: readonly string[]) => ({
    ...(ids.length === 0 ? { created } : { created: twice, code, output }),
  });
  const passed = await examine([misbehaviour('lost')], run(0));
  expect(passed.reasons.lost).toBe(
    '2 cards of Mia: req_only_Mia created only_Mia, and req_more_Mia created more_Mia, and 2 more; the command passed',
  );
  const [survivor] = passed.results;
  expect(survivor?.lines).toEqual([]);
  const [failed] = (await examine([misbehaviour('lost')], run(1))).results;
  expect(failed?.verdict).toBe('applied-twice');
  expect(failed && detailOf(failed)).toEqual([
    expect.stringMatching(/and 2 more; the command failed \(exit code 1\)$/),
    'the command printed:',
    '    FAIL  app.test.js > a card is issued once',
    '      AssertionError: expected 2 to be 1',
  ]);
});

test.each([
  ['more', 3],
  ['fewer', 1],
] as const)(
  'a command that by itself creates %s records now and then has no doubles, and the remark says so',
  async (_, now) => {
    // The first three undisturbed runs agree by chance.
    const counts = [2, 2, 2, now];
    const cards = (count: number) => Array.from({ length: count }, (_each, n) => card('Mia', `card_${n}`));
    const run = (ids: readonly string[]): Run => ({
      created: cards(ids.length > 0 ? 3 : (counts.shift() ?? now)),
    });
    const { verdicts, results, runs } = await examine([misbehaviour('lost')], run);
    expect(verdicts).toEqual({ lost: 'survived' });
    expect(results[0]?.remarks).toEqual([
      'more records than in the undisturbed run, which creates another number each time',
    ]);
    expect(runs).toEqual([[], ['lost'], [], [], []]);
  },
);

const forged = (id: string) => misbehaviour(id, { kind: 'forged' });
const extra = (status: number | null, isUnanswered = false, mayHaveArrived = true): ExtraAttempt => ({
  ...{ eventType: 'card.issued', status, isUnanswered, mayHaveArrived },
  isBesideAccepted: status !== null,
});
/** Beside a genuine webhook that was not accepted, either. */
const untelling = (status: number): ExtraAttempt => ({ ...extra(status), isBesideAccepted: false });
const UNTELLING = /^not triggered: the receiver refuses genuine webhooks, too; the command passed$/;

test.each<[what: string, run: Run, verdict: string, reason: RegExp]>([
  ['with 200', { extras: [extra(401), extra(200)] }, 'accepted', /answered 1 forged webhook with 2xx/],
  ['with 299 twice', { extras: [extra(299), extra(299)] }, 'accepted', /answered 2 forged webhooks with 2xx/],
  ['with 400 or 499', { extras: [extra(400), extra(499)] }, 'survived', /^the command passed$/],
  ['with 300', { extras: [extra(300)] }, 'broke', /the receiver answered 300 instead of a 4xx/],
  ['with 500', { extras: [extra(401), extra(500)] }, 'broke', /the receiver answered 500 instead of a 4xx/],
  ['with 401 as the genuine one', { extras: [untelling(401)] }, 'not-exercised', UNTELLING],
  ['with 503 as the genuine one', { extras: [untelling(503)] }, 'not-exercised', UNTELLING],
  ['with 401 as one and 401 alone', { extras: [untelling(503), extra(401)] }, 'survived', /passed$/],
  ['with 401, and fails', { extras: [untelling(401)], code: 1 }, 'broke', /^the command failed/],
  ['with 200, unlike the genuine one', { extras: [untelling(200)] }, 'accepted', /with 2xx$/],
  [
    'with nothing',
    { extras: [extra(null, true)] },
    'broke',
    /the receiver gave no response instead of a 4xx/,
  ],
  ['perhaps never', { extras: [extra(null)] }, 'not-exercised', /^not triggered; the command passed$/],
  ['perhaps never, and fails', { extras: [extra(null)], code: 1 }, 'broke', /^the command failed/],
  ['never', { extras: [extra(null, false, false)] }, 'not-exercised', /^not triggered; the command passed$/],
])('a receiver that answers forged webhooks %s is judged by that', async (_, run, verdict, reason) => {
  const { verdicts, reasons } = await examine([forged('forgery')], ids => (ids.length === 0 ? {} : run));
  expect(verdicts).toEqual({ forgery: verdict });
  expect(reasons.forgery).toMatch(reason);
});

test('a receiver that answers an additional genuine webhook with 500 broke, and with 499 did not', async () => {
  const under = (status: number) =>
    examine([misbehaviour('type')], ids => (ids.length === 0 ? {} : { extras: [extra(status)] }));
  expect((await under(500)).reasons).toEqual({ type: 'the receiver answered 500 instead of a 2xx' });
  expect((await under(499)).verdicts).toEqual({ type: 'survived' });
  const alike = await examine([misbehaviour('type')], ids =>
    ids.length === 0 ? {} : { extras: [untelling(500)] },
  );
  expect(alike.verdicts).toEqual({ type: 'not-exercised' });
});

test.each(['forged', 'benign'] as const)(
  'a %s webhook that got the refusal which the test plans for the first one says nothing',
  async kind => {
    const all = [misbehaviour('extra', { kind })];
    const planned = await examine(all, ids => ({ extras: ids.map(() => extra(500)), refusals: 1 }));
    expect(planned.verdicts).toEqual({ extra: 'not-exercised' });
    expect(planned.reasons.extra).toMatch(UNTELLING);
    const more = await examine(all, ids => ({ extras: ids.map(() => extra(500)), refusals: 1 + ids.length }));
    expect(more.verdicts).toEqual({ extra: 'broke' });
    const accepted = await examine(all, ids => ({ extras: ids.map(() => extra(200)), refusals: 1 }));
    expect(accepted.verdicts).toEqual({ extra: kind === 'forged' ? 'accepted' : 'survived' });
  },
);

test('a condition that another misbehaviour of its run hides is tried alone', async () => {
  const call = (members: Partial<FailedCall> = {}): FailedCall => ({
    ...{ by: 'fails', operation: 'usage.list', request: 'GET /usage', repeatStatus: null, isFollowed: false },
    ...{ happenings: [], ...members },
  });
  const all = [
    misbehaviour('fails', { disturbance: { faults: [{ status: 500, times: 1 }] } }),
    misbehaviour('keys'),
    misbehaviour('clock', { disturbance: { options: { clock: '2028-02-29T12:00:00.000Z' } } }),
    misbehaviour('others', { disturbance: { fixture: {} } }),
    misbehaviour('cards', {
      disturbance: { faults: [{ operations: ['cards.list'], unknownStatusOf: 'x', ridesAlong: true }] },
    }),
  ];
  const runsAlone = async (failed: FailedCall) => {
    const { verdicts, runs } = await examine(all, ids => ({
      code: ids.length === 1 && ids.includes('clock') ? 1 : 0,
      failedCalls: ids.includes('fails') ? [failed] : [],
    }));
    return [verdicts.clock, ...runs.slice(2).flat()];
  };
  expect(await runsAlone(call())).toEqual(['broke', 'clock', 'others']);
  expect(await runsAlone(call({ repeatStatus: 503, isFollowed: true }))).toEqual([
    'broke',
    'clock',
    'others',
  ]);
  expect(await runsAlone(call({ request: 'POST /usage' }))).toEqual(['broke', 'clock']);
  expect(await runsAlone(call({ operation: 'cards.list' }))).toEqual(['broke', 'clock', 'others', 'cards']);
  // The response came in the end, so that the run says as much as any.
  expect(await runsAlone(call({ repeatStatus: 200, isFollowed: true }))).toEqual(['survived']);
  expect(await runsAlone(call({ isFollowed: true }))).toEqual(['survived']);
});

test('a misbehaviour without a mark under which the command fails alone each time broke it, and says so', async () => {
  const all = ['sound', 'unmarked', 'forged'].map(id =>
    misbehaviour(id, id === 'forged' ? { kind: 'forged' } : {}),
  );
  const run = (ids: readonly string[]): Run => ({
    code: ids.includes('unmarked') || ids.includes('forged') ? 1 : 0,
    output: 'Error: no webhook came',
    missed: ['unmarked'],
  });
  const { verdicts, reasons, results, found } = await examine(all, run);
  expect(verdicts).toEqual({ sound: 'survived', unmarked: 'broke', forged: 'broke' });
  const reason =
    'the command failed (exit code 1), each time under this alone and never undisturbed; the record does not show where it struck';
  expect([reasons.unmarked, reasons.forged]).toEqual([reason, reason]);
  expect(results[1]?.lines.join()).toContain('no webhook came');
  expect(found.toSorted()).toEqual(['forged', 'unmarked']);
});

test.each<[what: string, fails: (ids: readonly string[], run: number) => boolean]>([
  ['undisturbed too, now and then', (ids, run) => ids.length > 0 || run === 3],
  ['in the first of its runs', (ids, run) => ids.length > 0 && run === 1],
  ['in the second of its runs', (ids, run) => ids.length > 0 && run === 2],
  ['in two of three runs', (ids, run) => ids.length > 0 && run !== 2],
  ['in all of its runs but the first', (ids, run) => ids.length > 0 && run !== 1],
])('a misbehaviour without a mark is not exercised where the command fails %s', async (_, fails) => {
  let runs = 0;
  const { verdicts } = await examine([misbehaviour('unmarked')], ids => ({
    code: fails(ids, runs++) ? 1 : 0,
    missed: ['unmarked'],
  }));
  expect(verdicts).toEqual({ unmarked: 'not-exercised' });
});

test('webhooks that a receiver refused under a benign misbehaviour are a remark where the command passed', async () => {
  const remarks = async (one: Misbehaviour, undisturbed: number, answer?: number) => {
    const { results, verdicts } = await examine([one], ids => ({
      refused: ids.length === 0 ? undisturbed : 2,
      extras: answer === undefined ? [] : [extra(answer)],
    }));
    expect(Object.values(verdicts)).toEqual(['survived']);
    return results.flatMap(each => each.remarks);
  };
  const text = (what: string) => [
    `the receiver refused ${what} webhooks that this struck, and accepts such webhooks undisturbed`,
  ];
  expect(await remarks(misbehaviour('twice'), 1)).toEqual(text('2 of 3'));
  expect(await remarks(misbehaviour('type'), 0, 404)).toEqual(text('3 of 4'));
  expect(await remarks(misbehaviour('type'), 0, 200)).toEqual(text('2 of 4'));
  expect(await remarks(misbehaviour('twice'), 2)).toEqual([]);
  expect(await remarks(forged('forgery'), 0, 401)).toEqual([]);
});

test('fewer records and operations that are not called are remarks where the command passed', async () => {
  const run = (code: number) => (ids: readonly string[]) =>
    ids.length === 0
      ? {
          created: [card('Mia', 'a'), card('Ada', 'b')],
          called: ['cards.issue', 'cards.freeze', 'cards.list'],
        }
      : { created: [card('Mia', 'a')], called: ['cards.list', 'balance.get'], code };
  const passed = await examine([misbehaviour('down')], run(0));
  expect(passed.verdicts).toEqual({ down: 'survived' });
  expect(passed.results[0]?.remarks).toEqual([
    '1 card was created, 2 in the undisturbed run',
    'not called, unlike in the undisturbed run: POST /partner/cards, POST /partner/cards/{id}/freeze',
  ]);
  const together = await examine([misbehaviour('down'), misbehaviour('late')], run(0));
  for (const { remarks } of together.results)
    expect(remarks[0]).toBe('in a run with others: 1 card was created, 2 in the undisturbed run');
  const failed = await examine([misbehaviour('down')], run(1));
  expect(failed.results[0]).toMatchObject({ verdict: 'broke', remarks: [] });
});

test('a run may take three times as long as the undisturbed one, and the time of retries', async () => {
  const run = (ids: readonly string[]): Run =>
    ids.length === 0 ? {} : { code: 1, isTimedOut: true, output: 'Error: x' };
  const { limits, reasons } = await examine([misbehaviour('late')], run);
  // The undisturbed run took 2 s and called two operations; it may take 15 minutes itself.
  expect(limits).toEqual([900_000, 3 * 2_000 + 15_000 + 2 * 3_000]);
  expect(reasons.late).toBe('the command failed (stopped after 2 s); --time-limit gives it more time');
});

test('a command that fails undisturbed is not examined', async () => {
  const { report, runs } = await examine([misbehaviour('one')], () => ({ code: 1 }));
  expect([report.results, report.runs, runs]).toEqual([[], 0, [[]]]);
  expect(jsonReport(report).baseline).toBe('failed');
});

test.each([
  ['fails whenever it is run again', () => true, 'failed', 1],
  ['fails under each misbehaviour only', (ids: readonly string[]) => ids.length > 0, 'passed', 1],
  ['passes under one misbehaviour', (ids: readonly string[]) => !ids.includes('two'), 'passed', 0],
] as const)(
  'a command that %s is run undisturbed once more only where no run passed, and fails as a whole there',
  async (_, fails, baseline, more) => {
    let count = 0;
    const all = ['one', 'two'].map(id => misbehaviour(id));
    const { report, runs } = await examine(all, ids => ({ code: count++ > 0 && fails(ids) ? 1 : 0 }), {
      groups: [['one'], ['two']],
    });
    expect(jsonReport(report)).toMatchObject({
      baseline,
      summary: { broke: baseline === 'failed' ? 0 : 1 + more },
    });
    expect(runs.slice(1).filter(ids => ids.length === 0)).toHaveLength(more);
    expect(report.runs).toBe(runs.length - 1);
  },
);

test('what is left when the exam is stopped was not run, and says so', async () => {
  const stop = new AbortController();
  const run = (ids: readonly string[]): Run => {
    if (ids.includes('second')) stop.abort();
    return {};
  };
  const groups = [['first'], ['second'], ['third']];
  const all = groups.flat().map(id => misbehaviour(id));
  const { reasons, report } = await examine(all, run, { groups, signal: stop.signal });
  const reason = 'not run, because the exam was stopped';
  expect(reasons).toEqual({ first: 'the command passed', second: reason, third: reason });
  expect(jsonReport(report).summary).toMatchObject({ survived: 1, notExercised: 2, runs: 2 });
});

test('a request that was not sent again is a remark where the command passed, unless it was applied', async () => {
  const call = {
    by: 'lost',
    operation: 'cards.freeze',
    request: 'POST /cards/x/freeze',
    isFollowed: false,
  } as FailedCall;
  const remarks = async (failedCalls: readonly FailedCall[], when: 'before' | 'after') => {
    const lost = misbehaviour('lost', { disturbance: { faults: [{ drop: true, when }] } });
    return (await examine([lost], ids => (ids.length === 0 ? {} : { failedCalls }))).results[0]?.remarks;
  };
  const text = 'POST /cards/x/freeze failed and was not sent again; the command passed without its effect';
  expect(await remarks([call, call], 'before')).toEqual([text]);
  expect(await remarks([call], 'after')).toEqual([]);
  expect(await remarks([{ ...call, isFollowed: true }], 'before')).toEqual([]);
  expect(await remarks([{ ...call, request: 'GET /cards' }], 'before')).toEqual([]);
});

const COUNTS =
  'not-exercised: the tests fail as soon as there are two other cardholders with cards, so they count records, or take the first that they find';

const crowded = misbehaviour('crowded', { disturbance: { crowd: [{}] } });
const others = misbehaviour('others', { disturbance: { fixture: {} } });
const renamed = misbehaviour('renamed', { disturbance: { people: [{ firstName: 'Zoë', lastName: 'Li' }] } });
const long = misbehaviour('long', { disturbance: { options: { idLength: 64 } } });
const isCounting = ({ crowd, fixture }: Disturbance) => (crowd ?? fixture) !== undefined;

/** The verdicts and reasons of a group under a command that fails under some disturbances. */
async function underFailing(group: readonly Misbehaviour[], fails: (disturbance: Disturbance) => boolean) {
  const { results } = await examine(group, (_, parts) => ({
    code: parts.some(({ id: _id, ...disturbance }) => fails(disturbance)) ? 1 : 0,
  }));
  return Object.fromEntries(results.map(each => [each.misbehaviour.id, `${each.verdict}: ${each.reason}`]));
}

/** What Mocha prints of tests that failed. */
const mocha = (...tests: readonly string[]) =>
  `  ${tests.length} failing\n\n${tests
    .map((name, index) => `  ${index + 1}) cards\n       ${name}:\n     Error: no\n`)
    .join('\n')}`;

test('a test of the same suite that fails only under the misbehaviour is not taken for one that counts records', async () => {
  const run = (_: readonly string[], [part]: DisturbancePlan): Run => {
    if (part === undefined) return {};
    const tests = part.id === 'control' ? ['are counted'] : ['are counted', 'are shown'];
    return { code: 1, output: mocha(...tests) };
  };
  const { verdicts, results } = await examine([crowded], run);
  expect(verdicts).toEqual({ crowded: 'broke' });
  expect(results[0]?.lines.join()).toContain('are shown');
});

test('a control that fails once by chance does not excuse an app', async () => {
  let controls = 0;
  const { verdicts } = await examine([crowded], (_, [part]) => {
    if (part === undefined) return {};
    return { code: part.id === 'control' && ++controls > 1 ? 0 : 1 };
  });
  expect([verdicts, controls]).toEqual([{ crowded: 'broke' }, 2]);
});

test('a test that failed once beside one that counts records makes no pair of its run', async () => {
  let runs = 0;
  const run = (_: readonly string[], parts: DisturbancePlan): Run => {
    const failed = [
      ...(parts.some(isCounting) ? ['are counted'] : []),
      ...(runs++ === 1 ? ['are slow'] : []),
    ];
    return failed.length === 0 ? {} : { code: 1, output: mocha(...failed) };
  };
  const { verdicts, results } = await examine([crowded, long], run);
  expect(verdicts).toEqual({ crowded: 'not-exercised', long: 'survived' });
  expect(results[1]?.remarks).toEqual([
    'the command failed in one run under crowded and long together, and passed in the next',
  ]);
});

test.each([1, 2])(
  'a test that fails once, in run %i, beside one that counts records breaks nothing without a mark',
  async once => {
    let runs = 0;
    const disturbance = { faults: [{ unknownStatusOf: 'ch_other', ridesAlong: true }], fixture: {} } as const;
    const { verdicts } = await examine([misbehaviour('unmarked', { disturbance })], (_, parts) => {
      const failed = [
        ...(parts.some(isCounting) ? ['are counted'] : []),
        ...(runs++ === once ? ['are slow'] : []),
      ];
      return { code: failed.length === 0 ? 0 : 1, output: mocha(...failed), missed: ['unmarked'] };
    });
    expect(verdicts).toEqual({ unmarked: 'not-exercised' });
  },
);

test('every misbehaviour of a group under which tests fail that count records says so', async () => {
  expect(await underFailing([crowded, others], isCounting)).toEqual({ crowded: COUNTS, others: COUNTS });
});

test('a misbehaviour that nothing shows once other records are left out says why they are', async () => {
  const faults = [{ unknownStatusOf: 'ch_other', ridesAlong: true }] as const;
  const { reasons } = await examine(
    [misbehaviour('status', { disturbance: { faults, fixture: {} } })],
    (_, parts) => ({
      code: parts.some(isCounting) ? 1 : 0,
      missed: parts.some(isCounting) ? [] : ['status'],
    }),
  );
  expect(reasons.status).toMatch(/^not triggered; the command passed; the tests fail as soon as .*count/);
});

test.each<[what: string, disturbance: Disturbance, reason: RegExp]>([
  ['names', { people: [{ firstName: 'Zoë', lastName: 'Li' }] }, /expect certain names of the people/],
  ['a time for KYC', { kycDelay: '6s' }, /half a second longer, so they expect a certain time/],
  ['a number of records', { crowd: [{}] }, /so they count records/],
])('a misbehaviour is not exercised where tests expect %s', async (_, disturbance, reason) => {
  const verdict = async (fails: (each: Disturbance) => boolean) =>
    (await underFailing([misbehaviour('one', { disturbance })], fails)).one;
  const [member = ''] = Object.keys(disturbance);
  expect(await verdict(each => member in each)).toMatch(reason);
  // Tests that pass under the milder control fail for the app.
  const strong = JSON.stringify(disturbance);
  expect(await verdict(each => JSON.stringify(each) === strong)).toMatch(/^broke: the command failed/);
});

test('what is left of a group without what tests fail under for their own reasons is examined', async () => {
  const passed = 'survived: the command passed';
  const group = [renamed, others, long, crowded];
  expect(await underFailing(group, isCounting)).toEqual({
    ...{ renamed: passed, long: passed },
    ...{ others: COUNTS, crowded: COUNTS },
  });
  const isBroken = (each: Disturbance) => isCounting(each) || each.options !== undefined;
  expect(await underFailing(group, isBroken)).toEqual({
    renamed: passed,
    others: COUNTS,
    crowded: COUNTS,
    long: 'broke: the command failed (exit code 1)',
  });
});
