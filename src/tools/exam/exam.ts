import { findCauses, isSuspect, type Symptoms, telltaleCalls } from './causes.ts';
import { createControls, disturbs } from './controls.ts';
import { type Comparison, compareRuns } from './doubles.ts';
import { failedTests, findFailure } from './failing-lines.ts';
import { type Candidate, formGroups, isHiddenBy } from './groups.ts';
import {
  endOf,
  type FinishedRun,
  isFinding,
  type Judgement,
  judgeByRecords,
  notTriggered,
  type Verdict,
} from './judge.ts';
import type { DisturbancePlan, Misbehaviour } from './misbehaviour.ts';
import { lessThanUndisturbed, lostWrites, refusedWebhooks } from './remarks.ts';
import type { Happening, RunRecord } from './run-record.ts';

export interface Result extends Symptoms {
  readonly misbehaviour: Misbehaviour;
  readonly reason: string;
  /** What differs from the undisturbed run and changes no verdict. */
  readonly remarks: readonly string[];
  /** What happened around the misbehaviour; empty for what was survived or not run. */
  readonly happenings: readonly Happening[];
  readonly durationMs: number;
}

export interface ExamPlan {
  readonly misbehaviours: readonly Misbehaviour[];
  /** The ids of those that strike in one run, as they are named; null to group them so that there are few runs. */
  readonly groups: readonly (readonly string[])[] | null;
  readonly parallel: number;
  /** Stops the exam. Results of runs in flight then say nothing. */
  readonly signal: AbortSignal;
  /** How many times as long as the undisturbed run a run may take, besides the time for retries. */
  readonly timeLimit: number;
  /** Runs the command in a fresh sandbox, whose records are marked with the ids of what struck. */
  readonly run: (plan: DisturbancePlan, limitMs: number) => Promise<FinishedRun>;
  readonly now: () => number;
  /** `runs` is how many runs there are at least. */
  readonly onBaseline: (baseline: FinishedRun, misbehaviours: number, runs: number) => void;
  readonly onRun: (run: FinishedRun, ids: readonly string[]) => void;
  /** Called for each finding, with the run that shows it. `name` is the id, or both ids of a pair. */
  readonly onFinding: (name: string, run: FinishedRun) => void;
}

export interface Findings {
  /** The undisturbed run; the last of them if the command fails whenever it is run again. */
  readonly baseline: FinishedRun;
  /** Empty when that run failed, or called nothing. */
  readonly results: readonly Result[];
  readonly runs: number;
  readonly durationMs: number;
}

const STOPPED = 'not run, because the exam was stopped';
const BASELINE_LIMIT_MS = 15 * 60_000;
/** How many further undisturbed runs must agree before a double is reported: two can agree by chance. */
const REPEATED_BASELINES = 3;
/** What a run may take longer than the undisturbed one: each operation is struck once in each world. */
const EXTRA_TIME = { baseMs: 15_000, perOperationMs: 3_000 };
const TIMEOUT = /tim(?:ed?|ing)[ -]?out/i;

/** A run in which the command failed, and what it printed of that. */
interface Failure {
  readonly run: FinishedRun;
  readonly lines: readonly string[];
}

class StoppedError extends Error {}

function unlessStopped(error: unknown): undefined {
  if (!(error instanceof StoppedError)) throw error;
}

/** Runs a command once undisturbed, and then in groups of misbehaviours that do not hinder each other. */
export async function runExam(plan: ExamPlan): Promise<Findings> {
  const startedAt = plan.now();
  const baseline = await plan.run([], BASELINE_LIMIT_MS);
  const durationMs = () => Math.round(plan.now() - startedAt);
  const { signal } = plan;
  if (!signal.aborted && (baseline.code !== 0 || !baseline.record.isUsed))
    return { baseline, results: [], runs: 0, durationMs: durationMs() };
  const exam = new Exam(plan, baseline);
  if (!signal.aborted) await exam.run();
  const failed = await exam.repeatBaseline();
  if (failed !== null) return { baseline: failed, results: [], runs: exam.runs, durationMs: durationMs() };
  return {
    baseline,
    results: plan.misbehaviours.map(
      each => exam.results.get(each) ?? notExercised({ misbehaviour: each }, STOPPED),
    ),
    runs: exam.runs,
    durationMs: durationMs(),
  };
}

