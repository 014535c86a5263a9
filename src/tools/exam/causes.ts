import { apiOperations } from './catalogue/catalogue.ts';
import { requestOf as requestOfOperation, safeRepeatOf } from './catalogue/requests.ts';
import type { Candidate } from './groups.ts';
import { type FinishedRun, isFinding, type Verdict } from './judge.ts';
import type { Disturbance, Misbehaviour } from './misbehaviour.ts';
import type { FailedCall } from './run-record.ts';

export interface Symptoms {
  readonly misbehaviour: Pick<Misbehaviour, 'id' | 'sound'>;
  readonly disturbance: Disturbance;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly lines: readonly string[];
  readonly failedCalls: readonly FailedCall[];
  /** The ids of the misbehaviours that break the command only together. */
  readonly together?: readonly string[];
}

/** Findings that the same code of the app explains. */
export interface Cause<R extends Symptoms> {
  readonly title: string;
  readonly results: readonly R[];
  readonly lines: readonly string[];
  readonly advice: readonly string[];
}

/**
 * What an app did about requests that failed because of the misbehaviour: it sent one again that had been applied, or
 * did not send one again.
 */
interface Reaction {
  readonly kind: 'repeated' | 'abandoned';
  readonly calls: readonly FailedCall[];
}

interface Sign {
  readonly key: string;
  readonly title: (ids: readonly string[], operations: string) => string;
  readonly advice?: (operations: readonly string[]) => readonly string[];
  readonly calls?: readonly FailedCall[];
}

const CREATED = 201;
const TOO_MANY_REQUESTS = 429;
/** A receiver that accepts this one checks no signature, so it accepts the other forgeries for the same reason. */
const OTHER_SECRET = 'signature-other-secret';
const RETRY =
  'Send a request again, after a pause, when its connection is lost and after a 429 or 5xx; look up first whether a write was applied.';

export function findCauses<R extends Symptoms>(results: readonly R[]): Cause<R>[] {
  const groups = new Map<
    string,
    { readonly sign: Sign; readonly results: R[]; readonly calls: FailedCall[] }
  >();
  const findings = results.filter(isFinding);
  for (const result of findings) {
    const sign = signOf(result, findings);
    const group = groups.get(sign.key) ?? { sign, results: [], calls: [] };
    groups.set(sign.key, group);
    group.results.push(result);
    group.calls.push(...(sign.calls ?? []));
  }
  return [...groups.values()].map(({ sign, results: own, calls }) => {
    const operations = [...new Set(calls.map(({ operation }) => operation))];
    return {
      title: sign.title(
        own.map(({ misbehaviour }) => misbehaviour.id),
        operations.map(requestOf).join(', '),
      ),
      results: own,
      lines: own.find(({ lines }) => lines.length > 0)?.lines ?? [],
      advice: sign.advice?.(operations) ?? [...new Set(own.map(({ misbehaviour }) => misbehaviour.sound))],
    };
  });
}

/** The requests that show what the app did wrong; none if the misbehaviour made no request fail. */
export function telltaleCalls(symptoms: Symptoms): readonly FailedCall[] {
  return reactionOf(symptoms)?.calls ?? [];
}

/** Whether a run, in which something is wrong, points at a misbehaviour. */
export function isSuspect(
  { misbehaviour: { id }, disturbance }: Candidate,
  { code, record }: FinishedRun,
): boolean {
  // The command passed, so there are doubles that follow from no request that failed.
  if (code === 0) return (disturbance.webhookFaults ?? disturbance.repeatsWebhooks) !== undefined;
  return reactionOf({ disturbance, verdict: 'broke', failedCalls: record.failedCallsOf(id) }) !== null;
}

function signOf(result: Symptoms, findings: readonly Symptoms[]): Sign {
  const { misbehaviour, verdict, reason, lines, disturbance } = result;
  if (result.together !== undefined) {
    const both = result.together.join(' and ');
    return { key: both, title: () => `${both} break the command together` };
  }
  const reaction = reactionOf(result);
  if (reaction?.kind === 'repeated') {
    return {
      key: 'repeated',
      title: (_, operations) => `A write that was applied is sent again: ${operations}`,
      advice: operations => operations.map(id => `${requestOf(id)}: ${safeRepeatOf(id)}`),
      calls: reaction.calls,
    };
  }
  // An app that does not send again what was applied may have looked it up.
  if (reaction !== null && !wasApplied(disturbance)) {
    return {
      key: 'abandoned',
      title: (_, operations) => `A request that failed is not sent again: ${operations}`,
      advice: () => [RETRY],
      calls: reaction.calls,
    };
  }
  if (verdict === 'accepted') {
    const checksNothing = findings.some(
      each => each.verdict === 'accepted' && each.misbehaviour.id === OTHER_SECRET,
    );
    return checksNothing
      ? { key: 'accepted', title: () => 'Webhooks are accepted without a check of their signature' }
      : { key: misbehaviour.id, title: ids => `${ids.join(', ')} is accepted` };
  }
  const title = (ids: readonly string[]) =>
    verdict === 'applied-twice'
      ? `Under ${ids.join(', ')}, a write is applied twice`
      : `${ids.join(', ')} ${ids.length === 1 ? 'breaks' : 'break'} the command`;
  if (lines.length > 0) return { key: `${verdict} ${sortOf(disturbance)} ${withoutValues(lines)}`, title };
  if (reason.startsWith('the receiver')) return { key: reason, title: () => reason.replace('the', 'The') };
  return { key: misbehaviour.id, title };
}

function reactionOf({
  disturbance,
  verdict,
  failedCalls,
}: Pick<Symptoms, 'disturbance' | 'verdict' | 'failedCalls'>): Reaction | null {
  if (wasApplied(disturbance)) {
    const isDoubled = (status: number) => verdict === 'applied-twice' && status === CREATED;
    const calls = failedCalls.filter(
      ({ repeatStatus: status }) => status !== null && (isRefusal(status) || isDoubled(status)),
    );
    if (calls.length > 0) return { kind: 'repeated', calls };
  }
  const abandoned = failedCalls.find(({ repeatStatus }) => repeatStatus === null);
  return abandoned === undefined ? null : { kind: 'abandoned', calls: [abandoned] };
}

function wasApplied({ faults = [] }: Disturbance): boolean {
  return faults.some(({ when }) => when === 'after');
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}

function sortOf({ options = {}, ...changes }: Disturbance): string {
  return [...Object.keys(changes), ...Object.keys(options)].join(' ');
}

/** Failing lines without what differs from run to run: numbers and ids. */
function withoutValues(lines: readonly string[]): string {
  return lines.join('\n').replace(/\b[a-z]+_[a-z0-9]{8,}\b|\d+/gi, '#');
}

function requestOf(operation: string): string {
  const found = apiOperations.find(({ id }) => id === operation);
  return found === undefined ? operation : requestOfOperation(found);
}
