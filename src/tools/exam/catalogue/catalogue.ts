import { OPERATIONS } from '../../../client/operation-table.ts';
import { REIMPORT } from '../../../core/values/reimport.ts';
import {
  type BenignMisbehaviour,
  type Disturbance,
  disturbCalls,
  type ExamOperation,
  type Misbehaviour,
} from '../misbehaviour.ts';
import { otherRecords } from './records.ts';
import { failedRequests, lostConnections } from './requests.ts';
import { forgeries, webhooks } from './webhooks.ts';

const ID_LENGTH = 64;

const CLOCK_SOUND = 'Calculate with dates in a library for dates, and in UTC, as the service does.';

/** The operations of the API. The re-import is one of its own: it is repeated in another way than a creation. */
export const apiOperations: readonly ExamOperation[] = OPERATIONS.filter(
  ({ plane }) => plane === 'partner',
).flatMap(({ id, method, path }) => [
  { id, method, path },
  ...(id === 'cardholders.create' ? [{ id: REIMPORT, method, path }] : []),
]);

function throughout(change: Disturbance): Misbehaviour['disturb'] {
  return disturbCalls(() => change);
}

/** Returns what starts the clock at a time, unless the tests start the clock themselves. */
function startingAt(clock: string): Misbehaviour['disturb'] {
  const disturb = throughout({ options: { clock } });
  return history =>
    history.ownOptions.includes('clock') ? 'the tests choose the start of the clock' : disturb(history);
}

/** What a slow decision about KYC takes; by default it takes 2 s. */
const SLOW_KYC = '6s';

/** Conditions under which the command runs: the date, the keys, the ids, the patience that it needs. */
const conditions: readonly BenignMisbehaviour[] = [
  {
    id: 'clock-end-of-month',
    why: 'Some runs begin on the 31st and end on the 1st, in another billing period.',
    sound: CLOCK_SOUND,
    disturb: startingAt('2027-01-31T23:59:59.000Z'),
  },
  {
    id: 'clock-leap-day',
    why: 'Every four years there is a 29 February.',
    sound: CLOCK_SOUND,
    disturb: startingAt('2028-02-29T12:00:00.000Z'),
  },
  {
    id: 'clock-end-of-year',
    why: 'Some runs begin in one year and end in the next.',
    sound: CLOCK_SOUND,
    disturb: startingAt('2027-12-31T23:59:59.000Z'),
  },
  {
    id: 'key-rotated',
    why: 'The operator has issued a new API key, and the old one works until its grace period ends.',
    sound: 'Use the old key until the new one is configured.',
    disturb: throughout({ rotatesKeys: true }),
  },
  {
    id: 'kyc-slow',
    why: 'A decision about KYC takes longer than usual, because a person makes it, or because the provider has a backlog.',
    sound: 'Wait until there is a decision; do not count how often you asked.',
    disturb({ waitsForKyc, ownOptions }) {
      if (waitsForKyc.length === 0) return 'no cardholder was read more than once while its KYC was pending';
      if (ownOptions.includes('kycDelay')) return 'the tests choose how long KYC takes';
      if (waitsForKyc.includes('running'))
        return 'the clock runs, so the tests would wait in real time, which they limit';
      return { kycDelay: SLOW_KYC };
    },
  },
  {
    id: 'ids-long',
    why: 'Ids are opaque: their length and their letters may change.',
    sound: 'Store ids as text of any length, and take nothing from them.',
    disturb: throughout({ options: { idLength: ID_LENGTH } }),
  },
];

const benign: readonly BenignMisbehaviour[] = [
  ...apiOperations.filter(({ method }) => method !== 'GET').flatMap(lostConnections),
  ...failedRequests,
  ...webhooks,
  ...otherRecords,
  ...conditions,
];

export const catalogue: readonly Misbehaviour[] = [
  ...benign.map(each => ({ ...each, kind: 'benign' as const })),
  ...forgeries,
];