class Exam {
  readonly results = new Map<Misbehaviour, Result>();
  runs = 0;
  #hasPassed = false;
  readonly #plan: ExamPlan;
  readonly #baseline: FinishedRun;
  readonly #limitMs: number;
  readonly #compare: (record: RunRecord) => Promise<Comparison>;
  readonly #takeOut: ReturnType<typeof createControls>;
  readonly #inSlot: <T>(task: () => Promise<T>) => Promise<T>;
  /** Those that did not strike in a run, with the exit code of the command if it was alone, and null in a group. */
  readonly #missed = new Map<Misbehaviour, number | null>();
  /** Whether the command passes undisturbed once more. */
  #passesAgain: Promise<boolean> | undefined;

  constructor(plan: ExamPlan, baseline: FinishedRun) {
    this.#plan = plan;
    this.#baseline = baseline;
    const { baseMs, perOperationMs } = EXTRA_TIME;
    const { durationMs, record } = baseline;
    this.#limitMs = Math.round(durationMs * plan.timeLimit + baseMs + record.operations * perOperationMs);
    this.#inSlot = createSlots(plan.parallel);
    this.#compare = comparisonWith(baseline.record, async () => (await this.#run([])).record);
    this.#takeOut = createControls(control => this.#run([{ id: 'control', ...control }]));
  }

