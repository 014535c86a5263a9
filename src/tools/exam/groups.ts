import { type Disturbance, type ExamOperation, MAX_PAGE_ROWS, type Misbehaviour } from './misbehaviour.ts';
import type { FailedCall } from './run-record.ts';

/** From this status on, a response shows nothing of the records, the clock or the options of a world. */
const FIRST_REFUSAL = 300;

export interface Candidate {
  readonly misbehaviour: Misbehaviour;
  readonly disturbance: Disturbance;
  readonly reasons: readonly string[];
}

/** The faults of webhooks that make their receiver or the caller wait. */
const WAITING_KINDS: readonly string[] = ['reorder', 'delay', 'drop', 'before_response'];

/**
 * Divides candidates into groups, in each of which no candidate hinders another. Those with other records are kept
 * together, because tests that count records fail under each of them; the groups are of similar size otherwise.
 */
export function formGroups(
  candidates: readonly Candidate[],
  called: readonly ExamOperation[],
): readonly (readonly Candidate[])[] {
  const effects = new Map(candidates.map(each => [each, effectOf(each.disturbance, called)]));
  const hinders = (a: Candidate, b: Candidate) => {
    const [one, other] = [effects.get(a), effects.get(b)];
    return a !== b && one !== undefined && other !== undefined && doHinder(one, other);
  };
  const degrees = new Map(
    candidates.map(each => [each, candidates.filter(other => hinders(each, other)).length]),
  );
  // The ones that fit in the fewest places come first.
  const ordered = candidates.toSorted((a, b) => (degrees.get(b) ?? 0) - (degrees.get(a) ?? 0));
  const groups: Candidate[][] = [];
  for (const candidate of ordered) {
    const open = groups.filter(group => !group.some(each => hinders(candidate, each)));
    const alike = open.filter(
      group => candidate.disturbance.fixture && group.some(({ disturbance }) => disturbance.fixture),
    );
    const [smallest] = (alike.length > 0 ? alike : open).toSorted((a, b) => a.length - b.length);
    if (smallest === undefined) groups.push([candidate]);
    else smallest.push(candidate);
  }
  // The slow ones come first, so that none of them runs alone at the end.
  const waitOf = (group: Candidate[]) => Math.max(...group.map(({ disturbance }) => waitingMs(disturbance)));
  return groups.toSorted((a, b) => waitOf(b) - waitOf(a));
}

/** What a disturbance occupies in a run, so that no other one of the run may. */
interface Effect {
  /** The operations whose calls fail or are late, and one name for each other thing that is there once. */
  readonly claims: ReadonlySet<string>;
  /** Whether responses of writes are lost, although the writes were applied. */
  readonly hidesWrites: boolean;
  /** Whether it shows in the responses of writes, for example in their ids. */
  readonly showsInWrites: boolean;
  /** Whether there are records enough to fill a page, so that others are not on it. */
  readonly fillsPages: boolean;
  /** Whether it shows in a record that has to be on the page that is read. */
  readonly showsInLists: boolean;
}

function doHinder(a: Effect, b: Effect): boolean {
  if ((a.hidesWrites && b.showsInWrites) || (b.hidesWrites && a.showsInWrites)) return true;
  if ((a.fillsPages && b.showsInLists) || (b.fillsPages && a.showsInLists)) return true;
  return [...a.claims].some(claim => b.claims.has(claim));
}

function effectOf(disturbance: Disturbance, called: readonly ExamOperation[]): Effect {
  const { faults = [], webhookFaults = [], repeatsWebhooks, crowd, people, fixture } = disturbance;
  const { options = {}, kycDelay } = disturbance;
  const strikes = faults.filter(({ ridesAlong }) => !ridesAlong);
  const genuine = webhookFaults.filter(({ extra }) => !extra);
  const fillsPages = crowd !== undefined && crowd.length >= MAX_PAGE_ROWS;
  const isBeforeResponse = genuine.some(({ kind }) => kind === 'before_response');
  // An additional one says nothing beside a genuine one that is not sent.
  const hasAdditional = webhookFaults.some(({ extra, kind }) => extra || kind === 'drop');
  return {
    claims: new Set([
      ...strikes.flatMap(({ operations, method }) =>
        called
          .filter(each => operations?.includes(each.id) ?? (method === undefined || each.method === method))
          .map(({ id }) => `call ${id}`),
      ),
      ...(genuine.length > 0 || repeatsWebhooks ? ['webhook'] : []),
      ...(hasAdditional ? ['additional webhook'] : []),
      ...(waitingMs(disturbance) > 0 ? ['waiting'] : []),
      ...(crowd === undefined ? [] : ['crowd']),
      ...Object.keys(options),
    ]),
    hidesWrites: strikes.some(({ when }) => when === 'after'),
    showsInWrites:
      strikes.length < faults.length ||
      isBeforeResponse ||
      people !== undefined ||
      kycDelay !== undefined ||
      Object.keys(options).length > 0,
    fillsPages,
    showsInLists: fixture !== undefined && !fillsPages,
  };
}

/**
 * Whether a disturbance would have shown in the response to a call that failed for another one and was not repeated with
 * success, so that the run says less about it than one of its own.
 */
export function isHiddenBy(
  { faults = [], options, people, kycDelay, crowd, fixture }: Disturbance,
  { operation, request, repeatStatus, isFollowed }: FailedCall,
): boolean {
  if (repeatStatus === null ? isFollowed : repeatStatus < FIRST_REFUSAL) return false;
  const isChanged = faults.some(
    ({ ridesAlong, operations }) => ridesAlong && (operations?.includes(operation) ?? true),
  );
  if (isChanged || (options ?? people ?? kycDelay) !== undefined) return true;
  return (crowd ?? fixture) !== undefined && request.startsWith('GET ');
}

/** The wall time in milliseconds that somebody waits longer, so that waiting times would add up; 0 for none. */
function waitingMs({ faults = [], webhookFaults = [], kycDelay }: Disturbance): number {
  const ofRequests = faults.map(
    ({ delayMs = 0, retryAfter = 0, lastsMs = 0 }) => delayMs + Math.max(retryAfter * 1_000, lastsMs),
  );
  const isWaiting = kycDelay !== undefined || webhookFaults.some(({ kind }) => WAITING_KINDS.includes(kind));
  return ofRequests.reduce((sum, ms) => sum + ms, isWaiting ? 1 : 0);
}
