import type { Disturbance, Misbehaviour } from '../misbehaviour.ts';
import { disturbCalls } from '../misbehaviour.ts';

const ID_LENGTH = 64;

/** Returns what disturbs every call of the API. */
function throughout(change: Disturbance): Misbehaviour['disturb'] {
  return disturbCalls(() => change);
}

/** Returns what starts the clock at a time, unless the tests start it themselves. */
function startingAt(clock: string): Misbehaviour['disturb'] {
  const disturb = throughout({ options: { clock } });
  return history => (history.hasOwnClock ? 'the tests choose the start of the clock' : disturb(history));
}

const CLOCK_SOUND = 'Calculate with dates in a library for dates, and in UTC, as the service does.';

/** Conditions under which the command runs: the date, the keys, the ids. */
export const conditions: readonly Misbehaviour[] = [
  {
    id: 'clock-end-of-month',
    kind: 'benign',
    why: 'Some runs begin on the 31st and end on the 1st, in another billing period.',
    sound: CLOCK_SOUND,
    disturb: startingAt('2027-01-31T23:59:59.000Z'),
  },
  {
    id: 'clock-leap-day',
    kind: 'benign',
    why: 'Every four years there is a 29 February.',
    sound: CLOCK_SOUND,
    disturb: startingAt('2028-02-29T12:00:00.000Z'),
  },
  {
    id: 'clock-end-of-year',
    kind: 'benign',
    why: 'Some runs begin in one year and end in the next.',
    sound: CLOCK_SOUND,
    disturb: startingAt('2027-12-31T23:59:59.000Z'),
  },
  {
    id: 'key-rotated',
    kind: 'benign',
    why: 'The operator has issued a new API key, and the old one works until its grace period ends.',
    sound: 'Go on with the old key until the new one is configured.',
    disturb: throughout({ rotatesKeys: true }),
  },
  {
    id: 'ids-long',
    kind: 'benign',
    why: 'Ids are opaque: their length and their letters may change.',
    sound: 'Store ids as text of any length, and take nothing from them.',
    disturb: throughout({ options: { idLength: ID_LENGTH } }),
  },
];