  async run(): Promise<void> {
    const { history } = this.#baseline.record;
    const spared = history.usesLibrary ? ({ sparesLibrary: true } as const) : {};
    const candidates = this.#plan.misbehaviours.flatMap((misbehaviour): Candidate[] => {
      const disturbance = misbehaviour.disturb(history);
      if (typeof disturbance !== 'string')
        return [{ misbehaviour, disturbance: { ...disturbance, ...spared }, reasons: [] }];
      this.#settle(notExercised({ misbehaviour }, disturbance));
      return [];
    });
    const groups =
      this.#plan.groups
        ?.map(ids => candidates.filter(({ misbehaviour }) => ids.includes(misbehaviour.id)))
        .filter(group => group.length > 0) ?? formGroups(candidates, history.called);
    this.#plan.onBaseline(this.#baseline, candidates.length, groups.length);
    await Promise.all(groups.map(group => this.#examine(group).catch(unlessStopped)));
  }

  /**
   * Where no run passed, runs the command undisturbed once more, and returns that run if it fails: the command may find what
   * an earlier run has left. Returns null otherwise, and if the exam was stopped.
   */
  async repeatBaseline(): Promise<FinishedRun | null> {
    if (this.#hasPassed || this.runs === 0 || this.#plan.signal.aborted) return null;
    const again = await this.#run([]).catch(unlessStopped);
    return again === undefined || again.code === 0 ? null : again;
  }

  /** Runs the command. Throws a StoppedError if the exam was stopped meanwhile. */
  #run(parts: DisturbancePlan): Promise<FinishedRun> {
    return this.#inSlot(async () => {
      const { signal } = this.#plan;
      if (signal.aborted) throw new StoppedError();
      this.runs += 1;
      const run = await this.#plan.run(parts, this.#limitMs);
      if (signal.aborted) throw new StoppedError();
      this.#hasPassed ||= run.code === 0;
      this.#plan.onRun(
        run,
        parts.map(({ id }) => id),
      );
      return run;
    });
  }

  #runGroup(group: readonly Candidate[]): Promise<FinishedRun> {
    return this.#run(group.map(({ misbehaviour: { id }, disturbance }) => ({ id, ...disturbance })));
  }

  /** Keeps a result; one that is no finding does not replace one that is. */
  #settle(result: Result, run?: FinishedRun): void {
    const before = this.results.get(result.misbehaviour);
    if (before === undefined || !isFinding(before) || isFinding(result))
      this.results.set(result.misbehaviour, result);
    const { together, misbehaviour } = result;
    if (run !== undefined && isFinding(result))
      this.#plan.onFinding(together?.join('+') ?? misbehaviour.id, run);
  }

  /**
   * Finds the results of a group. Returns whether something is wrong in its run: the command failed, and not only for the
   * reasons of its tests, or a record exists twice that the records attribute to none of the group.
   */
  async #examine(group: readonly Candidate[]): Promise<boolean> {
    const [alone, ...more] = group;
    if (alone === undefined) return false;
    const run = await this.#runGroup(group);
    const isAlone = more.length === 0;
    const judged = await this.#judge(group, run);
    const { open, missed, isWrong, isKnown } = judged;
    if (!isWrong || (isAlone && missed.length > 0)) {
      for (const each of missed) await this.#tryAgain(each, run, isAlone);
      return isWrong;
    }
    const { rest, failure } = await this.#takeOutTests(open, run);
    let isFound = true;
    if (rest !== null) isFound = await this.#examine(rest);
    else if (isAlone)
      for (const each of open) this.#settle(resultOf(each, run, broke(run), judged, failure), run);
    else if (isKnown) await this.#examine(open);
    else await this.#split(open, missed.length === 0 ? run : null);
    if (missed.length < group.length) await this.#examine(missed);
    else await this.#split(missed, null);
    return isFound;
  }

  /** Settles what the records of a run decide, and what survived it. Returns the rest. */
  async #judge(group: readonly Candidate[], run: FinishedRun) {
    const isForged = group.every(({ misbehaviour }) => misbehaviour.kind === 'forged');
    const { doubles, remarks } = isForged ? { doubles: [], remarks: [] } : await this.#compare(run.record);
    const ids = new Set(group.map(({ misbehaviour }) => misbehaviour.id));
    const isOf = (id: string) => (each: { readonly by: string | null }) =>
      group.length === 1 || each.by === id;
    const unknown = group.length === 1 ? [] : doubles.filter(({ by }) => by === null || !ids.has(by));
    const isWrong = run.code !== 0 || unknown.length > 0;
    const failedCalls = [...ids].flatMap(id => run.record.failedCallsOf(id));
    const judged = { open: [] as Candidate[], missed: [] as Candidate[], remarks, isWrong, isKnown: false };
    for (const candidate of group) {
      const { misbehaviour } = candidate;
      const ownDoubles = doubles.filter(isOf(misbehaviour.id));
      const judgement = judgeByRecords(misbehaviour, run, ownDoubles, this.#baseline.record);
      const isHidden =
        !isWrong &&
        failedCalls.some(call => isHiddenBy(candidate.disturbance, call) && !isOf(misbehaviour.id)(call));
      if (judgement?.verdict === 'not-exercised' || (judgement === null && isHidden))
        judged.missed.push(candidate);
      else if (judgement !== null) {
        judged.isKnown = true;
        // What the command printed may be about another one.
        const failure = group.length === 1 ? findFailure(run.output) : NO_LINES;
        this.#settle(resultOf(candidate, run, judgement, judged, run.code === 0 ? NO_LINES : failure), run);
      } else if (isWrong) judged.open.push(candidate);
      else this.#settle(this.#survival(candidate, run, judged, group.length === 1));
    }
    return judged;
  }

  /** The result of a misbehaviour that the command survived, with remarks on what differs from the undisturbed run. */
  #survival(
    candidate: Candidate,
    run: FinishedRun,
    compared: Pick<Comparison, 'remarks'>,
    isAlone: boolean,
  ): Result {
    const judgement = { verdict: 'survived', reason: endOf(run) } as const;
    const survived = resultOf(candidate, run, judgement, compared, NO_LINES);
    const undisturbed = this.#baseline.record;
    // What was lost, or is there twice, is named already.
    const less = survived.remarks.length > 0 ? [] : lessThanUndisturbed(undisturbed, run.record);
    // Another one of the run may be the reason.
    const place = isAlone ? '' : 'in a run with others: ';
    const refused = refusedWebhooks(undisturbed, run.record, candidate.misbehaviour);
    return { ...survived, remarks: [...survived.remarks, ...less.map(each => place + each), ...refused] };
  }

  /**
   * Tries a misbehaviour alone that did not strike, once; and once more if the command failed under it alone, and not only
   * for the reasons of its tests.
   */
  async #tryAgain(candidate: Candidate, run: FinishedRun, wasAlone: boolean): Promise<void> {
    const { misbehaviour } = candidate;
    const { rest, failure } = await this.#takeOutTests([candidate], run);
    if (rest !== null) {
      await this.#examine(rest);
      return;
    }
    const before = this.#missed.get(misbehaviour);
    this.#missed.set(misbehaviour, wasAlone ? run.code : null);
    const isFirst = before === undefined || (before === null && run.code !== 0);
    if (isFirst) await this.#examine([candidate]);
    else if (run.code !== 0 && before !== 0) await this.#judgeUnmarked(candidate, run, failure);
    else this.#settle(notExercised(candidate, notTriggered(misbehaviour.id, run)));
  }

  /** Judges a misbehaviour under which the command failed alone twice, although the records do not show where it struck. */
  async #judgeUnmarked(candidate: Candidate, run: FinishedRun, failure: readonly string[]): Promise<void> {
    this.#passesAgain ??= this.#run([]).then(({ code }) => code === 0);
    if (await this.#passesAgain) {
      const reason = `${endOf(run)}, each time under this alone and never undisturbed; the record does not show where it struck`;
      this.#settle(resultOf(candidate, run, { verdict: 'broke', reason }, null, failure), run);
    } else {
      const reason = `not triggered; ${endOf(run)}, which it also does undisturbed now and then`;
      this.#settle(notExercised(candidate, reason));
    }
  }

  /**
   * Takes out of a group, in whose run the command failed, what makes tests fail for their own reasons. Returns the rest;
   * null for the rest, and the failure of the command, if it failed for another reason.
   */
  async #takeOutTests(
    open: readonly Candidate[],
    run: FinishedRun,
  ): Promise<{ readonly rest: readonly Candidate[] | null; readonly failure: readonly string[] }> {
    if (run.code === 0) return { rest: null, failure: NO_LINES };
    const taken = await Promise.all(
      open.map(async candidate => ({ candidate, ...(await this.#takeOut(candidate.disturbance)) })),
    );
    const failed = new Set(taken.flatMap(each => [...each.failed]));
    const others = [...failedTests(run.output)].filter(name => !failed.has(name));
    const isOther = failed.size > 0 && !run.isTimedOut && others.length > 0;
    if (isOther || taken.every(({ reasons }) => reasons.length === 0))
      return { rest: null, failure: findFailure(run.output, failed) };
    const rest = taken.flatMap(({ candidate, rest: disturbance, reasons }) => {
      const left = { ...candidate, disturbance, reasons: [...candidate.reasons, ...reasons] };
      if (disturbs(disturbance)) return [left];
      this.#settle(notExercised(left));
      return [];
    });
    return { rest, failure: NO_LINES };
  }

  /**
   * Examines the parts of a group that failed, and looks for a pair if none of them fails. `run` is the run of exactly
   * this group; null when it had none.
   */
  async #split(group: readonly Candidate[], run: FinishedRun | null): Promise<void> {
    if (group.length < 2) {
      await this.#examine(group);
      return;
    }
    const suspects = run === null ? [] : group.filter(each => isSuspect(each, run));
    const isPart = suspects.length > 0 && suspects.length < group.length;
    const [one, other] = isPart
      ? [suspects, group.filter(each => !suspects.includes(each))]
      : halvesOf(group);
    const areWrong = [await this.#examine(one), await this.#examine(other)];
    if (areWrong.includes(true)) return;
    const failed = await this.#failureIn(group, run ?? (await this.#runGroup(group)));
    if (failed !== null) await this.#findPair(one, other, failed);
  }

  /** Returns how the command failed in a run of a group; null if it passed, or failed only for the reasons of its tests. */
  async #failureIn(group: readonly Candidate[], run: FinishedRun): Promise<Failure | null> {
    if (run.code === 0) return null;
    const { rest, failure } = await this.#takeOutTests(group, run);
    return rest === null ? { run, lines: failure } : null;
  }

  /** Finds the two misbehaviours of two groups that break the command together. `failed` is the run of both groups. */
  async #findPair(one: readonly Candidate[], other: readonly Candidate[], failed: Failure): Promise<void> {
    let last = failed;
    const fails = async (group: readonly Candidate[]) => {
      const failure = await this.#failureIn(group, await this.#runGroup(group));
      last = failure ?? last;
      return failure !== null;
    };
    const narrow = async (group: readonly Candidate[], rest: readonly Candidate[]) => {
      let left = group;
      while (left.length > 1) {
        const [first, second] = halvesOf(left);
        if (await fails([...first, ...rest])) left = first;
        else if (await fails([...second, ...rest])) left = second;
        else return [];
      }
      return left;
    };
    const first = await narrow(one, other);
    const pair = first.length === 0 ? [] : [...first, ...(await narrow(other, first))];
    const together = pair.map(({ misbehaviour }) => misbehaviour.id);
    // A pair that was no part of a larger group has failed once. The command may have done so by chance.
    const isByChance = pair.length === 2 && last === failed && !(await fails(pair));
    const { run, lines } = last;
    if (isByChance) {
      const text = `the command failed in one run under ${together.join(' and ')} together, and passed in the next`;
      for (const each of pair) this.#remark(each, text);
    } else if (pair.length < 2) {
      const text = 'the command failed in one run with others, and in none with fewer';
      for (const each of [...one, ...other]) this.#remark(each, text);
    } else if (run.isTimedOut || lines.some(line => TIMEOUT.test(line))) {
      for (const each of pair)
        this.#remark(each, `${together.join(' and ')} together take too long for the command`);
    } else {
      const reason = `${endOf(run)} under ${together.join(' and ')} together, and passes under each alone`;
      for (const each of pair)
        this.#settle({ ...resultOf(each, run, { verdict: 'broke', reason }, null, lines), together }, run);
    }
  }

  #remark({ misbehaviour }: Candidate, text: string): void {
    const result = this.results.get(misbehaviour);
    if (result !== undefined) this.#settle({ ...result, remarks: [...result.remarks, text] });
  }
}

