import { KEY_HEADER } from '../../core/access/authenticate.ts';
import { currentKey } from '../../core/access/partners.ts';
import { header } from '../../core/request/http.ts';
import { parseDuration } from '../../core/values/duration.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import type { HandledCall } from '../../core/world/disturbance.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { cardholders } from '../../service/cardholders/records.ts';
import { cards } from '../../service/cards/records.ts';
import { transactions } from '../../service/transactions/records.ts';
import { usageRecords } from '../../service/usage/records.ts';
import { OPTIONS } from '../options.ts';
import type { Disturbance } from './plan.ts';

const FIRST_REFUSAL = 300;
const YEAR_MS = 366 * 24 * 3_600_000;
const TIMESTAMP = /"(\d{4}-\d\d-\d\dT[^"]+)"/g;
const ID = /"[a-z]+_[A-Za-z\d]+"/g;
const TEXT = /"([^"\\]+)"/g;

/** Whether a response shows a condition of a disturbance: its clock, ids, names or records, an old key, a slow decision. */
export function isShown(
  disturbance: Disturbance,
  records: ReadonlySet<string>,
  state: WorldState,
  call: HandledCall,
): boolean {
  const { kycDelay, rotatesKeys } = disturbance;
  if (rotatesKeys && hasOldKey(state, call)) return true;
  const { body, status } = call.response;
  if (status >= FIRST_REFUSAL || body === '') return false;
  return isLate(kycDelay, state, call) || isShownInBody(disturbance, records, state, body);
}

/** Whether the body of a response or of a webhook shows a clock, ids, names or records. */
export function isShownInBody(
  { options = {}, people = [], crowd = [] }: Disturbance,
  records: ReadonlySet<string>,
  state: WorldState,
  body: string,
): boolean {
  const { clock, idLength } = options;
  return (
    (clock !== undefined && hasTimeOfClock(clock, state, body)) ||
    (idLength !== undefined && hasIdOf(idLength, body)) ||
    [...people, ...crowd].some(({ firstName }) => firstName !== undefined && body.includes(firstName)) ||
    textsIn(body).some(text => records.has(text))
  );
}

function hasOldKey(state: WorldState, { request, partnerId }: HandledCall): boolean {
  return partnerId !== null && header(request, KEY_HEADER) !== currentKey(state, partnerId);
}

/**
 * Whether the clock has moved on from a time, and the response has a time that is due to that: a fixture may fix others, but
 * hardly any that is yet to come in wall time.
 */
function hasTimeOfClock(clock: string, state: WorldState, body: string): boolean {
  const [start, now] = [timeOf(clock), state.clock.now()];
  if (now < start || now - start >= YEAR_MS) return false;
  const since = Math.min(start, state.setup.realTime.now());
  return [...body.matchAll(TIMESTAMP)].some(([, text = '']) => timeOf(text) >= since && timeOf(text) <= now);
}

function hasIdOf(length: number, body: string): boolean {
  return [...body.matchAll(ID)].some(([id]) => id.length === length + '""'.length);
}

/** Whether a cardholder is shown whose decision would be there by default, and is not because of the delay. */
function isLate(
  kycDelay: Disturbance['kycDelay'],
  state: WorldState,
  { operation, response }: HandledCall,
): boolean {
  if (kycDelay === undefined || operation !== 'cardholders.get') return false;
  if (state.setup.kycDelayMs !== parseDuration(kycDelay)) return false;
  const usualMs = parseDuration(OPTIONS.kycDelay.initial) ?? 0;
  return textsIn(response.body).some(text => {
    const { submission, outcome } = state.table(cardholders).get(text) ?? {};
    if (!submission || submission.decidedAt !== null || outcome === 'manual') return false;
    return state.clock.now() - timeOf(submission.submittedAt) >= usualMs;
  });
}

function textsIn(body: string): string[] {
  return [...body.matchAll(TEXT)].map(([, text = '']) => text);
}

/** Returns the ids of the records in a world that show a fixture, those that belong to its cardholders included. */
export function idsOfFixture({ fixture = {}, showsInAmounts }: Disturbance, state: WorldState): Set<string> {
  const ids = new Set<string>();
  const people = listOf(fixture.cardholders);
  for (const { id, externalUserId } of state.table(cardholders).all()) {
    const isMeant = people.some(each =>
      each.generate === undefined
        ? each.id === id
        : externalUserId.startsWith(`${String(each.externalUserId)}_`),
    );
    if (isMeant) ids.add(id);
  }
  if (ids.size === 0) return ids;
  for (const { id, cardholderId } of state.table(cards).all()) if (ids.has(cardholderId)) ids.add(id);
  for (const { id, cardId } of state.table(transactions).all()) if (ids.has(cardId)) ids.add(id);
  for (const { id, referenceId } of state.table(usageRecords).all()) if (ids.has(referenceId)) ids.add(id);
  if (showsInAmounts) for (const { id } of people) ids.delete(String(id));
  return ids;
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value : [];
}
