import { isError } from '../../core/values/is-error.ts';
import { findCauses, type Symptoms, telltaleCalls } from './causes.ts';
import { createControls, disturbs } from './controls.ts';
import { type Comparison, compareRuns } from './doubles.ts';
import { failedTests, findFailure } from './failing-lines.ts';
import { type FinishedRun, isFinding, type Judgement, judge, type Verdict } from './judge.ts';
import type { Disturbance, Kind, Misbehaviour } from './misbehaviour.ts';
import type { FailedCall, Happening, RunRecord } from './run-record.ts';

/** The result of one misbehaviour. */
export interface Result extends Symptoms {
  readonly misbehaviour: Misbehaviour;
  /** Why it has its verdict, in one line. */
  readonly reason: string;
  /** What differs from the undisturbed run and changes no verdict. */
  readonly remarks: readonly string[];
  /** The file of the test that failed, as the command printed it; null when it is unknown. */
  readonly file: string | null;
  /** What happened around the misbehaviour; empty for what was survived or not run. */
  readonly happenings: readonly Happening[];
  /** Wall time of the run; 0 when there was none. */
  readonly durationMs: number;
}

/** What an exam needs from its surroundings. */
export interface ExamPlan {
  /** Which misbehaviours to try, in the order of their results. */
  readonly misbehaviours: readonly Misbehaviour[];
  /** How many runs there may be at once. */
  readonly parallel: number;
  /** Whether to stop after this result. */
  readonly stopsAfter: (result: Result) => boolean;
  /** Whether the exam was stopped. Results of runs that were under way then say nothing. */
  readonly isStopped?: () => boolean;
  /** Runs the command in a fresh sandbox. */
  readonly run: (disturbance: Disturbance, limitMs: number) => Promise<FinishedRun>;
  /** The wall time that a run may take, from that of the undisturbed run. */
  readonly limitOf: (baseline: FinishedRun) => number;
  /** Wall time in milliseconds. */
  readonly now: () => number;
  readonly onBaseline?: (baseline: FinishedRun, runs: number) => void;
  readonly onResult?: (result: Result) => void;
}

/** What an exam found. */
export interface Findings {
  readonly baseline: FinishedRun;
  /** Empty when the undisturbed run failed. */
  readonly results: readonly Result[];
  readonly durationMs: number;
}

/** The reason of what was not tried because the exam was stopped. */
const STOPPED = 'not run, because the exam was stopped';
/** The wall time that the undisturbed run may take. */
const BASELINE_LIMIT_MS = 15 * 60_000;
/** In how many runs a misbehaviour of webhooks may be triggered. */
const WEBHOOK_RUNS = 3;
const NO_RUN = {
  disturbance: {},
  remarks: [],
  lines: [],
  file: null,
  failedCalls: [],
  happenings: [],
  durationMs: 0,
} as const;
/** How many further undisturbed runs must agree before a double is reported: two can agree by chance. */
const REPEATED_BASELINES = 3;

/** What a run may take longer than the undisturbed one, for retries. */
const EXTRA_TIME = { baseMs: 15_000, perOperationMs: 3_000 };

/** The wall time in milliseconds that a run may take: `factor` times that of the undisturbed one, and time for retries. */
export function timeLimit({ durationMs, record }: FinishedRun, factor: number): number {
  const operations = record.history.called.length;
  return Math.round(durationMs * factor + EXTRA_TIME.baseMs + operations * EXTRA_TIME.perOperationMs);
}

