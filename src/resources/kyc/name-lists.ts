import { en } from '@faker-js/faker';

// The lists behind generated people. They are used directly because faker parses its patterns again for each name.
// The build bundles only these lists, without the rest of faker.

/** First names. */
export const FIRST_NAMES = en.person?.first_name?.generic ?? [];
/** Last names. */
export const LAST_NAMES = en.person?.last_name?.generic ?? [];
/** States of the USA. */
export const STATES = en.location?.state ?? [];
/** Cities. */
export const CITIES = en.location?.city_name ?? [];
/** Streets. */
export const STREETS = en.location?.street_name ?? [];
