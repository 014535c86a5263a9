import names from './names.json' with { type: 'json' };

// The lists are copied from the locale `en` of @faker-js/faker 10 (MIT). An upgrade of faker must not change the people
// of a seed, and loading all of faker costs 9 ms of processor time at each start.

/** First names. */
export const FIRST_NAMES: readonly string[] = names.firstNames;
/** Last names. */
export const LAST_NAMES: readonly string[] = names.lastNames;
/** States of the USA. */
export const STATES: readonly string[] = names.states;
/** Cities. */
export const CITIES: readonly string[] = names.cities;
/** Streets. */
export const STREETS: readonly string[] = names.streets;