/** Runs a command once undisturbed, and then once for each misbehaviour that can be triggered. */
export async function runExam(plan: ExamPlan): Promise<Findings> {
  const startedAt = plan.now();
  const baseline = await plan.run({}, BASELINE_LIMIT_MS);
  const durationMs = () => Math.round(plan.now() - startedAt);
  const stopped = () => plan.isStopped?.() === true;
  const untried = plan.misbehaviours.map(each => notExercised(each, STOPPED));
  if (stopped()) return { baseline, results: untried, durationMs: durationMs() };
  if (baseline.code !== 0) return { baseline, results: [], durationMs: durationMs() };
  const { history } = baseline.record;
  const limitMs = plan.limitOf(baseline);
  const compare = comparisonWith(baseline.record, async () => (await plan.run({}, limitMs)).record);
  const spared = history.usesLibrary ? ({ sparesLibrary: true } as const) : {};
  const takeOut = createControls(control => plan.run(control, limitMs));
  const attempt = (misbehaviour: Misbehaviour, disturbance: Disturbance) =>
    tryOne(plan, misbehaviour, disturbance, limitMs, compare);
  /** Tries a misbehaviour; if the command fails, again without what says nothing about the app. */
  const tryWithControls = async (misbehaviour: Misbehaviour, disturbance: Disturbance): Promise<Result> => {
    const { result, run } = await attempt(misbehaviour, disturbance);
    if (result.verdict !== 'broke' || run === null || run.code === 0) return result;
    const { rest, reasons, failed } = await takeOut(disturbance);
    if (reasons.length === 0) return result;
    const because = reasons.join('; ');
    const isComparable = failed.size > 0 && !run.isTimedOut;
    if (isComparable && [...failedTests(run.output)].some(name => !failed.has(name))) {
      const reason = `${result.reason}; ${because}; the one below passes then`;
      return { ...result, ...findFailure(run.output, failed), reason };
    }
    if (!disturbs(rest)) return notExercised(misbehaviour, because);
    const { result: again } = await attempt(misbehaviour, rest);
    return { ...again, reason: `${again.reason}; ${because}` };
  };
  const results = new Map<Misbehaviour, Result>();
  const open: (readonly [Misbehaviour, Disturbance])[] = [];
  for (const misbehaviour of plan.misbehaviours) {
    const disturbance = misbehaviour.disturb(history);
    if (typeof disturbance !== 'string') open.push([misbehaviour, { ...disturbance, ...spared }]);
    else results.set(misbehaviour, notExercised(misbehaviour, disturbance));
  }
  // The long ones come first, so that none of them runs alone at the end.
  open.sort(([, a], [, b]) => waitingTime(b) - waitingTime(a));
  plan.onBaseline?.(baseline, open.length);
  let isStopped = false;
  const work = async () => {
    for (let next = open.shift(); next !== undefined && !isStopped; next = open.shift()) {
      const [misbehaviour, disturbance] = next;
      const result = await tryWithControls(misbehaviour, disturbance);
      if (stopped()) return;
      results.set(misbehaviour, result);
      plan.onResult?.(result);
      isStopped ||= plan.stopsAfter(result);
    }
  };
  await Promise.all(Array.from({ length: plan.parallel }, work));
  const reason = stopped() ? STOPPED : 'not run, because the exam stopped at the first finding';
  return {
    baseline,
    results: plan.misbehaviours.map(each => results.get(each) ?? notExercised(each, reason)),
    durationMs: durationMs(),
  };
}

/** The wall time in milliseconds that a disturbance makes a command wait at least, if it calls each operation once. */
function waitingTime({ faults = [], webhookFaults = [] }: Disturbance): number {
  const ofRequests = faults.map(
    ({ delayMs = 0, retryAfter = 0, lastsMs = 0 }) => delayMs + Math.max(retryAfter * 1_000, lastsMs),
  );
  const ofWebhooks = webhookFaults.map(({ delayMs = 0 }) => delayMs);
  return [...ofRequests, ...ofWebhooks].reduce((sum, ms) => sum + ms, 0);
}

function notExercised(misbehaviour: Misbehaviour, reason: string): Result {
  return { misbehaviour, verdict: 'not-exercised', reason, ...NO_RUN };
}

/** The last run under a misbehaviour, with its result; null if there was none. */
interface Attempt {
  readonly result: Result;
  readonly run: FinishedRun | null;
}

/** Tries one misbehaviour. One that cannot be set up, such as records that do not fit the fixtures, is not exercised. */
async function tryOne(
  plan: ExamPlan,
  misbehaviour: Misbehaviour,
  disturbance: Disturbance,
  limitMs: number,
  compare: Compare,
): Promise<Attempt> {
  try {
    // Webhooks are on their way while the command goes on, which may end before its receiver has got them.
    const { webhookFaults = [], repeatsWebhooks } = disturbance;
    const mostRuns = webhookFaults.length > 0 || repeatsWebhooks ? WEBHOOK_RUNS : 1;
    for (let runs = 1; ; runs += 1) {
      const run = await plan.run(disturbance, limitMs);
      const result = resultOf(
        misbehaviour,
        disturbance,
        run,
        await judgeRun(misbehaviour, disturbance, run, compare),
      );
      if (result.verdict !== 'not-exercised' || runs === mostRuns) return { result, run };
    }
  } catch (error) {
    const reason = `it could not be set up: ${isError(error) ? error.message : error}`;
    return { result: notExercised(misbehaviour, reason), run: null };
  }
}

/** Compares what a run created with what the undisturbed one did. */
type Compare = (record: RunRecord) => Promise<Comparison>;

/**
 * Returns the comparison of runs with the undisturbed one. Before the first double is reported, it runs the command
 * undisturbed some more times: if one differs, the command creates another number of records each time, and what a
 * disturbed run has more of says nothing.
 */