const NO_LINES: readonly string[] = [];

function halvesOf<T>(items: readonly T[]): [readonly T[], readonly T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** Returns a function that runs at most so many tasks at once, in the order of its calls. */
function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function notExercised(
  { misbehaviour, reasons = [] }: Pick<Candidate, 'misbehaviour'> & Partial<Candidate>,
  ...why: readonly string[]
): Result {
  const nothing = { disturbance: {}, remarks: [], failedCalls: [], happenings: [], durationMs: 0 };
  const reason = [...why, ...reasons].join('; ');
  return { misbehaviour, verdict: 'not-exercised', reason, ...nothing, lines: NO_LINES };
}

function broke(run: FinishedRun): Judgement {
  return { verdict: 'broke', reason: endOf(run) };
}

/**
 * Returns the comparison of runs with the undisturbed one. Before the first double is reported, it runs the command
 * undisturbed some more times: if one differs, the command creates another number of records each time, and what a
 * disturbed run has more of says nothing.
 */
function comparisonWith({ created }: RunRecord, runAgain: () => Promise<RunRecord>) {
  let isSteady: Promise<boolean> | undefined;
  const hasDouble = ({ doubles }: Comparison) => doubles.length > 0;
  const checkAgain = async () => {
    for (let runs = 0; runs < REPEATED_BASELINES; runs += 1) {
      const again = (await runAgain()).created;
      if (hasDouble(compareRuns(created, again)) || hasDouble(compareRuns(again, created))) return false;
    }
    return true;
  };
  return async (record: RunRecord): Promise<Comparison> => {
    const { doubles, remarks } = compareRuns(created, record.created);
    if (doubles.length === 0) return { doubles, remarks };
    isSteady ??= checkAgain();
    if (await isSteady) return { doubles, remarks };
    const text = 'more records than in the undisturbed run, which creates another number each time';
    return { doubles: [], remarks: [...remarks, { text, by: null }] };
  };
}

function resultOf(
  { misbehaviour, disturbance, reasons }: Candidate,
  run: FinishedRun,
  { verdict, reason }: Judgement,
  compared: Pick<Comparison, 'remarks'> | null,
  lines: readonly string[],
): Result {
  const { id } = misbehaviour;
  const failedCalls = run.record.failedCallsOf(id);
  const symptoms = {
    ...{ misbehaviour, disturbance, verdict, reason: [reason, ...reasons].join('; '), failedCalls },
    lines,
  };
  const lost = run.code === 0 ? lostWrites(failedCalls, disturbance) : [];
  const [telltale] = telltaleCalls(symptoms);
  const own = (compared?.remarks ?? []).filter(({ by }) => by === null || by === id);
  return {
    ...symptoms,
    remarks: [...new Set([...own.map(({ text }) => text), ...lost])],
    happenings: isFinding(symptoms) ? (telltale?.happenings ?? run.record.around(id)) : [],
    durationMs: run.durationMs,
  };
}

export function jsonReport({ baseline, results, runs, durationMs }: Findings) {
  const count = (verdict: Verdict) => results.filter(each => each.verdict === verdict).length;
  return {
    baseline: baseline.code === 0 ? ('passed' as const) : ('failed' as const),
    results: results.map(result => ({
      id: result.misbehaviour.id,
      kind: result.misbehaviour.kind,
      verdict: result.verdict,
      detail: detailOf(result).join('\n'),
      ...(result.together && { together: result.together }),
      ...(result.remarks.length > 0 && { remarks: result.remarks }),
    })),
    causes: findCauses(results).map(({ title, results: own, lines }) => ({
      title,
      results: own.map(({ misbehaviour }) => misbehaviour.id),
      lines,
    })),
    summary: {
      survived: count('survived'),
      broke: count('broke'),
      appliedTwice: count('applied-twice'),
      accepted: count('accepted'),
      notExercised: count('not-exercised'),
      runs,
      durationMs,
    },
  };
}

export type JsonReport = ReturnType<typeof jsonReport>;

/** Returns the reason of a result, the failing lines of the command, and what happened around the misbehaviour. */
export function detailOf({ misbehaviour: { id }, together = [id], ...result }: Result): string[] {
  const { reason, lines, happenings } = result;
  const isMarked = ({ struck }: Happening) => struck.some(each => together.includes(each));
  return [
    reason,
    ...(lines.length === 0 ? [] : ['the command printed:', ...lines.map(line => `    ${line}`)]),
    ...(happenings.length === 0 ? [] : ['the sandbox saw:']),
    ...happenings.map(each => `  ${isMarked(each) ? '>' : ' '} ${each.text}`),
  ];
}
