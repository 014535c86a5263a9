import { type Double, describe } from './doubles.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import type { RunRecord } from './run-record.ts';

export type Verdict = 'survived' | 'broke' | 'applied-twice' | 'accepted' | 'not-exercised';

/** Whether a verdict is one to act on. */
export function isFinding({ verdict }: { readonly verdict: Verdict }): boolean {
  return verdict === 'broke' || verdict === 'applied-twice' || verdict === 'accepted';
}

export interface FinishedRun {
  readonly code: number;
  readonly isTimedOut: boolean;
  readonly output: string;
  readonly durationMs: number;
  readonly record: RunRecord;
  readonly records: readonly string[];
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
}

/**
 * Judges a misbehaviour by what the records of a run show of it, whatever else struck in the run. `doubles` are the
 * records that it left twice. Returns null when it struck and the records show nothing wrong. A forged webhook without a
 * response struck if its receiver was there, or if it may have got there and the command failed: a receiver that ends with
 * its command answers nothing either.
 */
export function judgeByRecords(
  { id, kind }: Pick<Misbehaviour, 'id' | 'kind'>,
  run: FinishedRun,
  doubles: readonly Double[],
  undisturbed: RunRecord,
): Judgement | null {
  const extras = run.record.extrasOf(id);
  const statuses = extras.map(({ status }) => status).filter(status => status !== null);
  const isUnanswered = extras.some(extra => extra.isUnanswered);
  const isForged = kind === 'forged';
  const accepted = statuses.filter(status => status >= 200 && status < 300).length;
  if (isForged && accepted > 0) {
    return {
      verdict: 'accepted',
      reason: `the receiver answered ${plural(accepted, 'forged webhook')} with 2xx`,
    };
  }
  const telling = tellingStatuses(id, run.record, undisturbed);
  const hasFailedUnder = run.code !== 0 && extras.some(extra => extra.mayHaveArrived);
  const isTriggered =
    isForged || extras.length > 0
      ? accepted + telling.length > 0 || isUnanswered || hasFailedUnder
      : run.record.strikesOf(id) > 0;
  if (!isTriggered) return { verdict: 'not-exercised', reason: notTriggered(id, run) };
  const [double] = doubles;
  if (double !== undefined) {
    const more = doubles.length === 1 ? '' : `, and ${doubles.length - 1} more`;
    return { verdict: 'applied-twice', reason: `${describe(double)}${more}; ${endOf(run)}` };
  }
  const crashed = telling.find(status => (isForged ? status < 400 || status >= 500 : status >= 500));
  if (crashed === undefined && !isUnanswered) return null;
  const answer = crashed === undefined ? 'gave no response' : `answered ${crashed}`;
  return { verdict: 'broke', reason: `the receiver ${answer} instead of ${isForged ? 'a 4xx' : 'a 2xx'}` };
}

/**
 * Returns the statuses that say something of the additional webhooks of a misbehaviour. A receiver that did not accept the
 * delivery beside one may refuse any webhook, and one that refused no more than undisturbed may do so because its test lets
 * it refuse the first.
 */
export function tellingStatuses(id: string, record: RunRecord, undisturbed: RunRecord): number[] {
  return record.extrasOf(id).flatMap(({ eventType, status, isBesideAccepted }) => {
    const usual = undisturbed.refusalsOf(eventType);
    const isUsual = usual > 0 && record.refusalsOf(eventType) <= usual;
    return status !== null && isBesideAccepted && !isUsual ? [status] : [];
  });
}

/** Returns why a misbehaviour is not exercised that struck nothing in a run. */
export function notTriggered(id: string, run: FinishedRun): string {
  const isAnswered = run.record.extrasOf(id).some(({ status }) => status !== null);
  const note = isAnswered ? ': the receiver refuses genuine webhooks, too' : '';
  return `not triggered${note}; ${endOf(run)}`;
}

export function endOf({
  code,
  isTimedOut,
  durationMs,
}: Pick<FinishedRun, 'code' | 'isTimedOut' | 'durationMs'>): string {
  if (code === 0) return 'the command passed';
  if (!isTimedOut) return `the command failed (exit code ${code})`;
  return `the command failed (stopped after ${Math.round(durationMs / 1_000)} s); --time-limit gives it more time`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