function comparisonWith({ created }: RunRecord, runAgain: () => Promise<RunRecord>): Compare {
  let isSteady: Promise<boolean> | undefined;
  const hasDouble = ({ doubles }: Comparison) => doubles.length > 0;
  const checkAgain = async () => {
    for (let runs = 0; runs < REPEATED_BASELINES; runs += 1) {
      const again = (await runAgain()).created;
      if (hasDouble(compareRuns(created, again)) || hasDouble(compareRuns(again, created))) return false;
    }
    return true;
  };
  return async record => {
    const { doubles, remarks } = compareRuns(created, record.created);
    if (doubles.length === 0) return { doubles, remarks };
    isSteady ??= checkAgain();
    if (await isSteady) return { doubles, remarks };
    const varying = 'more records than in the undisturbed run, which creates another number each time';
    return { doubles: [], remarks: [...remarks, varying] };
  };
}

/** Judges a run under a misbehaviour. Remarks are what differs from the undisturbed run and changes no verdict. */
async function judgeRun(
  { kind }: Pick<Misbehaviour, 'kind'>,
  { faults = [], webhookFaults = [], repeatsWebhooks }: Disturbance,
  run: FinishedRun,
  compare: Compare,
): Promise<Judgement & { readonly remarks: readonly string[] }> {
  const { doubles, remarks } = kind === 'benign' ? await compare(run.record) : { doubles: [], remarks: [] };
  return {
    ...judge(kind, faults.length + webhookFaults.length > 0 || repeatsWebhooks === true, run, doubles),
    remarks,
  };
}

function resultOf(
  misbehaviour: Misbehaviour,
  disturbance: Disturbance,
  run: FinishedRun,
  { verdict, reason, remarks }: Awaited<ReturnType<typeof judgeRun>>,
): Result {
  const { failedCalls } = run.record;
  const failure = run.code === 0 ? { lines: [], file: null } : findFailure(run.output);
  const symptoms = { misbehaviour, disturbance, verdict, reason, ...failure, failedCalls };
  const lost = run.code === 0 && misbehaviour.kind === 'benign' ? lostWrites(failedCalls, disturbance) : [];
  const early = run.record.earlyRepeats.map(
    request => `${request} was sent again sooner than Retry-After says`,
  );
  const [telltale] = telltaleCalls(symptoms);
  const around = telltale?.happenings ?? run.record.around();
  return {
    ...symptoms,
    remarks: [...remarks, ...lost, ...early],
    happenings: isFinding(symptoms) ? around : [],
    durationMs: run.durationMs,
  };
}

/** Remarks about writes that were not applied and not sent again, although the command passed. */
function lostWrites(failedCalls: readonly FailedCall[], { faults = [] }: Disturbance): string[] {
  if (faults.some(({ when }) => when === 'after')) return [];
  return failedCalls
    .filter(({ request, isFollowed }) => !isFollowed && !request.startsWith('GET '))
    .map(({ request }) => `${request} failed and was not sent again; the command passed without its effect`);
}

/** One result as JSON. */
export interface JsonResult {
  readonly id: string;
  readonly kind: Kind;
  readonly verdict: Verdict;
  readonly detail: string;
  readonly remarks: readonly string[];
}

/** An exam as JSON. */
export interface JsonReport {
  readonly baseline: 'passed' | 'failed';
  readonly results: readonly JsonResult[];
  /** The findings, grouped. `results` are their ids, `lines` the failing lines of the command. */
  readonly causes: readonly {
    readonly title: string;
    readonly results: readonly string[];
    readonly lines: readonly string[];
  }[];
  readonly summary: Readonly<
    Record<'survived' | 'broke' | 'appliedTwice' | 'accepted' | 'notExercised' | 'durationMs', number>
  >;
}

/** Returns the report that `--json` prints. */
export function jsonReport({ baseline, results, durationMs }: Findings): JsonReport {
  const count = (verdict: Verdict) => results.filter(each => each.verdict === verdict).length;
  return {
    baseline: baseline.code === 0 ? 'passed' : 'failed',
    results: results.map(result => ({
      id: result.misbehaviour.id,
      kind: result.misbehaviour.kind,
      verdict: result.verdict,
      detail: detailOf(result).join('\n'),
      remarks: result.remarks,
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
      durationMs,
    },
  };
}

/** Returns the reason of a result, the failing lines of the command, and what happened around the misbehaviour. */
export function detailOf({
  reason,
  lines,
  happenings,
}: Pick<Result, 'reason' | 'lines' | 'happenings'>): string[] {
  const marked = happenings.map(({ text, isAffected }) => `  ${isAffected ? '>' : ' '} ${text}`);
  return [
    reason,
    ...(lines.length === 0 ? [] : ['the command printed:', ...lines.map(line => `    ${line}`)]),
    ...(marked.length === 0 ? [] : ['the sandbox saw:', ...marked]),
  ];
}
